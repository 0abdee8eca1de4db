# The image for classrooms: it contains everything and downloads nothing at run time.
#   docker build -t headlight . && docker run -p 8000:8000 headlight

# All packages are locked by hash (locks/). You can pin the base image too:
#   docker build --build-arg PYTHON_IMAGE=python:3.11-slim@sha256:… -t headlight .
ARG PYTHON_IMAGE=python:3.11-slim

FROM ${PYTHON_IMAGE} AS dependencies
# The default Linux build of torch comes with gigabytes of GPU packages; PyTorch's own index has a CPU build, which is the one that
# is locked. Empty: use pip's configuration.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
# pip itself is not part of the environment, and only the environment is copied to the last stage.
RUN python -m venv --without-pip /venv
COPY locks/torch.txt locks/
# torch's wheel contains headers, C++ tests and compilers, which are not needed to run a model.
RUN pip --python /venv/bin/python install --require-hashes --no-deps ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} -r locks/torch.txt && \
    cd /venv/lib/python3.11/site-packages/torch && \
    rm -rf include test share && find bin -type f ! -name torch_shm_manager -delete && find . -name '*.a' -delete
# The extras of pyproject.toml to install: "pretrained cluster" for an image that joins a Ray cluster.
ARG EXTRAS=pretrained
COPY locks/ locks/
RUN for extra in ${EXTRAS:-run}; do \
      pip --python /venv/bin/python install --require-hashes -r "locks/$extra.txt" || exit; done

# A software bill of materials (CycloneDX) of all installed packages.
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
# This also packs the page (scripts/wheel.py).
RUN pip --python /venv/bin/python install --no-deps --no-build-isolation --target /app /src
# Real language models to put in, by the names that `headlight get` lists: docker build --build-arg MODELS="smollm2 minilm" …
ARG MODELS=
ENV HEADLIGHT_CACHE=/opt/headlight
RUN mkdir $HEADLIGHT_CACHE && for model in $MODELS; do \
      PYTHONPATH=/app:/app/headlight/application /venv/bin/python -m headlight get "$model" || exit; done

FROM ${PYTHON_IMAGE}
COPY --from=dependencies /venv /venv
COPY --from=project /app /app
COPY --from=project /opt/headlight /opt/headlight
COPY --from=sbom /sbom.json /app/sbom.json
ENV PATH=/app/bin:/venv/bin:$PATH \
    PYTHONPATH=/app:/app/headlight/application \
    PYTHONUNBUFFERED=1 \
    OMP_WAIT_POLICY=PASSIVE \
    HEADLIGHT_CACHE=/opt/headlight \
    HEADLIGHT_TRAINING_STORE=/tmp/headlight-training \
    HEADLIGHT_HOST=0.0.0.0 \
    HEADLIGHT_PORT=8000 \
    HEADLIGHT_SHUTDOWN_TIMEOUT_S=4
# A numeric user, so that an orchestrator can see that it is not root; it owns nothing and writes only to /tmp.
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["python", "-m", "server.http.serving.check"]
# The exec form, so that SIGTERM reaches the server itself, which finishes its open requests. `docker stop` kills after 10 s by
# default, so open requests get 4 s above; with a longer grace period (compose.yaml) they get more.
STOPSIGNAL SIGTERM
CMD ["headlight", "serve"]
