"""What ctest wrote of a run: which tests failed, which were skipped and why, and which parts of a program were."""

import dataclasses
import re

# What a test says where this machine lacks what it needs; any other reason is something that is not installed, or a
# property of the build.
HARDWARE = re.compile(r"this machine has no|\[bad-host\]|of one core|no /dev/full")
TEST = re.compile(r"^\d+/\d+ Test: (\S+)$", re.MULTILINE)
PART = re.compile(r"^(?:.*: Skipped\n)(?P<reason>(?:.+\n)+?)?(?:\n|(?=\[  SKIPPED \]))*\[  SKIPPED \] (?P<name>\S+)",
                  re.MULTILINE)
RESULT = re.compile(r"^Test (Passed|Failed|Skipped)\.$|^Test (Timeout|not available)", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Skip:
    """A test of ctest, or a part of one, and why it did not run."""
    name: str
    reason: str

    @property
    def is_for_hardware(self):
        return bool(HARDWARE.search(self.reason))


@dataclasses.dataclass
class Run:
    """The result of all tests of a run."""
    failed: list
    skipped: list
    passed: int = 0


def parts_skipped(test, output):
    """The parts of a GoogleTest program that say GTEST_SKIP, as their output tells."""
    found = {}
    for match in PART.finditer(output):
        reason = " ".join((match["reason"] or "").split())
        found.setdefault(f"{test}: {match['name']}", reason or "it does not say why")
    return [Skip(name, reason) for name, reason in found.items()]


def reason_of(output):
    """Why a whole test was skipped: the line that says so, or the last one."""
    lines = [line.strip() for line in output.splitlines() if line.strip() and not line.startswith("[")]
    said = [line for line in lines if HARDWARE.search(line) or line.startswith("skipped")]
    return (said or lines or ["it does not say why"])[-1 if not said else 0]


def read(log):
    """Reads LastTest.log, which has a section for each test."""
    run = Run([], [])
    marks = list(TEST.finditer(log))
    for mark, after in zip(marks, marks[1:] + [None]):
        section = log[mark.end():after.start() if after else len(log)]
        output = section.partition("Output:\n")[2].partition("<end of output>")[0]
        result = RESULT.search(section.rpartition("<end of output>")[2])
        word = (result[1] or result[2]) if result else "not finished"
        if word == "Skipped":
            run.skipped.append(Skip(mark[1], reason_of(output)))
        elif word != "Passed":
            run.failed.append(mark[1])
        else:
            run.passed += 1
            run.skipped.extend(parts_skipped(mark[1], output))
    return run
