"""What can be set of a target, and what the engine is asked for because of it."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipelines.errors import RefusedError
from pipelines.targets.kinds import all_kinds, target_kind
from pipelines.targets.slurm.settings import SlurmSettings
from pipelines.targets.ssh.settings import SshSettings
from tests.pipelines.targets.conftest import SPEC

KINDS = [kind.name for kind in all_kinds()]
PODS = {"image": "designer:1", "claim": "workspace"}
NEEDED: dict[str, dict[str, Any]] = {
    "ssh": {"hosts": "m1"},
    "ray": {"address": "http://m0:8265"},
    "kubernetes": PODS,
}


@pytest.mark.parametrize(
    ("kind", "settings", "word"),
    [
        ("local", {"simulated_nodes": "65"}, "64"),
        ("local", {"partition": "gpu"}, "partition"),
        ("slurm", {"max_nodes": "0"}, "max_nodes"),
        ("slurm", {"partition": "a b"}, "partition"),
        ("slurm", {"partition": "--wrap=rm"}, "partition"),
        ("slurm", {"extra": "--output=/etc/x"}, "--output"),
        ("slurm", {"extra": "echo"}, "'echo' is not an option"),
        ("slurm", {"python": "--wrap=rm"}, "leading -"),
        ("ssh", {"hosts": "m1", "python": "-c"}, "leading -"),
        ("ray", {"address": "http://m0:8265", "python": "py\0thon"}, "line breaks"),
        ("kubernetes", {**PODS, "python": ""}, "name of a program"),
        ("slurm", {"time_limit": "soon"}, "minutes"),
        ("slurm", {"price_per_hour": "-1"}, "price_per_hour"),
        ("slurm", {"price_per_hour": "nan"}, "price_per_hour"),
        ("ssh", {"hosts": "m1", "tier": "spot"}, "preemptible"),
        ("slurm", {"no_such": "1"}, "account"),
        ("ray", {}, "address"),
        ("ray", {"address": "ray://m0:10001"}, "dashboard"),
        ("ray", {"address": "http://ada:word@m0:8265"}, "dashboard"),
        ("ray", {"address": "http://m0:8265/?token=x"}, "dashboard"),
        ("ray", {"address": "http://m0:99999"}, "dashboard"),
        ("ray", {"address": "http://m0:8265", "gpus_per_process": "-1"}, "gpus_per_process"),
        (
            "ray",
            {"address": "http://m0:8265", "gpus_per_process": "1", "keep_warm": "5"},
            "without GPUs",
        ),
        ("ssh", {}, "hosts"),
        ("ssh", {"hosts": "m1, -oProxyCommand=sh"}, "ProxyCommand"),
        ("ssh", {"hosts": "m1 m1"}, "once"),
        ("ssh", {"hosts": "m1", "user": "-l root"}, "user"),
        ("kubernetes", {"claim": "workspace"}, "image"),
        ("kubernetes", {**PODS, "image": "--privileged"}, "image"),
        ("kubernetes", {**PODS, "namespace": "a/../b"}, "namespace"),
        ("kubernetes", {**PODS, "memory": "much"}, "memory"),
        ("kubernetes", {**PODS, "user": "0"}, "user"),
        ("kubernetes", {**PODS, "node_selector": "gpu"}, "label=value"),
        ("kubernetes", {**PODS, "shared_folder": "here"}, "absolute path"),
        ("kubernetes", {**PODS, "token": "x"}, "kubeconfig"),
        ("nomad", {}, "kubernetes"),
    ],
)
def test_what_cannot_be_set_is_refused_with_what_can(
    kind: str, settings: dict[str, Any], word: str
) -> None:
    with pytest.raises(RefusedError) as refused:
        target_kind(kind).settings_type.parse(settings)
    assert word in str(refused.value)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_settings_that_need_not_be_given(kind: str) -> None:
    offer = target_kind(kind).settings_type.parse(NEEDED.get(kind, {})).offer("here")
    assert (offer.name, offer.kind, offer.max_nodes) == ("here", kind, 1)


@pytest.mark.parametrize(
    ("gres", "gpus"), [("gpu:4", 4), ("gpu", 1), ("gpu:a100:2", 2), ("craynetwork:1", 0)]
)
def test_gpus_are_read_from_gres(gres: str, gpus: int) -> None:
    offer = SlurmSettings.parse({"gres": gres}).offer("gpu")
    assert (offer.gpus, offer.processes_per_node) == (gpus, gpus or 1)


def test_a_step_is_handed_over_by_words_and_not_by_a_shell() -> None:
    settings = SlurmSettings.parse(
        {"partition": "gpu", "time_limit": "60", "extra": "--constraint='a100 x'"}
    )
    command = settings.step_command("designer-name", SPEC)
    asked = dict(item[2:].partition("=")[::2] for item in command if item.startswith("--"))
    assert asked["job-name"] == "designer-name"
    assert (asked["nodes"], asked["ntasks"], asked["ntasks-per-node"]) == ("3", "3", "1")
    assert asked["cpus-per-task"] == "8"
    assert (asked["time"], asked["partition"], asked["constraint"]) == ("60", "gpu", "a100 x")
    assert str(SPEC.spec_path) in command
    assert "--no-requeue" in command
    assert shlex.join(command).count("touch x") == 2  # the log and the path, each within a word


def test_a_steps_own_limit_ends_it_before_slurm_does() -> None:
    limited = replace(SPEC, time_limit_minutes=30.5)
    command = SlurmSettings.parse({"time_limit": "60"}).step_command("name", limited)
    assert "--time=33" in command


def test_the_jobs_script_is_part_of_the_package() -> None:
    command = SlurmSettings.parse({}).step_command("name", SPEC)
    script = next(Path(item) for item in command if item.endswith(".sh"))
    assert "srun" in script.read_text()


@pytest.mark.parametrize("text", ["m1, m2", "m1,m2", " m1 m2 ,", "m1\nm2"])
def test_machines_are_read_as_people_write_lists(text: str) -> None:
    settings = SshSettings.parse({"hosts": text, "processes_per_node": "4"})
    assert settings.names == ("m1", "m2")
    assert settings.model_dump(mode="json", exclude_unset=True)["hosts"] == "m1, m2"
    offer = settings.offer("lab")
    assert (offer.max_nodes, offer.processes_per_node, offer.is_remote) == (2, 4, True)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_tier_and_a_price(kind: str) -> None:
    values = {**NEEDED.get(kind, {}), "price_per_hour": "2.5", "tier": "preemptible"}
    settings = target_kind(kind).settings_type.parse(values)
    offer = settings.with_terms(settings.offer("here"))
    assert (offer.price_of(4), offer.is_preemptible) == (10.0, True)
    plain = target_kind(kind).settings_type.parse(NEEDED.get(kind, {}))
    offer = plain.with_terms(plain.offer("here"))
    assert (offer.price_of(4), offer.is_preemptible) == (None, False)
