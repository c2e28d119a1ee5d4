"""Messages about memory, disks, devices and processes that lose contact."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NOT_REPRODUCIBLE = Sentence(
    "A layer of this model has no reproducible implementation on this device.",
    "Set Reproducible to off, or choose another model.",
)
MEMORY_RAN_OUT = Sentence(
    "Out of memory.", "Use smaller images (Resize, Center crop) or a smaller model."
)
MEMORY_RAN_OUT_WITH_BATCH = Sentence(
    "Out of memory with a batch size of {batch:,}.",
    "Set Batch size to {smaller:,}. If that is not enough, use smaller images.",
)
NO_DISK_SPACE = Sentence(
    "The disk is full.", "Free disk space (`designer gc`, or delete old runs), then run again."
)
SHARED_GPU = Sentence(
    "{processes} processes would share {gpus} GPU, so they run on the CPU.",
    "Set the node count or the process count so that each process has its own GPU.",
)
LOST_PROCESS = Sentence(
    "Process {rank} of {processes} lost contact with the others: one of them ended, or took longer "
    "than five minutes.",
    "Check the driver logs of the other processes for the first error, then run again.",
)
FP16_NEEDS_GPU = Sentence(
    "Precision fp16 needs a GPU. This training uses fp32.", "Choose auto or bf16."
)

name_sentences(globals())
