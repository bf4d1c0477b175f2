"""What ctest wrote of a run: which tests failed, which were skipped and why, and which parts of a program were."""

import dataclasses
import re
from xml.etree import ElementTree

# What a test says where this machine lacks what it needs; any other reason is something that is not installed, or a
# property of the build.
HARDWARE = re.compile(r"this machine has no|\[bad-host\]|no /dev/full")
PART = re.compile(r"^(?:.*: Skipped\n)(?P<reason>(?:.+\n)+?)?(?:\n|(?=\[  SKIPPED \]))*\[  SKIPPED \] (?P<name>\S+)",
                  re.MULTILINE)


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


def read(xml):
    """Reads what ctest writes with --output-junit."""
    run = Run([], [])
    for test in ElementTree.fromstring(xml).iter("testcase"):
        name, output = test.get("name"), test.findtext("system-out") or ""
        skipped = test.find("skipped")
        if test.get("status") == "run":
            run.passed += 1
            run.skipped.extend(parts_skipped(name, output))
        elif skipped is not None and skipped.get("message", "").startswith("SKIP_"):
            run.skipped.append(Skip(name, reason_of(output)))
        else:
            run.failed.append(name)
    return run
