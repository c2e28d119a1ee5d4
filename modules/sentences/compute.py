"""What is said of a machine that is too small, and of processes that lose each other."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NOT_REPRODUCIBLE = Sentence(
    "not_reproducible",
    "A layer of this model has no reproducible implementation on this device.",
    "Set Reproducible to off, or choose another model.",
)
MEMORY_RAN_OUT = Sentence(
    "memory_ran_out",
    "The memory ran out.",
    "Use smaller images (Resize, Center crop) or a smaller model.",
)
MEMORY_RAN_OUT_WITH_BATCH = Sentence(
    "memory_ran_out_with_batch",
    "The memory ran out with a batch size of {batch:,}.",
    "Set Batch size to {smaller:,}; where that is not enough, use smaller images.",
)
NO_DISK_SPACE = Sentence(
    "no_disk_space",
    "The disk is full.",
    "Free disk space (`designer gc`, or delete old runs), then run again.",
)
SHARED_GPU = Sentence(
    "shared_gpu",
    "{processes} processes would share {gpus} GPU: they run on the CPU.",
    "Set the node count or the process count so that each process has a GPU of its own.",
)
LOST_PROCESS = Sentence(
    "lost_process",
    "Process {rank} of {processes} waited for the others in vain: one of them ended, or needed "
    "more than five minutes.",
    "Look at the driver logs of the other processes for the first error, and run again.",
)
FP16_NEEDS_GPU = Sentence(
    "fp16_needs_gpu",
    "Precision fp16 needs a GPU; this runs in fp32.",
    "Choose auto or bf16.",
)
