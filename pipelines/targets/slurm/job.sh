#!/bin/sh
# One agent a node; the first to fail ends the others, and its code is the job's.
# Since 22.05 srun has to be told again how many cores a task was given.
exec srun --kill-on-bad-exit=1 --export=ALL --cpus-per-task="${SLURM_CPUS_PER_TASK:-1}" "$@"
