"""Admission of steps, which share the cores, GPUs and memory of a machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Protocol

from pipelines.document.target_offer import TargetOffer
from pipelines.execution.plan import Step
from pipelines.targets.base import Target

MAX_JOBS = 100
"""Number of steps submitted at once to an engine with a queue."""
LIGHT_STEP_BYTES = 256 * 2**20
RANK_BYTES = 3 * 2**29
"""Memory of a process with torch without model and images: 1.5 GiB."""


@dataclass(frozen=True)
class Need:
    """Resources that one step occupies while it runs."""

    cores: int
    gpus: int
    memory_bytes: int
    is_light: bool
    shares: bool = False
    """It computes on the cores that are available at the time, at least one per process."""
    gpu_share: Fraction = Fraction(1)
    """Share that it occupies of each of its GPUs, exact so that three thirds fill one."""

    @classmethod
    def of(cls, step: Step, num_cores: int, num_gpus: int) -> Need:
        """Return the resources of a step.

        Steps that start processes, and those with a fixed number of threads, take every core that
        they will use; those that share cores take one per process; light ones share the rest.
        """
        ranks, requested_cores = step.world_size, step.settings.cores_per_process
        cores = min(num_cores, ranks * threads_of(step, num_cores))
        if is_light(step):
            return cls(cores if requested_cores else 1, 0, LIGHT_STEP_BYTES, True)
        gpus = min(ranks, num_gpus)
        shares = not (requested_cores or gpus) and step.module.shares_cores_with(step.parameters)
        if shares or (gpus and not requested_cores):
            cores = min(num_cores, ranks)
        share = Fraction(1, step.settings.steps_per_gpu or 1)
        return cls(cores, gpus, ranks * RANK_BYTES, False, shares, share)


class Room(Protocol):
    """Resources of a target that steps acquire and release."""

    num_cores: int
    gpus: tuple[str, ...]

    def take(self, owner: object, need: Need) -> tuple[str, ...] | None:
        """Acquire the resources of a step; return its GPUs, or None if it has to wait."""

    def hold(self, owner: object, need: Need, gpus: Sequence[str]) -> None:
        """Record the resources of a step that already runs on these GPUs."""

    def lacks(self, need: Need) -> str:
        """Return what a step waits for that could not acquire its resources."""

    def share_of(self, owner: object) -> int | None:
        """Return the cores for each process of a step that shares them, otherwise None."""

    def give_back(self, owner: object) -> None:
        """Release the resources of a step."""


@dataclass
class JobSlots:
    """Limit of the jobs at an engine, which manages its machines' resources itself."""

    num_cores: int = 0
    gpus: tuple[str, ...] = ()
    _taken: set[object] = field(default_factory=set)

    def take(self, owner: object, need: Need) -> tuple[str, ...] | None:  # noqa: ARG002
        """Acquire a place; return the engine's GPUs, or None if too many jobs are there."""
        if len(self._taken) >= MAX_JOBS:
            return None
        self._taken.add(owner)
        return ()

    def hold(self, owner: object, need: Need, gpus: Sequence[str]) -> None:  # noqa: ARG002
        """Record the place of a step that already runs."""
        self._taken.add(owner)

    def lacks(self, need: Need) -> str:  # noqa: ARG002
        """Return what a step waits for."""
        return "other jobs"

    def share_of(self, owner: object) -> int | None:  # noqa: ARG002
        """Return None: its nodes know their cores."""
        return None

    def give_back(self, owner: object) -> None:
        """Release the resources of a step."""
        self._taken.discard(owner)


@dataclass
class Rooms:
    """Resources of each target; all targets on this machine share its own."""

    machine: Slots
    targets: Mapping[str, Target]
    _remote: dict[str, JobSlots] = field(default_factory=dict)

    def of(self, target: str) -> Room:
        """Return the resources of a target by its name."""
        backend = self.targets.get(target)
        if backend is not None and backend.offer.is_remote:
            return self._remote.setdefault(target, JobSlots())
        return self.machine


@dataclass
class Slots:
    """Free resources of one machine."""

    num_cores: int
    gpus: tuple[str, ...]
    memory_bytes: int
    _taken: dict[object, tuple[Need, tuple[str, ...]]] = field(default_factory=dict)
    _reserved: set[str] = field(default_factory=set)
    """Shared GPUs that a step waits for, and that steps offered after it cannot use."""

    def start_round(self) -> None:
        """Clear reservations, before all waiting steps are offered resources, oldest first."""
        self._reserved.clear()

    def take(self, owner: object, need: Need) -> tuple[str, ...] | None:
        """Acquire the resources of a step; return its GPUs, or None if it has to wait.

        Light steps have separate slots, so that a long training does not block the small steps of
        other branches. A step that needs more than the machine has may run alone.
        """
        # Cores are shared among steps of one kind, memory and GPUs among all.
        alike = [other for other, _ in self._taken.values() if other.is_light == need.is_light]
        free_gpus = self._gpus_for(need)
        memory = self.memory_bytes - sum(other.memory_bytes for other, _ in self._taken.values())
        fits = (
            need.cores <= self.num_cores - sum(other.cores for other in alike)
            and need.gpus <= len(free_gpus)
            and need.memory_bytes <= memory
        )
        if not fits and alike:  # alone of its kind, any step starts, however large
            if need.gpus > len(free_gpus):
                self._reserve(need)
            return None
        chosen = tuple(free_gpus[: need.gpus])
        self._taken[owner] = (need, chosen)
        return chosen

    def hold(self, owner: object, need: Need, gpus: Sequence[str]) -> None:
        """Record the resources of a step that already runs on these GPUs."""
        self._taken[owner] = (need, tuple(gpus))

    def lacks(self, need: Need) -> str:
        """Return what a step waits for that could not acquire its resources."""
        if need.gpus > len(self._gpus_for(need)):
            return "GPUs"
        needs = [other for other, _ in self._taken.values()]
        cores = sum(other.cores for other in needs if other.is_light == need.is_light)
        return "cores" if need.cores > self.num_cores - cores else "memory"

    def share_of(self, owner: object) -> int | None:
        """Return the free cores, divided evenly among the steps that share them.

        The remainder is promised to all: the slower ones notice that it is taken.
        """
        need = self._taken[owner][0] if owner in self._taken else None
        if need is None or not need.shares:
            return None
        heavy = [other for other, _ in self._taken.values() if not other.is_light]
        sharing = sum(other.shares for other in heavy)
        free = self.num_cores - sum(other.cores for other in heavy if not other.shares)
        return max(1, -(-free // sharing) // need.cores)

    def give_back(self, owner: object) -> None:
        """Release the resources of a step."""
        self._taken.pop(owner, None)

    @property
    def is_training(self) -> bool:
        """Return True while a step with torch runs, which other work should yield to."""
        return any(not need.is_light for need, _ in self._taken.values())

    def _gpus_for(self, need: Need) -> list[str]:
        """Return the GPUs of which the step's share is free, in the order in which to use them.

        First those with equal shares, so that they fill up exactly, then the fullest: empty ones
        stay free for steps that take whole GPUs.
        """
        shares = self._gpu_shares()
        free = [gpu for gpu in shares if sum(shares[gpu]) + need.gpu_share <= 1]
        return sorted(free, key=lambda gpu: (need.gpu_share not in shares[gpu], -sum(shares[gpu])))

    def _reserve(self, need: Need) -> None:
        """Reserve the emptiest shared GPUs, so that no sequence of small steps blocks a large one.

        GPUs that a step has taken whole are not waited for: others would be idle for long.
        """
        shares = self._gpu_shares()
        shared = [gpu for gpu in shares if 1 not in shares[gpu]]
        if len(shared) >= need.gpus:
            self._reserved.update(sorted(shared, key=lambda gpu: sum(shares[gpu]))[: need.gpus])

    def _gpu_shares(self) -> dict[str, list[Fraction]]:
        """Return the shares taken of each GPU that is not reserved."""
        return {
            gpu: [need.gpu_share for need, gpus in self._taken.values() if gpu in gpus]
            for gpu in self.gpus
            if gpu not in self._reserved
        }


def is_light(step: Step) -> bool:
    """Return True for a step that may run during a training."""
    return not (step.module.needs_torch or step.module.launches)


def placed(step: Step, offers: Mapping[str, TargetOffer]) -> Step:
    """Return the placed node: light steps stay on this machine unless they name a target."""
    offer = offers.get(step.target)
    if offer is not None and offer.is_remote and step.settings.target is None and is_light(step):
        return replace(step, target="local")
    return step


def threads_of(step: Step, num_cores: int) -> int:
    """Return the threads of each process: as requested, otherwise so that all fit the cores."""
    return step.settings.cores_per_process or threads_per_rank(step.world_size, num_cores)


def threads_per_rank(num_ranks: int, num_cores: int) -> int:
    """Return the number of threads so that ranks x threads fit the cores."""
    return max(1, num_cores // num_ranks)
