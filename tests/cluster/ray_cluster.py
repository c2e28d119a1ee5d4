"""Ray on simulated machines: its head on theirs, without CPUs, and a node on each worker.

Ray listens on every interface there is; here those of its machine alone. It comes from an
environment of its own, as on a cluster: ``make .venv-ray/.installed``.
"""

from __future__ import annotations

import secrets
import threading
from contextlib import suppress
from pathlib import Path

from tests.cluster.machines import HEAD, PATH, Machines

BIN = Path(__file__).resolve().parents[2] / ".venv-ray" / "bin"
CORES = 2
PORT, DASHBOARD = 6379, 8265
START_SECONDS = 240.0
PORTS = {
    "metrics_agent": 52366,
    "dashboard_agent_listen": 52365,
    "runtime_env_agent": 52367,
    "metrics_export": 52368,
}
OPTIONS = (
    *("--block", "--disable-usage-stats", "--object-store-memory", "80000000"),
    *("--include-log-monitor", "false"),  # drivers here ask for no logs of their actors
    *("--dashboard-agent-grpc-port", PORTS["metrics_agent"]),
    *("--dashboard-agent-listen-port", PORTS["dashboard_agent_listen"]),
    *("--runtime-env-agent-port", PORTS["runtime_env_agent"]),
    *("--metrics-export-port", PORTS["metrics_export"]),
)
SPARING = {
    "RAY_prestart_worker_first_driver": "0",
    "REPORTER_UPDATE_INTERVAL_MS": "60000",
    "METRICS_RECORD_INTERVAL_S": "60",
}
"""What nobody asks for is not started, and measured more rarely: two cores are all there are."""
HEAD_OPTIONS = (
    *("--head", f"--port={PORT}", "--dashboard-host=0.0.0.0", "--num-cpus=0"),
    "--no-monitor",  # nothing scales here
)
START = """\
import sys
from ray._private import node, services
from ray.scripts.scripts import main
start = services.start_ray_process
def start_what_is_asked(command, *more, **facts):
    if any(word.endswith("dashboard.py") for word in command):
        command = [*command, "--modules-to-load=JobHead,NodeHead,StateHead"]
    return start(command, *more, **facts)
services.start_ray_process = start_what_is_asked
node.Node.start_ray_client_server = lambda self: None
main()
"""
"""``ray start`` whose dashboard has the Jobs API and the state API: the other parts of it are a
process each. Nor does it serve Ray's own client."""

NODES = "/api/v0/nodes?limit=100"
ASK = """\
import sys, urllib.request
request = urllib.request.Request(sys.argv[1])
request.add_header("Authorization", "Bearer " + open(sys.argv[2]).read())
def answer():
    return urllib.request.urlopen(request, timeout=30).read().decode()
"""
SAY = "print(answer())"
UNTIL_ALIVE = """\
import json, time
deadline, why = time.monotonic() + float(sys.argv[4]), ""
while time.monotonic() < deadline:
    try:
        rows = json.loads(answer())["data"]["result"]["result"]
        if sum(row["state"] == "ALIVE" for row in rows) == int(sys.argv[3]):
            sys.exit()
    except (OSError, ValueError, LookupError, TypeError) as error:
        why = error
    time.sleep(0.3)
sys.exit(str(why))
"""


class RayCluster:
    """Its files lie in the machines' folder, those of each machine behind the usual /tmp/ray."""

    def __init__(self, machines: Machines, temporary: Path | None = None) -> None:
        """``temporary`` is where its processes put files that need not last; None where all do."""
        self._machines = machines
        # Ray would put its own files there too, those of all machines in one folder
        own = {"TMPDIR": temporary, "RAY_TMPDIR": "/tmp"}
        self._temporary = {} if temporary is None else own
        self._folder = machines.folder / "ray"
        self.token_file = machines.folder / "ray-token"
        self.address = f"http://{machines.address(HEAD)}:{DASHBOARD}"
        self._closed = threading.Event()

    def start(self) -> None:
        self._folder.mkdir()
        self.token_file.touch(0o600)
        self.token_file.write_text(secrets.token_hex(32))
        threading.Thread(target=self._tell_ports, daemon=True).start()
        self.start_node(HEAD)  # alone: the others do not look for it for as long as it may take
        self._wait_for_nodes(1)
        for name in self._machines.workers:
            self.start_node(name)
        self._wait_for_nodes(1 + len(self._machines.workers))

    def start_node(self, name: str) -> None:
        own = self._folder / name
        own.mkdir(exist_ok=True)
        self._machines.on(name, "sh", "-c", f"mkdir -p /tmp/ray && mount --bind {own} /tmp/ray")
        head, address = self._machines.address(HEAD), self._machines.address(name)
        role = HEAD_OPTIONS if name == HEAD else (f"--address={head}:{PORT}", f"--num-cpus={CORES}")
        words = ("python", "-c", START, "start", *role, f"--node-ip-address={address}", *OPTIONS)
        self._machines.serve(name, "env", *self._variables(), *words, log=f"ray-{name}")

    def kill_head(self) -> None:
        for pid, command in self._machines.commands(HEAD):
            if "gcs_server" in command:
                self._machines.kill(HEAD, pid)

    def close(self) -> None:
        self._closed.set()

    def _variables(self) -> list[str]:
        given = {
            "PATH": f"{BIN}:{PATH}",
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN_PATH": self.token_file,
            "RAY_DEDUP_LOGS": "0",
            "RAY_raylet_start_wait_time_s": "150",
            "RAY_gcs_rpc_server_reconnect_timeout_s": "10",
            "RAY_worker_niceness": "0",  # else what it starts comes after all else on these cores
            **SPARING,
            **self._temporary,
        }
        return [f"{name}={value}" for name, value in given.items()]

    def jobs(self) -> str:
        """What the dashboard tells of all jobs, asked from the head."""
        asked = (HEAD, "python3", "-c", ASK + SAY, f"{self.address}/api/jobs/", self.token_file)
        told = self._machines.on(*asked).stdout
        assert "submission_id" in told
        return told

    def _wait_for_nodes(self, count: int) -> None:
        """Until so many are alive; asked by one process, for Python starts slowly beside others."""
        address, seconds = f"{self.address}{NODES}", START_SECONDS + 60
        asked = (HEAD, "python3", "-c", ASK + UNTIL_ALIVE, address, self.token_file)
        done = self._machines.on(*asked, count, START_SECONDS, check=False, seconds=seconds)
        assert done.returncode == 0, f"waited for {count} nodes of Ray in vain: {done.stderr}"

    def _tell_ports(self) -> None:
        """Write the files in which raylets look for the ports of their Python helpers.

        They wait 15 seconds for them, come what may (ray-project/ray#65983), which is too short
        where all machines share two cores.
        """
        told = set[str]()
        while len(told) <= len(self._machines.workers) and not self._closed.wait(0.2):
            for path in Path("/proc").glob("[0-9]*/cmdline"):
                with suppress(OSError):
                    words = path.read_bytes().decode(errors="replace").split("\0")
                    if words[0].endswith("/raylet"):
                        self._tell_ports_of(words, told)

    def _tell_ports_of(self, words: list[str], told: set[str]) -> None:
        facts = dict(each[2:].split("=", 1) for each in words if each[:2] == "--" and "=" in each)
        node, address = facts.get("node_id", ""), facts.get("node_ip_address", "")
        names = {self._machines.address(each): each for each in (HEAD, *self._machines.workers)}
        if node in told or address not in names or "session_dir" not in facts:
            return
        session = self._folder / names[address] / Path(facts["session_dir"]).name
        for kind, port in PORTS.items():
            whole = session / f"{kind}-{node}.new"
            whole.write_text(str(port))
            # at once: a raylet that reads an empty one ends
            whole.replace(session / f"{kind}_port_{node}")
        told.add(node)
