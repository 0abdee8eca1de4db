"""Checkpoints in other numbers than float32, and on devices that are there or not."""

import pytest
import torch

from model.errors import CheckpointError
from model.masks.rules import MaskSettings
from model.sources.pretrained.opening import device
from model.sources.pretrained.opening.device import choose
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs, MutedHead
from model.trace.tensors import TensorName
from server.run.finding import check_device
from server.settings import Settings
from tests.unit.sources.pretrained.conftest import Folder, Load

pytestmark = pytest.mark.long

TEXTS = ("the cat sat on the mat", "a dog")
# how far patterns, whose entries are at most 1, may be from those in float32
CLOSE = {"bfloat16": 0.05, "float16": 0.01}


@pytest.mark.parametrize("dtype", CLOSE)
@pytest.mark.parametrize("family", ("bert", "gpt2", "llama", "gemma2", "t5", "bloom"))
def test_low_precision_is_close_and_arrives_in_float32(
    folder: Folder, load: Load, family: str, dtype: str
) -> None:
    machine = choose("cpu", dtype)
    source = PretrainedSource.load(family, str(folder(family)), machine=machine)
    assert source.info.lacks == load(family).info.lacks
    assert source.info.predicts == load(family).info.predicts
    plain = Inputs(TEXTS, targets=("a", "her dog") if family == "t5" else None)
    edited = Inputs(
        TEXTS,
        targets=plain.targets,
        masks=MaskSettings(window=2),
        muted=(MutedHead(0, 1),),
    )
    for inputs in (plain,) if source.info.lacks else (plain, edited):
        trace, exact = source.trace(inputs), load(family).trace(inputs)
        for site, expected in zip(trace.sites, exact.sites, strict=True):
            names: list[TensorName] = (
                ["pattern"] if source.info.lacks else ["pattern", "z", "q", "v"]
            )
            found, there = site.derive(names), expected.derive(names)
            assert {tensor.dtype for tensor in found.values()} == {torch.float32}
            torch.testing.assert_close(
                found["pattern"], there["pattern"], rtol=0, atol=CLOSE[dtype]
            )
            assert not torch.equal(found["pattern"], there["pattern"])  # it did run in less
        assert trace.stages is not None and trace.stages.dtype == torch.float32
        for one, other in zip(trace.predict(top_k=3), exact.predict(top_k=3), strict=True):
            told = {each.id: each.probability for each in other}
            for each in one:
                if each.id in told:
                    assert each.probability == pytest.approx(told[each.id], abs=0.1)


def test_a_device_that_is_not_there_is_named() -> None:
    with pytest.raises(CheckpointError, match=r"HEADLIGHT_DEVICE is cuda:77, .* finds only .*cpu"):
        choose("cuda:77")
    with pytest.raises(CheckpointError, match="HEADLIGHT_DEVICE is cuda:77"):
        check_device(Settings(device="cuda:77"))  # when the server starts


def test_auto_takes_the_first_device_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose("auto").device.type in ("cpu", "cuda", "mps")
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert str(choose("auto").device) == str(choose("cuda").device) == "cuda:0"
    assert str(choose("cuda:1").device) == "cuda:1"


@pytest.mark.parametrize(("ratio", "dtype"), [(2.0, torch.bfloat16), (1.1, torch.float32)])
def test_auto_takes_the_quicker_numbers(
    monkeypatch: pytest.MonkeyPatch, ratio: float, dtype: torch.dtype
) -> None:
    assert choose("cpu", "auto").dtype in (torch.float32, torch.bfloat16)
    taken = {torch.float32: ratio, torch.bfloat16: 1.0}
    monkeypatch.setattr(device, "_product_s", taken.__getitem__)
    device._quickest.cache_clear()
    assert choose("cpu", "auto").dtype == dtype
    device._quickest.cache_clear()


@pytest.mark.parametrize("wrong", ({"device": "gpu"}, {"device": "cuda:"}, {"dtype": "int8"}))
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"device|dtype"):
        Settings(**wrong)  # type: ignore[arg-type]
