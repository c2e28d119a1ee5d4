"""Options of sbatch that a target may add, and those that would get past the designer's own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from pipelines.errors import RefusedError
from pipelines.targets.slurm import options as slurm_options
from pipelines.targets.slurm.options import ALLOWED, REFUSED, SHORT, read_sbatch_options
from pipelines.targets.slurm.settings import SlurmSettings

SBATCH = shutil.which("sbatch")


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_options_of_the_designer_are_refused_in_every_form(name: str) -> None:
    letters = [letter for letter, long in SHORT.items() if long == name]
    texts = [f"--{name}", f"--{name}=x", f"--{name} x", f"'--{name}'", f"--exclusive\n--{name}=x"]
    for letter in letters:
        texts += [f"-{letter}", f"-{letter}x", f"-{letter} x", f"-H{letter}x", f"-{letter}=x"]
    for text in texts:
        with pytest.raises(RefusedError) as refused:
            SlurmSettings.parse({"extra": text})
        assert f"--{name}" in str(refused.value), text
        assert "cannot be set here: " in str(refused.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("--job-na x", "--job-na is abbreviated: write --job-name"),
        ("--job-na=x", "--job-na is abbreviated: write --job-name"),
        ("--no", "--no is abbreviated: write --no-kill or --no-requeue or --nodefile"),
        ("--const=a100", "write --constraint"),
        ("rm", "'rm' is not an option: write --name=value"),
        ("--exclusive rm", "'rm' is not an option"),
        ("--exclusive user", "'user' is not an option"),
        ("-- /bin/rm", "'--' is not an option"),
        ("-", "'-' is not an option"),
        (": --mem=1G", "':' is not an option"),
        ("--contiguous=1", "--contiguous takes no value"),
        ("--mem", "--mem needs a value"),
        ("-C", "-C needs a value"),
        ("--no-such-option=1", "'--no-such-option' is not an option of sbatch"),
        ("--=x", "'--' is not an option of sbatch"),
        ("-Z", "-Z is not an option of sbatch"),
        ("-é", "-é is not an option of sbatch"),
        ("--comment='a\nb'", "--comment contains a line break"),
        ("--comment=a\0b", "--comment contains a line break or control character"),
        ("--comment='a", "No closing quotation"),
    ],
)
def test_what_sbatch_would_read_in_another_way_is_refused(text: str, words: str) -> None:
    with pytest.raises(RefusedError) as refused:
        SlurmSettings.parse({"extra": text})
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("text", "handed_on"),
    [
        ("", []),
        ("--constraint=a100 --exclusive", ["--constraint=a100", "--exclusive"]),
        ("-C a100", ["--constraint=a100"]),
        ("-Ca100\n-x m1", ["--constraint=a100", "--exclude=m1"]),
        ("-sHwm[1-2]", ["--oversubscribe", "--hold", "--nodelist=m[1-2]"]),
        ("--comment --job-name", ["--comment=--job-name"]),
        ("--comment -Jx", ["--comment=-Jx"]),
        ("--comment=", ["--comment="]),
        ("--comment='two words'", ["--comment=two words"]),
        ("--nice=5 --propagate", ["--nice=5", "--propagate"]),
    ],
)
def test_options_have_one_form_whatever_their_first_one(text: str, handed_on: list[str]) -> None:
    assert SlurmSettings.parse({"extra": text}).sbatch_extra() == handed_on
    assert all(word.startswith("--") for word in handed_on)


def test_a_trial_leaves_out_what_only_sbatch_knows() -> None:
    settings = SlurmSettings.parse({"extra": "--ignore-pbs --mem=1G"})
    assert settings.sbatch_extra() == ["--ignore-pbs", "--mem=1G"]
    assert settings.srun_extra() == ["--mem=1G"]


@pytest.mark.skipif(SBATCH is None, reason="needs sbatch")
@pytest.mark.parametrize("letter", sorted(SHORT))
def test_sbatch_has_these_short_options(
    letter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "invalid option" not in _complaint(tmp_path, monkeypatch, f"-{letter}")


@pytest.mark.skipif(SBATCH is None, reason="needs sbatch")
@pytest.mark.parametrize("name", sorted(ALLOWED))
def test_sbatch_takes_values_where_we_hand_them_on(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "unrecognized" in _complaint(tmp_path, monkeypatch, f"--{name}"):
        pytest.skip("this version of sbatch does not know it")
    if name in slurm_options.FLAGS:
        assert "doesn't allow an argument" in _complaint(tmp_path, monkeypatch, f"--{name}=1")
    else:
        needs = "requires an argument" in _complaint(tmp_path, monkeypatch, f"--{name}")
        assert needs == (name in slurm_options.WITH_VALUE)
        assert [str(option) for option in read_sbatch_options(f"--{name}=1")] == [f"--{name}=1"]


def _complaint(folder: Path, monkeypatch: pytest.MonkeyPatch, option: str) -> str:
    """What sbatch says of an option: it has no script, and submits nothing."""
    configuration = folder / "slurm.conf"
    configuration.write_text(
        "ClusterName=none\nSlurmctldHost=localhost\nNodeName=n1\nPartitionName=p Nodes=n1\n"
    )
    monkeypatch.setenv("SLURM_CONF", str(configuration))
    assert SBATCH is not None
    done = subprocess.run(
        [SBATCH, option],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.stderr
