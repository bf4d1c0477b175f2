"""Each operator finds exactly its places, and a file with inactive mutants behaves like the original."""

import collections
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import mutate  # noqa: E402
import places  # noqa: E402
import plant  # noqa: E402
import runner  # noqa: E402
import scratch  # noqa: E402


def found(body, before="void f(int a) {\n", after="}\n"):
    return [(m.operator, m.original, m.changed) for m in places.mutants_of("a.cpp", before + body + after)
            if m.operator != "nothing"]


class PlacesTest(unittest.TestCase):
    def test_conditions(self):
        self.assertEqual([("negate", "a", "!(a)"), ("never", "a", "false"), ("always", "a", "true")], found("if (a) {\n}\n"))
        self.assertIn(("operator", "a < b", "a <= b"), found("while (a < b) {\n}\n"))
        self.assertIn(("operator", "i < n", "i <= n"), found("for (int i = 0; i < n; i++) {\n}\n"))
        self.assertIn(("negate", "x", "!(x)"), found("if (g(a); x) {\n}\n"))
        self.assertEqual([], found("if (const int *x = g(a)) {\n}\n"))
        self.assertEqual([], found("if constexpr (b) {\n}\n"))

    def test_statements(self):
        self.assertEqual([("drop", "list.clear();", "")], found("list.clear();\n"))
        self.assertEqual([("drop", 'throw Error("a < b");', "")], found('throw Error("a < b");\n'))
        self.assertEqual([("operator", "return a + b;", "return a - b;")], found("return a + b;\n"))
        self.assertEqual([("word", "return true;", "return false;")], found("return true;\n"))
        self.assertIn(("constant", "int n = 3;", "int n = 4;"), found("int n = 3;\n"))
        self.assertNotIn(("drop", "int n = 3;", ""), found("int n = 3;\n"))
        self.assertEqual([("drop", "n = a;", "")], found("n = a;\n"))
        self.assertEqual([("drop", "n = outer, m = inner;", "")], found("n = outer, m = inner;\n"))
        self.assertIn(("word", "n = f(outer, m);", "n = f(inner, m);"), found("n = f(outer, m);\n"))
        self.assertEqual([("member", "return x.min;", "return x.max;")], found("return x.min;\n"))
        self.assertEqual([("word", "return std::min(a, b);", "return std::max(a, b);")], found("return std::min(a, b);\n"))

    def test_what_is_no_place(self):
        for text in ("std::vector<int> a(b);\n", "// n = 3;\n", "using A = B;\n", "constexpr int a = b + c;\n", "std::array<int, 3> a;\n",
                     "FLUORITE_CASE(Ceil, ceil);\n"):
            with self.subTest(text):
                self.assertEqual([], found(text))
        for text in ("check(a < 3);\n", 'unreachable("no such kind");\n', 'internal_error("lost", {});\n'):
            with self.subTest(text):
                self.assertEqual([], found(text))
        self.assertEqual([("negate", "a", "!(a)"), ("always", "a", "true")], found('if (a) {\ninternal_error("lost", {});\n}\n'))
        self.assertEqual([], found("int a = 3;\nenum class A { B, C };\n", before="", after=""))

    def test_functions_that_do_nothing(self):
        text = "Stmt hoist(const Stmt &stmt, const Context &context) {\n    return work(stmt);\n}\nvoid drop(int a) {\n}\nint g(int a) {\n}\n"
        codes = [m.code for m in places.mutants_of("a.cpp", text) if m.operator == "nothing"]
        self.assertEqual(["if (fluorite_mutant(ID)) { return stmt; }\n", "if (fluorite_mutant(ID)) { return; }\n"], codes)

    def test_a_break_of_a_switch_is_none(self):
        self.assertEqual([], found("switch (a) {\ncase 1:\n    break;\n}\n"))
        self.assertEqual([("drop", "break;", "")], found("for (;;) {\n    break;\n}\n"))


class SeedsTest(unittest.TestCase):
    def test_seeds_share_mutants_without_overlaps(self):
        files = ("src/interpret/", "src/verify/")
        chosen, of_seed = mutate.draw_seeds([5, 6, 5], 20, 0, files)
        self.assertEqual({5, 6}, set(of_seed))
        self.assertEqual(len(chosen), len(of_seed[5] | of_seed[6]))
        self.assertEqual(list(range(len(chosen))), [m.id for m in chosen])
        self.assertEqual([m.key() for m in mutate.draw_by_folder(5, 20, files)], [m.key() for m in chosen if m.id in of_seed[5]])
        for a in chosen:
            for b in chosen:
                if a is not b and a.file == b.file:
                    self.assertTrue(a.begin != b.begin and (a.end <= b.begin or b.end <= a.begin), (a, b))


class WaitTest(unittest.TestCase):
    def test_time_in_which_a_process_is_stopped_does_not_count(self):
        process = subprocess.Popen(["sleep", "0.5"])
        process.send_signal(signal.SIGSTOP)
        threading.Timer(1.5, process.send_signal, [signal.SIGCONT]).start()
        self.assertEqual(0, runner.wait(process, 1, poll=0.1))

    def test_a_process_that_waits_for_nothing_does_not_end(self):
        process = subprocess.Popen(["sleep", "100"])
        with self.assertRaises(subprocess.TimeoutExpired):
            runner.wait(process, 0.5, poll=0.1)
        process.kill()
        process.wait()


class ScratchTest(unittest.TestCase):
    def test_the_text_holds_both(self):
        text = "void f(int a) {\n    if (a < 1) {\n        list.clear();\n    }\n}\n"
        mutants = [m for m in places.mutants_of("a.cpp", text) if m.operator in ("drop", "negate")]
        for number, mutant in enumerate(mutants):
            mutant.id = number
        copy = scratch.Scratch(".", ".")
        mutated = copy.mutated("a.cpp", text, mutants)
        self.assertIn("if ((fluorite_mutant(0) ? !static_cast<bool>(a < 1) : static_cast<bool>(a < 1))) {", mutated)
        self.assertIn("if (!fluorite_mutant(1)) { list.clear(); }", mutated)
        lines = mutated.splitlines()
        for first, last, mutant in copy.lines["a.cpp"]:
            self.assertIn(f"fluorite_mutant({mutant.id})", "\n".join(lines[first - 1:last]))

    def test_the_header_is_found_from_every_folder(self):
        copy = scratch.Scratch(".", ".")
        for name, header in [("src/ir/a.cpp", "support/mutant.h"), ("runtime/a.cpp", "src/support/mutant.h")]:
            self.assertTrue(copy.mutated(name, "", []).startswith(f'#include "{header}"\n'), name)


class DrawTest(unittest.TestCase):
    def test_each_pass_and_each_directive_has_its_share(self):
        mutants = mutate.draw(1, 150)
        self.assertGreaterEqual(len(mutants), 150)
        files = [m.file for m in mutants]
        for folder, *_ in mutate.STRATA:
            self.assertTrue(any(mutate.stratum_of(name)[0] == folder for name, *_ in mutate.sources()), folder)
        for name, text, *_ in mutate.sources():
            if name.startswith(("src/lowering/", "src/loopnest/", "src/schedule/directives/")):
                places = len(list(mutate.picks(1, name, text)))
                self.assertGreaterEqual(files.count(name), min(places, 2), name)
        self.assertEqual([m.key() for m in mutants], [m.key() for m in mutate.draw(1, 150)])
        self.assertNotEqual([m.key() for m in mutants], [m.key() for m in mutate.draw(2, 150)])

    def test_a_draw_by_folder_has_as_many_of_each(self):
        mutants = mutate.draw_by_folder(4, 3, ("runtime/", "src/interpret/"))
        counts = collections.Counter(mutate.stratum_of(m.file)[0] for m in mutants)
        self.assertEqual(counts, {"runtime": 3, "src/interpret": 3})
        self.assertEqual(list(range(6)), [m.id for m in mutants])
        more = [m.key() for m in mutate.draw_by_folder(4, 5, ("runtime/",))]
        self.assertEqual([m.key() for m in mutants if m.file.startswith("runtime/")], more[:3])

    def test_what_never_returns_is_not_made_to(self):
        text = "void refuse_distributed(int a) {\n    throw a;\n}\nvoid allow(int a) {\n    count = a;\n}\n"
        self.assertIn("refuse_distributed", mutate.never_return())
        self.assertEqual(["allow"], [m.original.split("(")[0][5:] for m in mutate.all_of("a.cpp", text) if m.operator == "nothing"])

    def test_an_edit_leaves_the_draw_elsewhere_alone(self):
        name, text, *_ = next(s for s in mutate.sources() if s[0].endswith("hoist_invariants.cpp"))
        before = [m.key() for m in mutate.picks(1, name, text)]
        after = [m.key() for m in mutate.picks(1, name, text.replace("continue;", "continue; // more"))]
        self.assertEqual(before[:5], after[:5])
        moved = [m.key() for m in mutate.picks(1, "src/elsewhere/hoist_invariants.cpp", text)]
        self.assertEqual(before[:5], moved[:5])

    def test_no_two_overlap(self):
        by_file = {}
        for mutant in mutate.draw(3, 250):
            for begin, end in by_file.get(mutant.file, []):
                self.assertFalse(mutant.begin < end and begin < mutant.end)
            by_file.setdefault(mutant.file, []).append((mutant.begin, mutant.end))


class ReachTest(unittest.TestCase):
    def test_by_the_order_of_the_modules(self):
        mutants = [places.Mutant("src/lowering/a.cpp", 0, 1, "drop", "a", "", "", 1)]
        for test, expected in [("fluorite_ir_tests", False), ("fluorite_lowering_tests", True), ("fluorite_language_tests", False),
                               ("fluorite_backends_llvm_tests", True), ("test_schedule", True)]:
            self.assertEqual(expected, mutate.reaches(test, mutants), test)

    def test_the_runtime_lies_below_all_modules(self):
        for file, test, expected in [("runtime/a.cpp", "fluorite_runtime_tests", True), ("src/ir/a.cpp", "fluorite_runtime_tests", False),
                                     ("runtime/a.cpp", "fluorite_ir_tests", True), ("runtime/a.cpp", "test_schedule", True),
                                     ("runtime/device/a.cpp", "fluorite_runtime_device_tests", True),
                                     ("runtime/device/a.cpp", "fluorite_runtime_tests", False),
                                     ("runtime/a.cpp", "fluorite_runtime_device_tests", False)]:
            self.assertEqual(expected, mutate.reaches(test, [places.Mutant(file, 0, 1, "drop", "a", "", "", 1)]), (file, test))

    def test_folders_belong_to_the_module_around_them(self):
        for file, test, expected in [("src/lowering/from_nest/a.cpp", "fluorite_lowering_tests", True),
                                     ("src/lowering/from_nest/a.cpp", "fluorite_analysis_tests", False),
                                     ("src/backends/llvm/emit/a.cpp", "fluorite_backends_llvm_tests", True),
                                     ("src/schedule/directives/a.cpp", "fluorite_lowering_tests", True)]:
            self.assertEqual(expected, mutate.reaches(test, [places.Mutant(file, 0, 1, "drop", "a", "", "", 1)]), file)


class SurvivorsTest(unittest.TestCase):
    def test_every_survivor_has_a_reason(self):
        for key, reason in mutate.explained().items():
            self.assertTrue(reason, key)

    def test_what_excuses_nothing_is_complained_of(self):
        name, text, *_ = next(mutate.sources())
        key = next(mutate.picks(1, name, text)).key()
        complaints = lambda text, results=(): list(mutate.complaints(mutate.explained(text), results))
        self.assertEqual([], complaints(f"# a list\n{key}\n    of equal\n    bits\n"))
        self.assertIn("without a reason", complaints(f"{key}\n")[0])
        self.assertIn("no source has this place", complaints("hoist.cpp: drop: what --> \n    no reason\n")[0])
        killed = [{"key": key, "status": "killed", "details": "A.b"}]
        self.assertIn("excused, but A.b fails", complaints(f"{key}\n    of equal bits\n", killed)[0])


class RunnerTest(unittest.TestCase):
    """A script that fails for a given mutant replaces the test executables."""

    def judged(self, fails_for, tests, id=7):
        with tempfile.TemporaryDirectory() as folder:
            copy = scratch.Scratch(folder, folder)
            copy.build_folder.mkdir(parents=True)
            program = copy.build_folder / "tests"
            program.write_text(f'#!/bin/sh\n[ "$FLUORITE_MUTANT" = {fails_for} ] && exit 1\nexit 0\n')
            program.chmod(0o755)
            run = runner.Runner(copy, folder, 10, lambda text: None)
            run.tests = [("tests", name, milliseconds, reached) for name, milliseconds, reached in tests]
            mutant = places.Mutant("a.cpp", 0, 1, "drop", "a", "", "", 1, id)
            return run.judge(mutant, "place", 10)[0]

    def test_verdicts(self):
        self.assertEqual("killed", self.judged(7, [("A.B", 1, {7})]))
        self.assertEqual("survived", self.judged(8, [("A.B", 1, {7})]))
        self.assertEqual("not reached", self.judged(7, [("A.B", 1, {8})]))

    def test_likely_killers_come_first(self):
        def order(file, tests, kills=()):
            run = runner.Runner(None, ".", 10, None)
            run.tests = tests
            for test in kills:
                run.note_kill(test, file)
            mutant = places.Mutant(file, 0, 1, "drop", "a", "", "", 1, 1)
            return [test for *_, chunk in run.chunks(mutant) for test in chunk]

        quick, slow, other = ("y", "A.quick", 3, {1}), ("x", "A.slow", 9000, {1}), ("x", "A.other", 1, {2})
        self.assertEqual(["A.quick", "A.slow"], order("src/a/b.cpp", [slow, other, quick]))
        broad, narrow = ("x", "A.broad", 3, set(range(99))), ("x", "A.narrow", 3, {1, 2})
        self.assertEqual(["A.narrow", "A.broad"], order("src/a/b.cpp", [broad, narrow]))
        named, near = ("x", "A.hoists", 9, {1}), ("fluorite_a_tests", "A.near", 3000, {1, 2, 3})
        self.assertEqual(["A.hoists", "A.quick"], order("src/a/hoist.cpp", [quick, named]))
        for file in ("src/a/b.cpp", "src/a/c/b.cpp"):
            self.assertEqual(["A.near", "A.quick"], order(file, [quick, near]))
        self.assertEqual(["A.slow", "A.quick"], order("src/a/b.cpp", [quick, slow], kills=["A.slow"] * 100))


class PlantTest(unittest.TestCase):
    LIST = "# a list\nOne src/a.cpp\n int n = f(a);\n-return n;\n+return FAULT ? n + 1 : n;\n"

    def test_changes_are_asleep_until_they_are_planted(self):
        text = plant.planted(plant.changes_of(self.LIST), lambda _: "int g(int a) {\n    int n = f(a);\n    return n;\n}\n")["src/a.cpp"]
        self.assertEqual('#include "tests/planted/plant.h"\nint g(int a) {\nint n = f(a);\n'
                         "return fluorite::planted::is_planted(fluorite::planted::Fault::One) ? n + 1 : n;\n}\n", text)

    def test_lines_that_are_not_there_once_are_named(self):
        for source, count in (("", 0), ("int n = f(a);\nreturn n;\nint n = f(a);\nreturn n;\n", 2)):
            with self.assertRaises(SystemExit) as caught:
                plant.planted(plant.changes_of(self.LIST), lambda _: source)
            self.assertIn(f"fault One: its lines stand {count} times in src/a.cpp, not once", str(caught.exception))
        with self.assertRaises(SystemExit) as caught:
            plant.changes_of("one.cpp\n")
        self.assertIn("line 1 of the list of faults: neither a fault with its file", str(caught.exception))

    def test_every_fault_has_a_change_that_fits_the_sources(self):
        changes = plant.changes_of((mutate.ROOT / "tests/planted/faults.txt").read_text())
        plant.planted(changes)
        header = (mutate.ROOT / "tests/planted/plant.h").read_text()
        faults = re.findall(r"^    ([A-Z][a-z]+),", header[header.index("enum class Fault"):], re.MULTILINE)
        self.assertEqual(set(faults) - {"None"}, {change.fault for change in changes})


if __name__ == "__main__":
    unittest.main()
