"""Which tests reach which mutants, and whether one of them fails for each.

A trace, once: every test executable runs with its mutants asleep and says which ones each test reaches. Then for each mutant only
those tests run, cheap ones first, until one fails. A test that crashes or does not end has failed.
"""

import collections
import concurrent.futures
import os
import pathlib
import resource
import signal
import subprocess

FIRST_CHUNK, CHUNK = 1500, 8000  # milliseconds of tests in one process


class Runner:
    def __init__(self, scratch, folder, budget, say):
        self.scratch, self.folder, self.budget, self.say = scratch, pathlib.Path(folder), budget, say
        self.tests = []  # (executable, test, milliseconds, set of mutants)

    def run(self, executable, arguments, environment, seconds, place):
        """Exit status of a test executable: 0, or what it failed with."""
        place = self.folder / "run" / place
        place.mkdir(parents=True, exist_ok=True)

        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))
            resource.setrlimit(resource.RLIMIT_AS, (20 << 30, 20 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        env = {**os.environ, **environment, "FLUORITE_SOURCE_DIR": str(self.scratch.tree)}
        process = subprocess.Popen(["nice", "-n", "5", str(self.scratch.build_folder / executable), *arguments], cwd=place, env=env,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit, start_new_session=True)
        try:
            return process.wait(timeout=60 + 20 * seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return "does not end"

    def trace(self, executables, jobs):
        """Fills in the tests. What was traced stays valid until something is built again."""
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

    def chunks(self, mutant):
        """Lists of tests of one executable that reach the mutant: cheap ones first, then executables in turn."""
        by_executable = collections.defaultdict(list)
        for executable, test, milliseconds, reached in self.tests:
            if mutant.id in reached:
                by_executable[executable].append((milliseconds, len(reached), test))
        made = []
        for executable, tests in by_executable.items():
            chunk, cost, limit = [], 0, FIRST_CHUNK
            for milliseconds, _, test in sorted(tests):
                if chunk and cost + milliseconds > limit:
                    made.append((limit != FIRST_CHUNK, cost, executable, chunk))
                    chunk, cost, limit = [], 0, CHUNK
                chunk.append(test)
                cost += milliseconds
            made.append((limit != FIRST_CHUNK, cost, executable, chunk))
        return sorted(made, key=lambda c: (c[0], c[1]))

    def judge(self, mutant, place):
        """The verdict on a mutant: (status, what killed it or why it was not)."""
        chunks = self.chunks(mutant)
        if not chunks:
            return "not reached", ""
        spent = count = 0
        for _, cost, executable, tests in chunks:
            if spent and spent + cost > self.budget * 1000:
                return "survived", f"{count} tests of {sum(len(c[3]) for c in chunks)} that reach it were run"
            status = self.run(executable, ["--gtest_filter=" + ":".join(tests), "--gtest_fail_fast", "--gtest_brief=1"],
                              {"FLUORITE_MUTANT": str(mutant.id)}, 20 + cost // 100, place)
            if status != 0:
                how = "a test fails" if status == 1 else f"ends with {status}"
                return "killed", f"{executable} ({how}), {tests[0]}" + (f" or one of {len(tests) - 1} more" if len(tests) > 1 else "")
            spent += cost
            count += len(tests)
        return "survived", f"all {count} tests that reach it pass"
