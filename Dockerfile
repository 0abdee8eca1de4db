# The classroom image: everything inside, nothing fetched at run time.
#   docker build -t headlight . && docker run -p 8000:8000 headlight

# What is installed is locked, each file by its hash (locks/). The base can be, too:
#   docker build --build-arg PYTHON_IMAGE=python:3.11-slim@sha256:… -t headlight .
ARG PYTHON_IMAGE=python:3.11-slim

FROM ${PYTHON_IMAGE} AS dependencies
# The usual Linux build of torch brings gigabytes for GPUs; PyTorch's own index has one for CPUs alone, which is the one that is
# locked. Empty means whatever pip is set up to use.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
# pip stays outside: it installs into the environment, which is all that reaches the last stage.
RUN python -m venv --without-pip /venv
COPY locks/torch.txt locks/
# Headers, C++ tests and compilers come with torch's wheel; running a model needs none of them.
RUN pip --python /venv/bin/python install --require-hashes --no-deps ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} -r locks/torch.txt && \
    cd /venv/lib/python3.11/site-packages/torch && \
    rm -rf include test share && find bin -type f ! -name torch_shm_manager -delete && find . -name '*.a' -delete
# Which of pyproject.toml's extras come along: "pretrained cluster" for an image that joins a Ray cluster.
ARG EXTRAS=pretrained
COPY locks/ locks/
RUN for extra in ${EXTRAS:-run}; do \
      pip --python /venv/bin/python install --require-hashes -r "locks/$extra.txt" || exit; done

# A software bill of materials (CycloneDX) of all that was just installed.
FROM ${PYTHON_IMAGE} AS sbom
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY locks/supply.txt locks/
RUN python -m venv /supply && /supply/bin/pip install --require-hashes -r locks/supply.txt
COPY pyproject.toml .
COPY --from=dependencies /venv /venv
RUN /supply/bin/cyclonedx-py environment --pyproject pyproject.toml --mc-type application --output-reproducible \
    --of JSON -o /sbom.json /venv/bin/python

FROM dependencies AS project
COPY locks/build.txt locks/
RUN pip --python /venv/bin/python install --require-hashes -r locks/build.txt
COPY . /src
# This packs the page, too (scripts/wheel.py).
RUN pip --python /venv/bin/python install --no-deps --no-build-isolation --target /app /src

FROM ${PYTHON_IMAGE}
COPY --from=dependencies /venv /venv
COPY --from=project /app /app
COPY --from=sbom /sbom.json /app/sbom.json
ENV PATH=/app/bin:/venv/bin:$PATH \
    PYTHONPATH=/app \
    PYTHONUNBUFFERED=1 \
    OMP_WAIT_POLICY=PASSIVE \
    HEADLIGHT_HOST=0.0.0.0 \
    HEADLIGHT_PORT=8000 \
    HEADLIGHT_SHUTDOWN_TIMEOUT_S=4
# A number, so that an orchestrator can see that it is not root; it owns nothing and writes to /tmp alone.
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["python", "-m", "server.serving.check"]
# The exec form: SIGTERM reaches the server itself, which finishes what it is answering. `docker stop` kills after 10 s unless told
# otherwise, so open requests get 4 s above; where there is more time (compose.yaml), they get more.
STOPSIGNAL SIGTERM
CMD ["headlight", "serve"]
