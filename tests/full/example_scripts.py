"""Training scripts in the manner of each framework's own examples, on pictures made as they run.

Two shades are told apart: light pictures are of class 1, dark ones of class 0.
"""

from pipelines.environments.definition import EnvironmentDefinition

DEEPSPEED_ENVIRONMENT = EnvironmentDefinition(requirements=("deepspeed>=0.15",), allow_builds=True)
"""DeepSpeed comes without wheels: it is built when it is installed, which must be allowed."""

LIGHTNING = """
import lightning as L
import torch
from lightning.pytorch.cli import LightningCLI
from torch.utils.data import DataLoader, TensorDataset


class Shades(L.LightningDataModule):
    def __init__(self, batch_size: int = 8) -> None:
        super().__init__()
        self.batch_size = batch_size

    def loader(self, seed: int) -> DataLoader:
        generator = torch.Generator().manual_seed(seed)
        labels = torch.randint(0, 2, (64,), generator=generator)
        noise = torch.rand(64, 3, 8, 8, generator=generator)
        pictures = noise / 2 + labels[:, None, None, None] / 2 - 0.5
        return DataLoader(TensorDataset(pictures, labels), self.batch_size)

    def train_dataloader(self) -> DataLoader:
        return self.loader(1)

    def val_dataloader(self) -> DataLoader:
        return self.loader(2)


class Classifier(L.LightningModule):
    def __init__(self, width: int = 16, rate: float = 0.005) -> None:
        super().__init__()
        self.save_hyperparameters()
        layers = torch.nn.Flatten(), torch.nn.Linear(192, width), torch.nn.ReLU()
        self.network = torch.nn.Sequential(*layers, torch.nn.Linear(width, 2))

    def training_step(self, batch, _):
        loss = torch.nn.functional.cross_entropy(self.network(batch[0]), batch[1])
        self.log("train_loss", loss, sync_dist=True)
        return loss

    def validation_step(self, batch, _):
        right = (self.network(batch[0]).argmax(1) == batch[1]).float().mean()
        self.log("accuracy", right, sync_dist=True)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), self.hparams.rate)


if __name__ == "__main__":
    cli = LightningCLI(Classifier, Shades, seed_everything_default=1)
    print("world size", cli.trainer.world_size)
    if cli.trainer.is_global_zero:
        torch.save(cli.model.network.state_dict(), "outputs/model.pt")
"""
TRANSFORMERS = """
import numpy
import torch
from transformers import HfArgumentParser, Trainer, TrainingArguments
from transformers import ViTConfig, ViTForImageClassification, set_seed


class Shades(torch.utils.data.Dataset):
    def __init__(self, seed):
        generator = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, 2, (64,), generator=generator)
        noise = torch.rand(64, 3, 16, 16, generator=generator)
        self.pictures = noise / 2 + self.labels[:, None, None, None] / 2

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, place):
        return {"pixel_values": self.pictures[place], "labels": self.labels[place]}


def accuracy(prediction):
    right = prediction.predictions.argmax(1) == prediction.label_ids
    return {"accuracy": float(numpy.mean(right))}


def main():
    [arguments] = HfArgumentParser(TrainingArguments).parse_args_into_dataclasses()
    set_seed(arguments.seed)
    shape = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64)
    model = ViTForImageClassification(
        ViTConfig(image_size=16, patch_size=4, num_labels=2, **shape)
    )
    trainer = Trainer(
        model=model,
        args=arguments,
        train_dataset=Shades(1),
        eval_dataset=Shades(2),
        compute_metrics=accuracy,
    )
    trainer.train()
    print("accuracy", trainer.evaluate()["eval_accuracy"], "world size", arguments.world_size)
    if trainer.is_world_process_zero():
        torch.save(model.state_dict(), "outputs/model.pt")


if __name__ == "__main__":
    main()
"""
HOROVOD = """
import argparse

import torch
import horovod.torch as hvd

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--lr", type=float, default=0.05)
arguments = parser.parse_args()
hvd.init()
torch.manual_seed(1)
labels = torch.randint(0, 2, (64,))
pictures = torch.rand(64, 3, 8, 8) / 2 + labels[:, None, None, None] / 2
images = torch.utils.data.TensorDataset(pictures, labels)
sampler = torch.utils.data.distributed.DistributedSampler(images, hvd.size(), hvd.rank())
loader = torch.utils.data.DataLoader(images, 8, sampler=sampler)
torch.manual_seed(hvd.rank())
model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(192, 2))
optimizer = torch.optim.SGD(model.parameters(), arguments.lr * hvd.size(), momentum=0.5)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
hvd.broadcast_optimizer_state(optimizer, root_rank=0)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
for epoch in range(arguments.epochs):
    sampler.set_epoch(epoch)
    for batch, wanted in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(batch), wanted)
        loss.backward()
        optimizer.step()
    right = (model(pictures).argmax(1) == labels).float().mean()
    print(f"epoch={epoch} accuracy={hvd.allreduce(right, name='accuracy').item():.3f}")
print("world size", hvd.size())
if hvd.rank() == 0:
    torch.save(model.state_dict(), "outputs/model.pt")
"""
MPI = """
from mpi4py import MPI

world = MPI.COMM_WORLD
total = world.allreduce(world.rank + 1)
print("total", total, "world size", world.size)
if world.rank == 0:
    open("outputs/model.pt", "w").write(str(total))
"""
TENSORFLOW = """
import json
import os

import numpy
import tensorflow as tf

task = json.loads(os.environ["TF_CONFIG"])["task"]
strategy = tf.distribute.MultiWorkerMirroredStrategy()
numbers = numpy.random.default_rng(1)
labels = numbers.integers(0, 2, 64)
pictures = (numbers.random((64, 8, 8, 3)) / 2 + labels[:, None, None, None] / 2).astype("float32")
options = tf.data.Options()
options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
images = tf.data.Dataset.from_tensor_slices((pictures, labels)).batch(16).repeat()
images = strategy.experimental_distribute_dataset(images.with_options(options))
with strategy.scope():
    weights = tf.Variable(tf.zeros((192, 2)))
    bias = tf.Variable(tf.zeros(2))


@tf.function
def step(batch, wanted):
    def learn(batch, wanted):
        with tf.GradientTape() as tape:
            scores = tf.reshape(batch, (-1, 192)) @ weights + bias
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(wanted, scores)
            loss = tf.reduce_mean(losses)
        context = tf.distribute.get_replica_context()
        gradients = context.all_reduce("mean", tape.gradient(loss, [weights, bias]))
        for variable, gradient in zip([weights, bias], gradients):
            variable.assign_sub(0.1 * gradient)
        return loss

    losses = strategy.run(learn, args=(batch, wanted))
    return strategy.reduce("mean", losses, axis=None)


for number, (batch, wanted) in zip(range(12), images):
    print(f"step={number} loss={float(step(batch, wanted)):.4f}", flush=True)
print("world size", strategy.num_replicas_in_sync)
if task["index"] == 0:
    os.makedirs("outputs", exist_ok=True)
    numpy.savez("outputs/model.npz", weights=weights.numpy(), bias=bias.numpy())
"""
DEEPSPEED = """
import argparse

import deepspeed
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--local_rank", type=int, default=-1)
parser.add_argument("--epochs", type=int, default=4)
parser = deepspeed.add_config_arguments(parser)
arguments = parser.parse_args()
deepspeed.init_distributed(dist_backend="gloo")
torch.manual_seed(1)
labels = torch.randint(0, 2, (64,))
pictures = torch.rand(64, 3, 8, 8) / 2 + labels[:, None, None, None] / 2 - 0.5
network = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(192, 2))
model, _, loader, _ = deepspeed.initialize(
    args=arguments,
    model=network,
    optimizer=torch.optim.Adam(network.parameters(), lr=0.01),
    training_data=torch.utils.data.TensorDataset(pictures, labels),
    config={"train_batch_size": 16, "zero_optimization": {"stage": 1}},
)
for epoch in range(arguments.epochs):
    for batch, wanted in loader:
        loss = torch.nn.functional.cross_entropy(model(batch), wanted)
        model.backward(loss)
        model.step()
    right = (model(pictures).argmax(1) == labels).float().mean()
    print(f"epoch={epoch} accuracy={right.item():.3f}", flush=True)
print("world size", deepspeed.comm.get_world_size())
if deepspeed.comm.get_rank() == 0:
    torch.save(model.module.state_dict(), "outputs/model.pt")
deepspeed.comm.destroy_process_group()
"""
FSDP = """
import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo")
mesh = init_device_mesh("cpu", (dist.get_world_size(),))
torch.manual_seed(1)
labels = torch.randint(0, 2, (64,))
pictures = torch.rand(64, 3, 8, 8) / 2 + labels[:, None, None, None] / 2 - 0.5
network = torch.nn.Sequential(
    torch.nn.Flatten(), torch.nn.Linear(192, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2)
)
fully_shard(network[1], mesh=mesh)
fully_shard(network, mesh=mesh)
optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
own = slice(dist.get_rank(), None, dist.get_world_size())
for epoch in range(20):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(network(pictures[own]), labels[own]).backward()
    optimizer.step()
right = (network(pictures).argmax(1) == labels).float().mean()
print(f"accuracy={right.item():.3f}")
print("world size", dist.get_world_size())
whole = get_model_state_dict(network, options=StateDictOptions(full_state_dict=True))
if dist.get_rank() == 0:
    torch.save(whole, "outputs/model.pt")
dist.destroy_process_group()
"""
ACCELERATE = """
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed

accelerator = Accelerator(cpu=True)
set_seed(1)
labels = torch.randint(0, 2, (64,))
pictures = torch.rand(64, 3, 8, 8) / 2 + labels[:, None, None, None] / 2 - 0.5
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(pictures, labels), 8)
model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(192, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for epoch in range(4):
    for batch, wanted in loader:
        optimizer.zero_grad()
        accelerator.backward(torch.nn.functional.cross_entropy(model(batch), wanted))
        optimizer.step()
given, wanted = accelerator.gather_for_metrics((model(pictures).argmax(1), labels))
accelerator.print(f"accuracy={(given == wanted).float().mean().item():.3f}")
print("world size", accelerator.num_processes)
if accelerator.is_main_process:
    torch.save(accelerator.unwrap_model(model).state_dict(), "outputs/model.pt")
accelerator.end_training()
"""

KERAS = """
import json, os
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
numbers = np.random.default_rng(0)
labels = (np.arange(64) % 2).astype("int32")
pictures = numbers.random((64, 8, 8, 3)).astype("float32") / 2 + labels[:, None, None, None] / 2
data = tf.data.Dataset.from_tensor_slices((pictures, labels)).batch(16)
with strategy.scope():
    layers = [tf.keras.layers.Flatten(), tf.keras.layers.Dense(1, activation="sigmoid")]
    model = tf.keras.Sequential(layers)
    rate = tf.keras.optimizers.Adam(0.02)
    model.compile(rate, "binary_crossentropy", metrics=["accuracy"])
history = model.fit(data, epochs=20, verbose=0)
print("world size", strategy.num_replicas_in_sync)
print("accuracy=%.4f" % history.history["accuracy"][-1])
model.save("outputs/model.h5" if index == 0 else "other.h5")
"""
