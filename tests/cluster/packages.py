"""Packages that scripts on the machines need, found as the user of these has set up pip."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.environments.definition import EnvironmentDefinition
from tests.cluster.conftest import Lab
from tests.cluster.machines import Machines
from tests.cluster.scripts import printed, script
from tests.pipelines.conftest import build
from tests.pipelines.environments.toy_index import offer_wheels

NAME = "small"
SUMS_WITH_PACKAGES = """\
import os, platform, sys
import tiny
import torch, torch.distributed as dist
dist.init_process_group("gloo")
total = torch.tensor([dist.get_rank() + 1.0])
dist.all_reduce(total)
met = platform.node(), int(total), os.environ["MASTER_ADDR"], os.getcwd()[-6:]
print(*met, tiny.version, sys.prefix, flush=True)
dist.destroy_process_group()
"""
"""Needs a package that the designer does not have, and its torch."""


def set_up_pip(around: Machines, folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Have pip find a folder of tiny wheels, and nothing else, on all machines and here."""
    wheels = offer_wheels(folder / "wheels", patch)
    home = folder / "home"
    settings = home / ".config" / "pip" / "pip.conf"
    settings.parent.mkdir(parents=True)
    settings.write_text(f"[global]\nno-index = true\nfind-links = {wheels}\n")
    told = {name: value for name, value in around.environment.items() if not _is_of_pip(name)}
    patch.setattr(around, "environment", {**told, "HOME": str(home)})


def _is_of_pip(name: str) -> bool:
    return name.startswith(("PIP_", "UV_", "XDG_"))


def keep_environment(lab: Lab) -> None:
    """The workspace has an environment with one package more; it is not built."""
    environments = lab.session.environments
    wanted = EnvironmentDefinition(requirements=("tiny",))
    environments.keep(NAME, environments.resolve(wanted))


def sums_in_the_environment(lab: Lab, target: str, machines: int) -> tuple[str, list[str]]:
    """Have ranks on so many machines sum their numbers there: each is where it should be; gives
    the run and the environments' folders."""
    own = script(SUMS_WITH_PACKAGES, "pytorch_process")
    own["run_settings"] |= {"target": target, "node_count": machines, "environment": NAME}
    run_id = lab.submit(build({}, {"probe": own}), "--allow-code")
    state = lab.finish(run_id)
    assert state.status == "completed", [each.problem for each in state.steps.values()]
    told = [each.split(maxsplit=5) for each in printed(lab, run_id, "probe")]
    hosts = [each[0] for each in told]
    assert sorted(hosts) == lab.machines.workers, "an engine may begin with any"
    total, meets_at = sum(range(1, machines + 1)), lab.machines.address(hosts[0])
    met = [[str(total), meets_at, f"node-{node}", "2.0"] for node in range(machines)]
    assert [each[1:5] for each in told] == met
    return run_id, [each[5] for each in told]
