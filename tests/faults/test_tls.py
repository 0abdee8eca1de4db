"""https, its error messages, and workers that cannot start."""

import os
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from scripts.live import UNCHECKED, running
from server.cli import app
from tests.faults.asking import ask, closed, many, raw, until

HALF = (
    b"POST /api/trace HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 100\r\n\r\n{"
)


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A self-signed certificate and its key."""
    key, file = folder / f"{name}-key.pem", folder / f"{name}.pem"
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
        "-subj /CN=localhost"
    ).split()
    subprocess.run([*command, "-keyout", key, "-out", file], check=True, capture_output=True)
    return file, key


def test_https_and_a_worker_that_cannot_start_is_tried_with_growing_pauses(tmp_path: Path) -> None:
    file, key = certificate(tmp_path, "own")
    settings = {"certfile": str(file), "keyfile": str(key), "max_connections": "20"}
    with running(settings=settings) as server:
        assert server.address.startswith("https")
        assert ask(server, "/api/trace", body={"texts": ["the cat"]}).status == 200
        with raw(server, b"GET / HTTP/1.1\r\n\r\n") as plain:
            assert closed(plain)
        with many(60, lambda: raw(server)):  # none of them starts a handshake
            assert ask(server).status == 200
        with many(20, lambda: UNCHECKED.wrap_socket(raw(server))) as connections:
            for connection in connections:
                connection.sendall(HALF)
            assert until(lambda: ask(server, "/api/models").status == 503)
            busy = ask(server, "/api/models")  # but health checks still find room
            assert busy.error()["code"] == "busy"
            assert int(busy.headers["retry-after"]) >= 1
            assert ask(server, "/healthz").status == ask(server, "/readyz").status == 200
        assert until(lambda: ask(server, "/api/models").status == 200)
        port, certified = {"HEADLIGHT_PORT": f"{server.port}"}, {"HEADLIGHT_CERTFILE": f"{file}"}
        assert is_healthy({**port, **certified})
        assert not is_healthy(port)

        hidden = file.rename(tmp_path / "hidden.pem")
        [worker] = server.workers()
        os.kill(worker, 9)
        why = f"before it could serve: TlsError: The certificate {file} cannot be read"
        assert until(lambda: server.log().count(why) >= 4)
        starts = server.log().count("Starting another in")
        assert [f"in {pause} s" in server.log() for pause in (0.1, 0.2, 0.4, 0.8)] == [True] * 4
        assert starts <= 7
        hidden.rename(file)
        assert ask(server).status == 200  # and everything works again
    assert server.process.returncode == 0


def is_healthy(variables: dict[str, str]) -> bool:
    """Run the image's health check."""
    command = [sys.executable, "-m", "server.http.serving.check"]
    return subprocess.run(command, env={**os.environ, **variables}).returncode == 0


def refusal(*options: object) -> str:
    alone = {f"HEADLIGHT_{name}": None for name in ("CERTFILE", "KEYFILE")}
    result = CliRunner().invoke(app, ["serve", "--port", "0", *map(str, options)], env=alone)
    assert result.exit_code == 1
    return result.output.replace("\n", " ")


def test_files_that_do_not_fit_are_named(tmp_path: Path) -> None:
    file, key = certificate(tmp_path, "own")
    _, other = certificate(tmp_path, "other")
    locked = tmp_path / "locked.pem"
    lock = ["openssl", "pkey", "-in", key, "-aes256", "-passout", "pass:secret", "-out", locked]
    subprocess.run([str(part) for part in lock], check=True)
    nothing = tmp_path / "nothing.pem"
    nothing.write_text("nothing")
    missing = tmp_path / "missing.pem"

    serve = "--certfile"
    assert "The key" in refusal(serve, file, "--keyfile", other)
    assert "does not match the certificate" in refusal(serve, file, "--keyfile", other)
    assert f"The certificate {missing} cannot be read: No such file" in refusal(serve, missing)
    assert "The key" in refusal(serve, file, "--keyfile", missing)
    assert f"Expected a certificate in {nothing}" in refusal(serve, nothing, "--keyfile", key)
    assert f"Expected a certificate and its key in {file}" in refusal(serve, file)
    assert "protected by a passphrase" in refusal(serve, file, "--keyfile", locked)
