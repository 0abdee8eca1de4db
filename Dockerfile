# The classroom image: everything inside, nothing fetched at run time.
#   docker build -t headlight . && docker run -p 8000:8000 headlight

# What to install, cut out of pyproject.toml, so that its other settings do not install torch again.
FROM python:3.11-slim AS requirements
COPY pyproject.toml .
RUN python -c "import tomllib; project = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
    print(*project['dependencies'], *project['optional-dependencies']['pretrained'], sep='\n')" >requirements.txt

FROM python:3.11-slim AS dependencies
# The usual Linux build of torch brings gigabytes for GPUs; PyTorch's own index has one for CPUs alone.
# Empty means whatever pip is set up to use.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
# pip stays outside: it installs into the environment, which is all that reaches the last stage.
RUN python -m venv --without-pip /venv
COPY --from=requirements requirements.txt .
# Headers, C++ tests and compilers come with torch's wheel; running a model needs none of them.
RUN pip --python /venv/bin/python install ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} "$(grep '^torch' requirements.txt)" && \
    cd /venv/lib/python3.11/site-packages/torch && \
    rm -rf include test share && find bin -type f ! -name torch_shm_manager -delete && find . -name '*.a' -delete
RUN pip --python /venv/bin/python install -r requirements.txt

FROM dependencies AS project
COPY . /src
RUN pip --python /venv/bin/python install --no-deps --target /app /src

FROM python:3.11-slim
COPY --from=dependencies /venv /venv
COPY --from=project /app /app
ENV PATH=/app/bin:/venv/bin:$PATH \
    PYTHONPATH=/app \
    PYTHONUNBUFFERED=1 \
    OMP_WAIT_POLICY=PASSIVE \
    HEADLIGHT_HOST=0.0.0.0 \
    HEADLIGHT_PORT=8000
# A number, so that an orchestrator can see that it is not root; it owns nothing and writes to /tmp alone.
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"HEADLIGHT_PORT\"]}/healthz', timeout=4)"]
# The exec form: SIGTERM reaches the server itself, which finishes what it is answering.
CMD ["headlight", "serve"]
