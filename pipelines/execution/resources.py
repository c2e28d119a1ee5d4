"""Who may start: steps share the cores, GPUs and memory of a machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from pipelines.execution.plan import Step
from pipelines.targets.base import Target
from pipelines.targets.offer import TargetOffer

MAX_JOBS = 100
"""So many steps are handed to an engine at once that has a queue of its own."""
LIGHT_STEP_BYTES = 256 * 2**20
RANK_BYTES = 3 * 2**29
"""What a process with torch takes beside its model, images apart: 1.5 GiB."""


@dataclass(frozen=True)
class Need:
    """What one step occupies while it runs."""

    cores: int
    gpus: int
    memory_bytes: int
    is_light: bool
    shares: bool = False
    """It computes on however many cores there are for it at the time, one for each process."""

    @classmethod
    def of(cls, step: Step, num_cores: int, num_gpus: int) -> Need:
        """Steps that start processes, and those with torch that hold their threads, take every core
        that these will use; those that share cores one for each process; light ones share the rest.
        """
        ranks, asked = step.world_size, step.settings.cores_per_process
        cores = min(num_cores, ranks * threads_of(step, num_cores))
        if is_light(step):
            return cls(cores if asked else 1, 0, LIGHT_STEP_BYTES, True)
        gpus = min(ranks, num_gpus)
        shares = not (asked or gpus) and step.module.shares_cores_with(step.parameters)
        if shares or (gpus and not asked):
            cores = min(num_cores, ranks)
        return cls(cores, gpus, ranks * RANK_BYTES, False, shares)


class Room(Protocol):
    """What steps of a target take and give back."""

    num_cores: int
    gpus: tuple[str, ...]

    def take(self, owner: object, need: Need) -> tuple[str, ...] | None:
        """Occupy what a step needs and give its GPUs; None when it has to wait."""

    def lacks(self, need: Need) -> str:
        """What a step waits for that could not take what it needs."""

    def share_of(self, owner: object) -> int | None:
        """Cores for each process of a step that shares them; None of one that does not."""

    def give_back(self, owner: object) -> None:
        """The step has ended."""


@dataclass
class JobSlots:
    """Room among the jobs of an engine, which knows itself what its nodes have free."""

    num_cores: int = 0
    gpus: tuple[str, ...] = ()
    _taken: set[object] = field(default_factory=set)

    def take(self, owner: object, need: Need) -> tuple[str, ...] | None:  # noqa: ARG002
        """A place, with whatever the engine gives; None where it has many jobs of this runner."""
        if len(self._taken) >= MAX_JOBS:
            return None
        self._taken.add(owner)
        return ()

    def lacks(self, need: Need) -> str:  # noqa: ARG002
        """What a step waits for."""
        return "other jobs"

    def share_of(self, owner: object) -> int | None:  # noqa: ARG002
        """Nothing: its nodes know how many they have."""
        return None

    def give_back(self, owner: object) -> None:
        """The step has ended."""
        self._taken.discard(owner)


@dataclass
class Rooms:
    """The room of each target: this machine's is shared by all that are this machine."""

    machine: Slots
    targets: Mapping[str, Target]
    _remote: dict[str, JobSlots] = field(default_factory=dict)

    def of(self, target: str) -> Room:
        """The room for steps of a target, by its name."""
        known = self.targets.get(target)
        if known is not None and known.offer.is_remote:
            return self._remote.setdefault(target, JobSlots())
        return self.machine


@dataclass
class Slots:
    """The free part of one machine."""

    num_cores: int
    gpus: tuple[str, ...]
    memory_bytes: int
    _taken: dict[object, tuple[Need, tuple[str, ...]]] = field(default_factory=dict)

    def take(self, owner: object, need: Need) -> tuple[str, ...] | None:
        """Occupy what a step needs and give its GPUs; None when it has to wait.

        Light steps have room of their own, so that a long training does not hold up the small
        steps of other branches. Whatever needs more than there is may run alone.
        """
        # Cores are shared among steps of one kind, memory and GPUs among all.
        alike = [each for each, _ in self._taken.values() if each.is_light == need.is_light]
        free_gpus = [each for each in self.gpus if each not in self._taken_gpus()]
        memory = self.memory_bytes - sum(each.memory_bytes for each, _ in self._taken.values())
        fits = (
            need.cores <= self.num_cores - sum(each.cores for each in alike)
            and need.gpus <= len(free_gpus)
            and need.memory_bytes <= memory
        )
        if not fits and alike:  # alone of its kind it starts, however large: else it never would
            return None
        chosen = tuple(free_gpus[: need.gpus])
        self._taken[owner] = (need, chosen)
        return chosen

    def lacks(self, need: Need) -> str:
        """What a step waits for that could not take what it needs."""
        if need.gpus > len(self.gpus) - len(set(self._taken_gpus())):
            return "GPUs"
        taken = [each for each, _ in self._taken.values()]
        cores = sum(each.cores for each in taken if each.is_light == need.is_light)
        return "cores" if need.cores > self.num_cores - cores else "memory"

    def share_of(self, owner: object) -> int | None:
        """Those that no other step holds, shared evenly among the steps that share them.

        What is left over is promised to all: whoever is slower to take it sees that it is taken.
        """
        need = self._taken[owner][0] if owner in self._taken else None
        if need is None or not need.shares:
            return None
        heavy = [each for each, _ in self._taken.values() if not each.is_light]
        sharing = sum(each.shares for each in heavy)
        free = self.num_cores - sum(each.cores for each in heavy if not each.shares)
        return max(1, -(-free // sharing) // need.cores)

    def give_back(self, owner: object) -> None:
        """The step has ended."""
        self._taken.pop(owner, None)

    @property
    def is_training(self) -> bool:
        """True while a step with torch runs: others should then step back."""
        return any(not need.is_light for need, _ in self._taken.values())

    def _taken_gpus(self) -> Iterable[str]:
        return {gpu for _, gpus in self._taken.values() for gpu in gpus}


def is_light(step: Step) -> bool:
    """True for a step that may run beside a training."""
    return not (step.module.needs_torch or step.module.launches)


def placed(step: Step, offers: Mapping[str, TargetOffer]) -> Step:
    """A light step stays on this machine, unless it was sent elsewhere by its own settings."""
    offer = offers.get(step.target)
    if offer is not None and offer.is_remote and step.settings.target is None and is_light(step):
        return replace(step, target="local")
    return step


def threads_of(step: Step, num_cores: int) -> int:
    """Threads of each of its processes: as many as asked for, else so that all stay within the
    cores."""
    return step.settings.cores_per_process or threads_per_rank(step.world_size, num_cores)


def threads_per_rank(num_ranks: int, num_cores: int) -> int:
    """Threads so that ranks x threads stay within the cores."""
    return max(1, num_cores // num_ranks)
