"""Slurm on simulated machines: its controller on the head, a node on each worker, munge on all."""

from __future__ import annotations

import secrets

from tests.cluster.machines import HEAD, Machines, wait_for

COMMANDS = ("slurmctld", "slurmd", "munged", "sbatch", "srun")
CORES = 2


class SlurmCluster:
    """Its files lie in the machines' folder."""

    def __init__(self, machines: Machines) -> None:
        self._machines = machines
        self._folder = machines.folder / "slurm"

    def start(self) -> None:
        for name in ("controller", "spool", "munge"):
            (self._folder / name).mkdir(parents=True)
        key = self._folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        configuration = self._folder / "slurm.conf"
        configuration.write_text(self._configuration())
        self._machines.environment["SLURM_CONF"] = str(configuration)
        for name in (HEAD, *self._machines.workers):
            self._start_munge(name)
        self.start_controller()
        for name in self._machines.workers:
            self.start_node(name)
        wait_for(lambda: self.idle_nodes() == len(self._machines.workers), "Slurm's nodes")

    def start_controller(self) -> None:
        self._machines.serve(HEAD, "slurmctld", "-D", log="slurmctld")

    def stop_controller(self) -> None:
        """In order: it forgets a job that has only just begun where it is killed."""
        for pid in self._controllers():
            self._machines.on(HEAD, "kill", pid)
        wait_for(lambda: not self._controllers(), "the controller to end")

    def _controllers(self) -> list[int]:
        commands = self._machines.commands(HEAD)
        return [pid for pid, command in commands if command.startswith("slurmctld")]

    def start_node(self, name: str) -> None:
        self._machines.serve(name, "slurmd", "-D", "-N", name, log=f"slurmd-{name}")

    def boot_node(self, name: str) -> None:
        """Switch a machine on again that was off."""
        self._machines.boot(name)
        self._start_munge(name)
        self.start_node(name)
        wait_for(lambda: self.idle_nodes() == len(self._machines.workers), "the node to be back")

    def idle_nodes(self) -> int:
        said = self._machines.on(HEAD, "sinfo", "-h", "-N", "-o", "%T", check=False)
        return said.stdout.split().count("idle")

    def queue(self) -> list[str]:
        """The names of jobs that wait or run."""
        return self._machines.on(HEAD, "squeue", "-h", "-o", "%j").stdout.split()

    def _start_munge(self, name: str) -> None:
        """Behind the usual path of its socket, which is a folder of each machine's own."""
        own = self._folder / "munge" / name
        own.mkdir(exist_ok=True)
        for each in own.iterdir():
            each.unlink()
        script = f"mkdir -p /run/munge && mount --bind {own} /run/munge"
        self._machines.on(name, "sh", "-c", script)
        files = (f"--{each}-file={own}/{each}" for each in ("log", "pid", "seed"))
        key = f"--key-file={self._folder}/munge.key"
        self._machines.serve(
            name, "munged", "--foreground", "--force", key, *files, log=f"munge-{name}"
        )

    def _configuration(self) -> str:
        workers, folder = self._machines.workers, self._folder
        nodes = [
            f"NodeName={name} NodeAddr={self._machines.address(name)} CPUs={CORES} "
            "RealMemory=4000 State=UNKNOWN"
            for name in workers
        ]
        settings = {
            "ClusterName": "machines",
            "SlurmctldHost": f"{HEAD}({self._machines.address(HEAD)})",
            "SlurmUser": "root",
            "SlurmdUser": "root",
            "AuthType": "auth/munge",
            "CryptoType": "crypto/munge",
            "StateSaveLocation": folder / "controller",
            "SlurmdSpoolDir": f"{folder}/spool/%n",
            "SlurmctldPidFile": folder / "slurmctld.pid",
            "SlurmdPidFile": f"{folder}/slurmd-%n.pid",
            "ProctrackType": "proctrack/linuxproc",
            "TaskPlugin": "task/none",
            "SelectType": "select/cons_tres",
            "SelectTypeParameters": "CR_CPU",
            "SlurmdParameters": "config_overrides",
            "SchedulerParameters": "sched_interval=1,bf_interval=1",
            "SlurmdTimeout": 10,
            "SlurmctldTimeout": 10,
            "KillWait": 5,
            "MinJobAge": 300,
            "ReturnToService": 2,
            "MessageTimeout": 10,
            "InactiveLimit": 0,
            "AccountingStorageType": "accounting_storage/none",
            "JobCompType": "jobcomp/none",
            "SlurmctldDebug": "info",
            "SlurmdDebug": "info",
        }
        partition = f"PartitionName=main Nodes={','.join(workers)} Default=YES MaxTime=60 State=UP"
        lines = [f"{name}={value}" for name, value in settings.items()]
        return "\n".join([*lines, *nodes, partition, ""])
