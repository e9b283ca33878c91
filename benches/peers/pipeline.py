"""What the drivers of the other frameworks share: the pinned replies, the tool, and how time and memory are measured.

A driver hands `measure` a coroutine function that runs one task and returns the last role's reply. The figures are
those of artoo's own driver, taken in the same way, and are printed as one JSON line.
"""

import asyncio
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

WARM_UPS = 20
BLOCKS = 5
BLOCK_TASKS = 40
BURSTS = 5
AT_ONCE = 100

ROLES = ("R2", "R3", "R4a", "R4b")
"""The last one puts the results of several subtasks together; a plan of one needs it not."""
ONE_STEP_ROLES = ROLES[:-1]
_replies = json.loads((pathlib.Path(__file__).parent.parent / "replies.json").read_text())
REPLIES = {role: json.dumps(_replies[role]) for role in ROLES}
"""What the model of each role answers, as JSON text."""
SYSTEM = {role: f"You are the role {role}. Answer with exactly one JSON object." for role in ROLES}
REQUEST = "Tell me what note.txt says."
NOTE = "forty-two\n"

folder = tempfile.TemporaryDirectory(prefix="artoo-bench-")
(pathlib.Path(folder.name) / "note.txt").write_text(NOTE)


def tool_arguments():
    """The arguments of the one tool call that R3 makes."""
    return _replies["R3"]["arguments"]


def plan_with(subtasks):
    """R2's reply for a plan of that many parallel subtasks, as JSON text."""
    plan = dict(_replies["R2"])
    plan["subtasks"] = plan["subtasks"] * subtasks
    return json.dumps(plan)


def read_file(path: str) -> str:
    """Read lines of a text file."""
    with open(os.path.join(folder.name, path), encoding="utf-8") as file:
        return file.read()


def check_end(reply):
    """Raises unless this is a reply that ends a task well."""
    if json.loads(reply) not in (_replies["R4a"], _replies["R4b"]):
        raise AssertionError(f"a task ended with {reply!r}")


def resident_mb():
    """Resident memory of this process."""
    kib = subprocess.run(["ps", "-o", "rss=", "-p", str(os.getpid())], capture_output=True, text=True, check=True)
    return round(int(kib.stdout) / 1024, 1)


def measure(system, version, mode, task, subtasks=1, bursts=True):
    """Runs the measurement and prints its line. `mode` says what is written where."""
    asyncio.run(_measure(system, version, mode, task, subtasks, bursts))


async def _measure(system, version, mode, task, subtasks, bursts):
    start_mb = resident_mb()
    for _ in range(WARM_UPS):
        check_end(await task())
    walls, cpus, blocks = [], [], []
    for _ in range(BLOCKS):
        block_start = time.process_time_ns()
        for _ in range(BLOCK_TASKS):
            wall, cpu = time.perf_counter_ns(), time.process_time_ns()
            reply = await task()
            cpus.append(time.process_time_ns() - cpu)
            walls.append(time.perf_counter_ns() - wall)
            check_end(reply)
        blocks.append((time.process_time_ns() - block_start) / BLOCK_TASKS)
    rates = []
    for _ in range(BURSTS if bursts else 0):
        wall = time.perf_counter_ns()
        replies = await asyncio.gather(*[task() for _ in range(AT_ONCE)])
        rates.append(AT_ONCE * 1e9 / (time.perf_counter_ns() - wall))
        for reply in replies:
            check_end(reply)
    line = {
        "system": system,
        "version": version,
        "mode": mode,
        "subtasks": subtasks,
        "tasks": BLOCKS * BLOCK_TASKS,
        "wall_ms": statistics.median(walls) / 1e6,
        "cpu_ms": statistics.median(cpus) / 1e6,
        "cpu_block_ms": statistics.median(blocks) / 1e6,
        "at_once_per_s": statistics.median(rates) if rates else None,
        "resident_start_mb": start_mb,
        "resident_end_mb": resident_mb(),
    }
    print(json.dumps(line), flush=True)
