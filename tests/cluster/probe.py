"""A user's module whose ranks meet, train a little by hand, and tell what they see."""

from __future__ import annotations

import hashlib
import os
import platform
import time
from pathlib import Path
from typing import Self

from modules import Artifact, Context, Field, Parameters, module, read_json, write_json


class Sightings(Artifact):
    """``<rank>.json``: what each rank has seen."""

    colour = "green"

    @classmethod
    def write(cls, folder: Path, rank: int, content: dict[str, object]) -> Self:
        write_json(folder / f"{rank}.json", content)
        return cls(folder)

    @property
    def ranks(self) -> list[dict[str, object]]:
        found = sorted(self.path.glob("[0-9]*.json"), key=lambda each: int(each.stem))
        return [dict(read_json(each)) for each in found]


class ProbeParameters(Parameters):
    epochs: int = Field(3, ge=1, le=1000, title="Epochs", description="How many.")
    seconds: float = Field(0.05, ge=0, title="Seconds", description="How long each takes.")
    crash: int = Field(-1, ge=-1, title="Crash", description="The rank that raises.")


@module(
    title="Probe",
    category="Cluster",
    summary="Ranks meet and train.",
    icon="hash",
    libraries=("torch",),
    distributed=True,
)
def probe(parameters: ProbeParameters, context: Context) -> Sightings:
    """Ranks average their gradients; each epoch is kept, and gone on from."""
    import torch

    from modules.compute.distributed import process_group

    folder = context.checkpoint_dir
    assert folder is not None
    torch.manual_seed(7)
    weights = torch.randn(64, 64)
    kept = folder / "epoch.pt"
    begun = 0
    with process_group(context) as group:
        if kept.exists():
            begun, weights = torch.load(kept)
        for epoch in range(begun, parameters.epochs):
            torch.manual_seed(1000 * epoch + context.rank)
            weights -= 0.01 * group.sum(torch.randn(64, 64))
            if parameters.crash == context.rank and epoch == 1:
                raise ValueError("asked to crash")
            time.sleep(parameters.seconds)
            if group.is_first:
                folder.mkdir(exist_ok=True)
                torch.save((epoch + 1, weights), kept.with_suffix(".new"))
                os.replace(kept.with_suffix(".new"), kept)
                context.metric("Norm", float(weights.norm()), epoch)
                context.progress(epoch + 1, parameters.epochs, "epochs")
            group.barrier()
        digest = hashlib.sha256(weights.numpy().tobytes()).hexdigest()
        seen = {
            "rank": context.rank,
            "host": platform.node(),
            "begun": begun,
            "weights": digest,
            "meets_at": os.environ.get("MASTER_ADDR"),
            "interface": os.environ.get("GLOO_SOCKET_IFNAME"),
        }
    time.sleep(0.3 * context.rank)  # each writes when those before it have returned
    return Sightings.write(context.new_folder(), context.rank, seen)


class PulseParameters(Parameters):
    epochs: int = Field(3, ge=1, le=1000, title="Epochs", description="How many.")
    seconds: float = Field(0.05, ge=0, title="Seconds", description="How long each takes.")
    until: str = Field("", title="Until", description="A file: once it is there, none follows.")
    crash: int = Field(-1, ge=-1, title="Crash", description="The rank that raises.")


@module(
    title="Pulse",
    category="Cluster",
    summary="Ranks that only say that they live.",
    icon="hash",
    distributed=True,
)
def pulse(parameters: PulseParameters, context: Context) -> Sightings:
    """No torch: what is looked at is how they begin and end, and what they have made and kept."""
    folder = context.checkpoint_dir
    assert folder is not None
    kept = folder / f"epoch-{context.rank}.json"
    begun = int(str(read_json(kept)["done"])) if kept.exists() else 0
    seen: dict[str, object] = {"rank": context.rank, "begun": begun}
    made = Sightings.write(context.new_folder(), context.rank, seen)
    for epoch in range(begun, parameters.epochs):
        if parameters.crash == context.rank and epoch == 1:
            raise ValueError("asked to crash")
        time.sleep(parameters.seconds)
        folder.mkdir(exist_ok=True)
        write_json(kept.with_suffix(".new"), {"done": epoch + 1})
        os.replace(kept.with_suffix(".new"), kept)
        if context.rank == 0:
            context.metric("Epoch", epoch, epoch)
            context.progress(epoch + 1, parameters.epochs, "epochs")
        if parameters.until and Path(parameters.until).exists():
            break
    assert read_json(made.path / f"{context.rank}.json") == seen
    return made
