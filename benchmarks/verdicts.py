"""What the outputs of the sides of a case say about each other.

Whole arrays are compared, ours with the other side's and both with the reference's, repetition by repetition. A comparison
that cannot be made (no output on one side, other shapes, a file that is missing) counts as a difference. The elements
themselves are judged by fluorite_compare_outputs (compare/compare.h), within the tolerance that the case states."""

import dataclasses
import subprocess


@dataclasses.dataclass(frozen=True)
class Output:
    """A dumped output, as a program announces it: `output NAME KIND EXTENTS RELATIVE ABSOLUTE PATH`."""

    kind: str
    extents: str
    relative: str
    absolute: str
    path: str

    @property
    def is_integer(self):
        return self.kind[0] != "f"


@dataclasses.dataclass(frozen=True)
class Verdict:
    """`text` for people; `ok` says whether the run may succeed."""

    ok: bool
    text: str
    worst: float = 0.0


def judge(line, output):
    """The verdict that a line of the comparing program means."""
    words = line.split()
    if words == ["equal"]:
        return Verdict(True, "equal")
    if not words or words[0] not in ("near", "different"):
        return Verdict(False, f"NOT COMPARED: {line.strip() or 'no answer'}")
    worst = float(words[2])
    text = f"{words[1]} by {worst:g}" if output.is_integer else f"within {worst:.1e}"
    if words[0] == "near":
        return Verdict(True, text, worst)
    *_, beyond, first, is_, expected = words
    place = f"{beyond} elements, first {first}: {is_} instead of {expected}"
    return Verdict(False, f"DIFFERENT ({text}; {place})", worst)


def compare_outputs(program, ours, expected):
    """Compares two outputs by the program at that path."""
    if (ours.kind, ours.extents) != (expected.kind, expected.extents):
        return Verdict(False, f"NOT COMPARED: {ours.kind} {ours.extents} beside {expected.kind} {expected.extents}")
    command = [str(program), ours.kind, ours.extents, ours.relative, ours.absolute, ours.path, expected.path]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        return Verdict(False, f"NOT COMPARED: {error}")
    return judge(done.stdout if done.returncode == 0 else done.stderr, ours)


def worst_of(verdicts):
    """The verdict that counts of several: the first failure, else the greatest error."""
    failed = [verdict for verdict in verdicts if not verdict.ok]
    return failed[0] if failed else max(verdicts, key=lambda verdict: (verdict.text != "equal", verdict.worst))


def compare_repetitions(program, ours, expected):
    """The verdict on lists of outputs, one for each repetition; a list of one is a reference that holds for all."""
    if not ours or not expected:
        return Verdict(False, "NOT COMPARED: no output")
    if 1 not in (len(ours), len(expected)) and len(ours) != len(expected):
        return Verdict(False, f"NOT COMPARED: {len(ours)} repetitions beside {len(expected)}")
    length = max(len(ours), len(expected))
    stretched = [outputs * length if len(outputs) == 1 else outputs for outputs in (ours, expected)]
    # An output that did not change from one repetition to the next is announced by the same path.
    return worst_of([compare_outputs(program, *pair) for pair in dict.fromkeys(zip(*stretched))])
