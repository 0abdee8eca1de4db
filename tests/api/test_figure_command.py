"""`headlight figure`: what it writes, and what it says when it cannot."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from headlight.figures import fonts
from server.cli import app
from tests.unit.figures.reopened import pdf_texts, svg_texts

pytestmark = pytest.mark.long

TEXT = "The cat sat."


def figure(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["figure", TEXT, *arguments])
    return done.exit_code, done.output


def test_it_draws_a_head_of_an_edited_run(tmp_path: Path) -> None:
    file = tmp_path / "head.svg"
    code, output = figure(
        *("--layer", "1", "--head", "2", "--mask", "causal=false", "--mask", "window=2"),
        *("--mute", "1.2", "--mute", "0.3", "--caption", "--dark", "-o", str(file)),
    )
    assert code == 0 and output.startswith(f"{file}: ")
    texts = svg_texts(file.read_bytes())
    assert {"Layer 1 · head 2 (muted)", "cat", "blocked by the window"} <= {*texts}
    assert "blocked by the causal mask" not in texts
    assert "causal mask off · window of 2 · muted: L1·H2, L0·H3" in " ".join(texts)
    assert b"#131924" in file.read_bytes()


def test_it_draws_in_another_language(tmp_path: Path) -> None:
    file = tmp_path / "layer.svg"
    code, _ = figure("--layer", "2", "--language", "ar", "-o", str(file))
    assert code == 0 and {"الطبقة 2", "الرأس 3"} <= {*svg_texts(file.read_bytes())}
    code, output = figure("--view", "attribution", "--language", "ar", "-o", str(file))
    assert code == 1 and "--view attribution has no --language" in output


def test_it_draws_heads_as_lines(tmp_path: Path) -> None:
    file = tmp_path / "lines.pdf"
    place = ("--layer", "1", "--head", "2", "--overlay", "0.3", "--view", "lines")
    assert figure(*place, "-o", str(file)) == (0, f"{file}: {file.stat().st_size / 1e3:.0f} kB\n")
    title = "Layer 1 · head 2: attention weights, with 1 other head"
    texts = pdf_texts(file.read_bytes())
    assert {"queries", "keys", "L1 · H2", "L0 · H3"} <= {*texts} and title in " ".join(texts)


def test_it_draws_all_heads_of_a_layer(tmp_path: Path) -> None:
    file = tmp_path / "layer.pdf"
    assert figure("--layer", "2", "-o", str(file))[0] == 0
    assert {"Layer 2", *(f"head {n}" for n in range(8))} <= {*pdf_texts(file.read_bytes())}


def test_it_draws_what_an_analysis_finds(tmp_path: Path) -> None:
    file = tmp_path / "found.svg"
    code, output = figure("--view", "attribution", "--token", " sat", "-o", str(file))
    assert (code, output) == (0, f"{file}: {file.stat().st_size / 1e3:.0f} kB\n")
    assert {"logit", "mlp 0"} <= {*svg_texts(file.read_bytes())}


def test_a_chart_of_an_unknown_ending_lists_the_known_ones(tmp_path: Path) -> None:
    code, output = figure("--view", "mutes", "-o", str(tmp_path / "a.xyz"))
    assert code == 1 and ".svg" in output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--layer", "9"], "layers 0, 1, 2; got 9"),
        (["--head", "3"], "Head 3 of which layer"),
        (["--tensor", "q"], "Expected one of pattern"),
        (["--view", "lines"], "give its `layer` and `head`"),
        (["--overlay", "2.4"], "Only lines overlay heads"),
        (["--mute", "7.0"], "layers 0 to 2; got 7"),
        (["--view", "patching"], "give it with --clean"),
        (["--view", "space", "--layer", "1"], "give --layer and --head"),
        (["--view", "mutes", "--dark"], "--view mutes has no --dark"),
        (["--view", "mutes", "--tensor", "scores"], "--view mutes has no --tensor"),
        (["--view", "lines", "--token", " sat"], "--view lines has no --token"),
    ],
)
def test_a_mistake_is_a_line(tmp_path: Path, arguments: list[str], words: str) -> None:
    file = tmp_path / "a.png"
    code, output = figure(*arguments, "-o", str(file))
    assert code == 1 and words in output and "Traceback" not in output
    assert not file.exists()


def test_a_head_that_is_not_written_as_one_is_a_line(tmp_path: Path) -> None:
    code, output = figure("--mute", "2,3", "-o", str(tmp_path / "a.svg"))
    assert code == 2 and "expected LAYER.HEAD, such as 2.3; got '2,3'" in output


def test_an_unknown_ending_lists_the_known_ones(tmp_path: Path) -> None:
    code, output = figure("-o", str(tmp_path / "a.gif"))
    assert code == 1 and ".svg" in output


def test_it_says_once_which_font_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fonts, "_installed", list)  # whatever this machine has
    file = tmp_path / "head.pdf"
    place = ("--layer", "1", "--head", "2", "-o", str(file))
    done = CliRunner().invoke(app, ["figure", "我爱你", *place])
    assert done.exit_code == 0
    assert done.output.count("No installed font has 你 我 爱, ") == 1
    assert {"U+6211", "U+7231", "U+4f60"} <= set(pdf_texts(file.read_bytes()))
