#!/usr/bin/env python3
"""Tests of ./dev test: what it reads from ctest's logs, and what it says of processors and threads."""

import contextlib
import io
import pathlib
import stat
import sys
import tempfile
import unittest
from unittest import mock
from xml.sax import saxutils

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import emulated  # noqa: E402
import in_oclgrind  # noqa: E402
import logs  # noqa: E402
import suite  # noqa: E402

GOOD = """[ RUN      ] Files.Hdf5
../tests/files_test.cpp:109: Skipped
HDF5 is not installed

[  SKIPPED ] Files.Hdf5 (0 ms)
[ RUN      ] Files.Full
../tests/files_test.cpp:120: Skipped
no /dev/full
[  SKIPPED ] Files.Full (0 ms)
[  SKIPPED ] 2 tests, listed below:
[  SKIPPED ] Files.Hdf5
[  SKIPPED ] Files.Full
"""
WIDE = """[ RUN      ] A.B
C++ exception with description "in FLUORITE_HOST: its value is 'zen4', and this machine has no avx512; ... [bad-host]"
"""


def written(*tests):
    """What ctest writes of tests: name, status, how it was skipped, and output."""
    cases = [f'<testcase name="{name}" status="{status}">{"<skipped message=" + chr(34) + skip + chr(34) + "/>" if skip else ""}'
             f"<system-out>{saxutils.escape(output)}</system-out></testcase>" for name, status, skip, output in tests]
    return f'<?xml version="1.0" encoding="UTF-8"?><testsuite>{"".join(cases)}</testsuite>'


ONE = written(("good", "run", "", GOOD))
LOG = written(("good", "run", "", GOOD), ("wide", "notrun", "SKIP_REGULAR_EXPRESSION_MATCHED", WIDE),
              ("proofs", "notrun", "SKIP_RETURN_CODE=77", "skipped: there is no coqc here\n"),
              ("bad", "fail", "", "Test Passed.\n"), ("gone", "notrun", "Unable to find executable", ""))


def said(words, code=0, log=LOG, lists="sse41\nhaswell\nzen4 avx512\n"):
    """What main() prints and returns, and the environments and arguments of ctest's runs."""
    runs = []
    with tempfile.TemporaryDirectory() as name:
        build = pathlib.Path(name)
        (build / "Testing").mkdir()
        probe = build / "fluorite_probe"
        probe.write_text(f"#!/bin/sh\nprintf '%s' '{lists}'\n")
        probe.chmod(stat.S_IRWXU)
        real = suite.subprocess.run

        def run(command, **options):
            if command[0] != "ctest":
                return real(command, **options)
            runs.append((options["env"], command))
            if log:
                (build / "Testing" / "results.xml").write_text(log)
            return mock.Mock(returncode=code)

        with mock.patch.object(suite.subprocess, "run", run), contextlib.redirect_stdout(io.StringIO()) as out:
            result = suite.main(["--build", name, *words])
    return out.getvalue(), result, runs


class LogsTest(unittest.TestCase):
    def test_results_and_reasons(self):
        run = logs.read(LOG)
        self.assertEqual(run.passed, 1)
        self.assertEqual(run.failed, ["bad", "gone"])
        self.assertEqual([(skip.name, skip.is_for_hardware) for skip in run.skipped],
                         [("good: Files.Hdf5", False), ("good: Files.Full", True), ("wide", True), ("proofs", False)])
        self.assertEqual(run.skipped[0].reason, "HDF5 is not installed")
        self.assertIn("this machine has no avx512", run.skipped[2].reason)
        self.assertEqual(run.skipped[3].reason, "skipped: there is no coqc here")


class SuiteTest(unittest.TestCase):
    def test_one_run_with_its_summary(self):
        text, result, runs = said(["-R", "good", "-j", "3"], code=8)
        self.assertEqual(result, 1)
        self.assertEqual(len(runs), 1)
        self.assertEqual(runs[0][1][-2:], ["-R", "good"])
        self.assertNotIn("-LE", runs[0][1])
        self.assertIn("-j 3", " ".join(map(str, runs[0][1])))
        self.assertIn("  on this machine: 1 passed, 2 failed, 4 skipped\n", text)
        self.assertIn("    skipped NOT for hardware: proofs: skipped: there is no coqc here\n", text)
        self.assertIn("    skipped for hardware: wide: ", text)

    def test_each_processor_with_each_number_of_threads(self):
        text, result, runs = said(["--as", "haswell,sse41", "--threads", "1,8"], log=ONE)
        self.assertEqual(result, 0)
        self.assertEqual([(env["FLUORITE_HOST"], env["FLUORITE_NUM_THREADS"]) for env, _ in runs],
                         [("haswell", "1"), ("haswell", "8"), ("sse41", "1"), ("sse41", "8")])
        self.assertIn("-FMA", runs[2][0]["GLIBC_TUNABLES"])
        self.assertIn("-LE", runs[0][1])
        self.assertIn("  as sse41, 8 threads: 1 passed, 0 failed, 2 skipped\n", text)

    def test_what_this_machine_lacks_is_left_out(self):
        text, result, runs = said(["--as", "all"], log=ONE)
        self.assertEqual((result, len(runs)), (0, 2))
        self.assertIn("  skipped for hardware: as zen4: this machine has no avx512\n", text)
        text, _, _ = said(["--as", "haswell"], log=ONE, lists="haswell avx\n")
        self.assertIn("as haswell: this machine has no avx; --emulate runs it", text)

    def test_mistakes(self):
        for words, message in [(["--as", "vax"], "no processor 'vax'; use all, or some of sse41,haswell,zen4"),
                               (["--threads", "0"], "'0' is no number of threads")]:
            with self.assertRaises(SystemExit) as raised:
                said(words)
            self.assertIn(message, str(raised.exception))

    def test_a_failure_of_ctest_itself_is_one(self):
        text, result, _ = said([], code=8, log="")
        self.assertEqual(result, 1)
        self.assertIn("failed: ctest itself, with exit code 8", text)


class EmulatedTest(unittest.TestCase):
    def test_programs_of_the_build_only(self):
        build = pathlib.Path("/elsewhere/build")
        self.assertTrue(emulated.is_ours({"command": ["/elsewhere/build/test_a", "--x"]}, build))
        self.assertFalse(emulated.is_ours({"command": ["/usr/bin/python3", "/elsewhere/build/a.py"]}, build))
        self.assertFalse(emulated.is_ours({}, build))
        self.assertFalse(emulated.is_ours({"command": ["/elsewhere/build/test_objects"], "properties": [
            {"name": "LABELS", "value": ["code_of_the_build"]}]}, build))


class InOclgrind(unittest.TestCase):
    RACE = "\n".join(["[ RUN      ] A.B", "Read-write data race at local memory address 0x10", "\tKernel: k0_g",
                      "[       OK ] A.B (3 ms)", "corrupted double-linked list"])

    def test_a_race_fails_a_test_that_passes(self):
        self.assertIn("data race at local memory address 0x10 Kernel: k0_g", in_oclgrind.judge("A.B", self.RACE))

    def test_only_the_end_of_the_process_is_forgiven(self):
        self.assertEqual(in_oclgrind.judge("A.B", "[       OK ] A.B (3 ms)\ncorrupted double-linked list"), "")
        self.assertIn("did not pass", in_oclgrind.judge("A.B", "[ RUN      ] A.B\nSegmentation fault"))


if __name__ == "__main__":
    unittest.main()
