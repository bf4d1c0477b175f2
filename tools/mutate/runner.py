"""Finds out which tests reach which mutants, and whether a test fails for each mutant.

A trace runs every test executable once with inactive mutants and records which ones each test reaches. Then only those tests run
for each mutant, ordered by their likelihood of failing per time, until one fails or the budget is spent. A test that crashes or does
not end counts as failed.
"""

import collections
import concurrent.futures
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile

FIRST_CHUNK, CHUNK = 1500, 8000  # milliseconds of tests in one process


def is_stopped(pid):
    """Whether the process waits for a SIGCONT."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("T")
    except OSError:
        return False


def wait(process, seconds, poll=2):
    """The exit status. The time in which the process or this one is stopped, as for a measurement, does not count: a test that
    waits for nothing would look like one that does not end."""
    waited = 0
    while True:
        try:
            return process.wait(timeout=min(poll, seconds - waited))
        except subprocess.TimeoutExpired:
            waited += 0 if is_stopped(process.pid) else poll
            if waited >= seconds:
                raise


class Runner:
    def __init__(self, scratch, folder, budget, say, checked=()):
        self.scratch, self.folder, self.budget, self.say, self.checked = scratch, pathlib.Path(folder), budget, say, checked
        self.tests = []  # (executable, test, milliseconds, set of mutants)
        self.kills = collections.Counter()  # (test, file name, or None for all files)

    def run(self, executable, arguments, environment, seconds, place):
        """The exit status of a test executable (0 if it passes), and the test that failed, or else the last one that it started."""
        place = self.folder / "run" / place
        place.mkdir(parents=True, exist_ok=True)

        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        env = {**os.environ, **environment, "FLUORITE_SOURCE_DIR": str(self.scratch.tree)}
        if executable in self.checked:
            env["FLUORITE_JIT_TARGET"] = "host-checked"
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(["nice", "-n", "5", str(self.scratch.build_folder / executable), *arguments], cwd=place, env=env,
                                       stdout=output, stderr=subprocess.DEVNULL, preexec_fn=limit, start_new_session=True)
            try:
                status = wait(process, 60 + 5 * seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                status = "does not end"
            output.seek(0)
            text = output.read()
            # After a failure, the tests that are skipped are named as started, too.
            failed = re.search(rb"^\[  FAILED  \] (\S+?),? ", text, re.MULTILINE)
            started = re.findall(rb"^\[ RUN      \] (\S+)", text, re.MULTILINE)
            return status, failed[1].decode() if failed else started[-1].decode() if started else "no test"

    def trace(self, executables, jobs):
        """Fills in the tests. A trace stays valid until the executable or the library is rebuilt."""
        def one(executable):
            log, done = self.folder / f"{executable}.trace", self.folder / f"{executable}.traced"
            built = [self.scratch.build_folder / executable, *self.scratch.build_folder.glob("libfluorite.so*")]
            if not done.is_file() or any(path.stat().st_mtime > done.stat().st_mtime for path in built if path.is_file()):
                log.unlink(missing_ok=True)
                self.run(executable, [], {"FLUORITE_MUTANT": "-1", "FLUORITE_MUTANT_LOG": str(log)}, 1200, executable)
                done.touch()
            return executable, log.read_text().splitlines() if log.is_file() else []

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for executable, lines in pool.map(one, executables):
                failed = 0
                for line in lines:
                    test, milliseconds, passed, reached = line.split("\t")
                    failed += passed != "1"
                    if passed == "1":
                        self.tests.append((executable, test, int(milliseconds), {int(id) for id in reached.split()}))
                self.say(f"traced {executable}: {len(lines)} tests" + (f", {failed} do not pass and are left out" if failed else ""))

    def likelihood(self, mutant, executable, test, reached):
        """The relative likelihood that a test kills a mutant: higher if it killed mutants of the same file, is named after it, or
        reaches few others."""
        path = pathlib.PurePath(mutant.file)
        words = [word for word in re.split(r"_|directive", path.stem) if len(word) > 3]
        named = sum(word in test.lower() for word in words)
        kills = self.kills[test, path.name], self.kills[test, None]
        return (1 + 20 * kills[0] + 3 * kills[1] + 4 * named) / (5 + len(reached)) ** 0.5

    def is_near(self, mutant, executable):
        """Whether the executable contains the unit tests of the mutant's module; src/<module> may have subfolders."""
        parts = pathlib.PurePath(mutant.file).parts[1:-1]
        return executable in {f"fluorite_{'_'.join(parts[:n])}_tests" for n in range(1, len(parts) + 1)}

    def chunks(self, mutant):
        """(milliseconds, executable, tests) for the tests that reach the mutant: first those of its module, then by expected time to
        a kill; tests of one executable that are close in this order share a process."""
        order = []
        for executable, test, milliseconds, reached in self.tests:
            if mutant.id in reached:
                value = self.likelihood(mutant, executable, test, reached) / (20 + milliseconds)
                order.append((not self.is_near(mutant, executable), -value, executable, test, milliseconds))
        made, open_chunks, cost, limit = [], {}, 0, FIRST_CHUNK
        for _, _, executable, test, milliseconds in sorted(order):
            if cost and cost + milliseconds > limit:
                made += open_chunks.values()
                open_chunks, cost, limit = {}, 0, CHUNK
            chunk = open_chunks.setdefault(executable, [0, executable, []])
            chunk[0] += milliseconds
            chunk[2].append(test)
            cost += milliseconds
        return [tuple(chunk) for chunk in [*made, *open_chunks.values()]]

    def judge(self, mutant, place, budget):
        """The verdict on a mutant: (status, what killed it or why it survived)."""
        chunks = self.chunks(mutant)
        if not chunks:
            return "not reached", ""
        spent = count = 0
        for cost, executable, tests in chunks:
            if spent and spent + cost > budget * 1000:
                return "survived", f"{count} tests of {sum(len(c[2]) for c in chunks)} that reach it were run"
            status, last = self.run(executable, ["--gtest_filter=" + ":".join(tests), "--gtest_fail_fast"],
                                    {"FLUORITE_MUTANT": str(mutant.id)}, 10 + cost // 150, place)
            if status != 0:
                self.note_kill(last, mutant.file)
                return "killed", f"{executable} {last}" + ("" if status == 1 else f", ends with {status}")
            spent += cost
            count += len(tests)
        return "survived", f"all {count} tests that reach it pass"

    def note_kill(self, test, file):
        self.kills[test, pathlib.PurePath(file).name] += 1
        self.kills[test, None] += 1
