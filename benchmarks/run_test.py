"""A run of the benchmarks fails for every output that is wrong and for every comparison that cannot be made."""

import argparse
import contextlib
import io
import os
import pathlib
import struct
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import auto_peer  # noqa: E402
import before  # noqa: E402
import held_out  # noqa: E402
import verdicts  # noqa: E402
import page  # noqa: E402
import recorded  # noqa: E402
import run  # noqa: E402
import table  # noqa: E402
import toolchain  # noqa: E402

COMPARE = os.environ.get("FLUORITE_COMPARE_OUTPUTS", "build/release/fluorite_compare_outputs")

# A program in the place of a compiled case. It serves repetitions of `outputs`, a list of (extents, values), by turns.
PROGRAM = """#!{python} -SE
import os, struct, sys
{behaviour}
if "--compile" in sys.argv:
    print("value app.compile 0.5")
    sys.exit(0)
outputs = reference if "--reference" in sys.argv else outputs
print("ready", flush=True)
for number, line in enumerate(sys.stdin):
    extents, values = outputs[min(number, len(outputs) - 1)]
    path = os.environ.get("BENCH_DUMPS", "{folder}/dump") + ".app." + str(number)
    with open(path, "wb") as file:
        file.write(struct.pack(str(len(values)) + "f", *values))
    print("value app", 0.25 if "--peer-schedule" in sys.argv else seconds)
    if extents:
        print("output app f4", extents, "1e-6 0", path)
    print("end", flush=True)
"""

GOOD = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]


class RecordedTest(unittest.TestCase):
    def results(self):
        def row(name, ours, peer):
            times = {"all": [ours, 2 * ours], "min": ours, "median": 1.5 * ours}, {"all": [peer], "min": peer, "median": peer}
            return {"name": name, "ours": times[0], "peer": times[1], "best": peer / ours, "same": peer / ours,
                    "best_of_medians": peer / ours, "failures": {}, "verdicts": {}, "memory": {"ours": 1e6, "peer": 2e6},
                    "schedules": {}, "bytes": None, "flops": None}
        return {"threads": 2, "view": "avx2", "target": "x86-64-linux-avx2", "against": "peer", "load": 0.5, "peak_flops": 1e9,
                "copy_bytes_per_second": 2e9, "rows": [row("blur", 0.5, 1.0), row("blur.compile", 0.1, 0.4),
                                                       row("case", 1.0, 1.0)]}

    def test_keeps_applications_without_single_times(self):
        kept = recorded.kept(self.results(), "2026-01-01", "a processor")
        self.assertEqual([row["name"] for row in kept["rows"]], ["blur", "blur.compile"])
        self.assertNotIn("all", kept["rows"][0]["ours"])

    def test_draws_the_marked_table_only(self):
        runs = {"apps-avx2": recorded.kept(self.results(), "2026-01-01", "a processor")}
        before = "one\n<!-- recorded apps-avx2 -->\nold\n<!-- end -->\ntwo\n"
        page = recorded.draw_page(before, runs)
        self.assertTrue(page.startswith("one\n<!-- recorded apps-avx2 -->\n2026-01-01, a processor, 2 threads"))
        self.assertTrue(page.endswith("<!-- end -->\ntwo\n"))
        self.assertIn("| blur | 500.00 ms | 1.000 s | 2.00 |", page)
        self.assertIn("Running: geometric mean 2.00, least 2.00, 0 of 1 below 1. Compiling: geometric mean 4.00", page)
        self.assertNotIn("old", page)
        self.assertEqual(recorded.draw_page(page, runs), page)

    def test_draws_a_sweep_of_compile_times(self):
        def sample(size, seconds, failure=""):
            return {"size": size, "seconds": seconds, "nodes": 9, "megabytes": size, "failure": failure, "steps": {"place": seconds}}
        sweep = {"target": "x86-64", "load": 1.5, "limit_seconds": 12, "generates_code": 1, "goal_seconds": 10, "goal_exponent": 1.2,
                 "growth": [{"name": "chain", "unit": "stages", "is_over": 0, "exponent": 1.02, "samples": [sample(8, 0.5), sample(16, 1.004)]},
                            {"name": "tuple", "unit": "values", "is_over": 1, "exponent": None,
                             "samples": [sample(4, 12, "over the limit, after place")]}]}
        kept = recorded.kept(sweep, "2026-01-01", "a processor")
        self.assertNotIn("steps", kept["growth"][0]["samples"][0])
        page = recorded.draw_page("<!-- recorded compile -->\n<!-- end -->\n", {"compile": kept})
        self.assertIn("| chain | 16 stages | 0.50, 1.00 | 1.02 | 16 |\n"
                      "| tuple | 4 values | over the limit, after place (4) |  | 4 |\n", page)
        self.assertIn("1 of 2 kinds miss a goal: 10 s for the largest, exponent 1.2.\n<!-- end -->", page)

    def test_draws_the_math_functions(self):
        def row(ours, peer):
            return {"ours": {"ns": ours, "ulp": 0.5}, "peer": {"ns": peer, "ulp": 0.51}, "ratio": peer / ours, "beside_peer": peer / ours}
        runs = {"math-sse41": recorded.kept({"math": {"exp.f32.4": row(1.0, 2.0), "exp.f32.8": row(1.0, 0.5)}, "target": "sse41"},
                                            "2026-01-01", "a processor")}
        page = recorded.draw_page("<!-- recorded math-sse41 -->\n<!-- end -->\n", runs)
        self.assertIn("2026-01-01, a processor, one thread; code for sse41.\n\nf32 as sse41", page)
        self.assertIn("| exp | 1 (0.50) | 2 (0.51) | - | - | 2.00 | -, 2.00, **0.50**, - |\n<!-- end -->", page)

    def test_draws_what_a_run_has_printed(self):
        lines = ["", "2 threads", "", "| a | b |", "| --- | --- |", "", "| 1 | 2 |", "  mean 1.5", ""]
        runs = {"auto": recorded.kept({"lines": lines, "command": "--auto", "load": 0.25}, "2026-01-01", "a processor")}
        page = recorded.draw_page("<!-- recorded auto -->\n<!-- end -->\n", runs)
        self.assertEqual(page, "<!-- recorded auto -->\n"
                         "2026-01-01, a processor, load 0.2 at the start; `./dev bench --auto`:\n\n```text\n2 threads\n```\n\n"
                         "| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```text\n  mean 1.5\n```\n<!-- end -->\n")

    def test_a_table_without_data_says_so(self):
        self.assertEqual(recorded.draw_page("<!-- recorded apps -->\nold\n<!-- end -->", {}),
                         "<!-- recorded apps -->\nNot recorded yet.\n<!-- end -->")

    def test_draws_means_in_sentences(self):
        text = "is <!-- means host running -->1.1<!-- end --> and <!-- means host compiling --><!-- end --> times"
        runs = {"host": recorded.kept(self.results(), "2026-01-01", "a processor")}
        self.assertEqual(recorded.draw_front(text, runs),
                         "is <!-- means host running -->2.00<!-- end --> and <!-- means host compiling -->4.00<!-- end --> times")
        self.assertIn("running -->(not recorded yet)<!-- end -->", recorded.draw_front(text, {}))

    def test_the_page_says_how_each_run_is_recorded(self):
        page = recorded.PAGE.read_text(encoding="utf-8")
        for found in recorded.MARKED.finditer(page):
            line = page[:found.start()].rstrip().rsplit("\n", 1)[1]
            self.assertRegex(line, rf"^`./dev bench --record {found[2]} -- .*`$")

    def test_finds_figures_that_are_written_by_hand(self):
        page = "| what | how |\n|---|---|\n| a | 1.5 |\n<!-- recorded apps -->\n| b | 2 |\n<!-- end -->\n"
        self.assertEqual(recorded.hand_written(page), ["| a | 1.5 |"])

    def test_knows_what_a_run_leaves(self):
        kinds = {"--apps": "results", "--as avx2 --apps": "results", "--app blur --threads 1": "results", "--compile --most 64": "compile",
                 "--math --target sse41": "math-sse41", "--as sse41 --auto --rounds 3": None, "--stencils --devito": None,
                 "--as avx2 --held-out": None}
        for arguments, kind in kinds.items():
            self.assertEqual(recorded.kind_of(arguments.split()), kind, arguments)

    def test_keeps_what_a_run_prints(self):
        with tempfile.TemporaryDirectory() as folder:
            saved = recorded.ROOT, recorded.RECORDED
            recorded.ROOT, recorded.RECORDED = pathlib.Path(folder), pathlib.Path(folder) / "recorded"
            program = recorded.ROOT / "dev"
            try:
                program.write_text("#!/bin/sh\necho \"$@\"\ntest \"$3\" != fails\n")
                program.chmod(0o755)
                with contextlib.redirect_stdout(io.StringIO()):
                    recorded.record("auto", ["--auto", "--rounds"])
                    with self.assertRaisesRegex(toolchain.Failure, "bench --auto fails has failed: nothing is recorded"):
                        recorded.record("other", ["--auto", "fails"])
                    with self.assertRaisesRegex(toolchain.Failure, "'a/b' is no name for a run"):
                        recorded.record("a/b", ["--auto"])
                runs = recorded.read_runs()
            finally:
                recorded.ROOT, recorded.RECORDED = saved
        self.assertEqual(list(runs), ["auto"])
        self.assertEqual((runs["auto"]["lines"], runs["auto"]["command"]), (["bench --auto --rounds"], "--auto --rounds"))

    def test_the_page_is_what_the_data_says(self):
        self.assertEqual(recorded.main(["--check"]), 0)


class HeldOutTest(unittest.TestCase):
    # A program in the place of one that is compiled: its arguments are PIPELINE SCHEDULER PLUGIN THREADS RUNS.
    PROGRAM = """#!{python} -SE
import os, struct, sys
pipeline, scheduler = sys.argv[1:3]
if scheduler == "Li2018":
    sys.exit("no schedule")
print("value scheduled 0.5\\nvalue compiled 0.25\\nready", flush=True)
for line in sys.stdin:
    path = os.environ["BENCH_DUMPS"] + ".out"
    with open(path, "wb") as file:
        file.write(struct.pack("2f", 1.0, {second}))
    for time in {times}[scheduler]:
        print("value", pipeline, time)
        print("value", pipeline + ".elapsed", 2 * time)
    print("output", pipeline, "f4 2 1e-6 0", path)
    print("end", flush=True)
"""

    def measure(self, peer_second=2.0, times=None):
        times = times or {"Fluorite": [0.002, 0.001], "Mullapudi2016": [0.004, 0.003], "Adams2019": [0.005, 0.0015]}
        with tempfile.TemporaryDirectory() as folder:
            saved, toolchain.OUT = toolchain.OUT, pathlib.Path(folder)
            try:
                players = []
                for name in [held_out.OURS, *held_out.SCHEDULERS]:
                    path = toolchain.OUT / name
                    second = 2.0 if name == held_out.OURS else peer_second
                    path.write_text(self.PROGRAM.format(python=sys.executable, second=second, times=times), encoding="utf-8")
                    path.chmod(0o755)
                    players.append(held_out.Player(name, path, "-"))
                options = argparse.Namespace(threads=[1, 2], runs=2, rounds=2, patience=60, compare=COMPARE)
                with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.redirect_stderr(io.StringIO()):
                    ratios, is_right = held_out.measure("max_pool", players, options)
                return ratios, is_right, printed.getvalue()
            finally:
                toolchain.OUT = saved

    def test_the_best_of_the_peer_counts(self):
        ratios, is_right, text = self.measure()
        self.assertEqual([round(ratio, 6) for ratio in ratios], [1.5, 1.5])
        self.assertTrue(is_right)
        self.assertEqual(text, "| max_pool | 1 | 0.50 | 0.25 | 3 | 1.5 | no schedule | 1.50 | 1.50 | equal |\n")

    def test_other_values_are_a_failure(self):
        _, is_right, text = self.measure(peer_second=2.5)
        self.assertFalse(is_right)
        self.assertIn("DIFFERENT", text)

    def test_lists_the_pipelines(self):
        names = held_out.pipelines()
        self.assertGreaterEqual(len(names), 16)
        self.assertEqual(len(names), len(set(names)))


class RunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.source = self.folder / "apps" / "app" / "bench.cpp"
        self.source.parent.mkdir(parents=True)
        saved = run.OUT
        run.OUT = self.folder
        self.addCleanup(lambda: setattr(run, "OUT", saved))
        self.addCleanup(lambda: setattr(run, "COMPILATIONS", 3))
        run.COMPILATIONS = 1

    def program(self, side, outputs=None, reference=None, seconds=1.0, before=""):
        """Writes the program of a side; `before` is code that it runs first."""
        outputs = outputs or [("3x2", GOOD)]
        behaviour = (f"nan = float('nan')\noutputs = {outputs!r}\nreference = {reference or [('3x2', GOOD)]!r}\n"
                     f"seconds = {seconds}\n{before}")
        path = self.folder / side
        path.write_text(PROGRAM.format(python=sys.executable, behaviour=behaviour, folder=self.folder), encoding="utf-8")
        path.chmod(0o755)
        return path

    def measure(self, ours, peer=None, patience=60):
        options = argparse.Namespace(threads=1, patience=patience, is_app=True, repetitions=1, compare=COMPARE)
        programs = {"ours": ours, "peer": peer or self.program("peer")}
        rows = run.measure("app", self.source, programs, options)
        return rows, "\n".join(complaint for row in rows for complaint in table.complaints(row))

    def check_fails(self, text, *arguments, **options):
        rows, complaints = self.measure(*arguments, **options)
        self.assertIn(text, complaints)
        self.assertEqual(run.status_of(rows), 1)
        page_text = page.html({"rows": rows, "threads": 1, "load": 0, "copy_bytes_per_second": 1, "peak_flops": 1,
                               "against": "peer", "view": "host", "target": ""})
        self.assertIn('class="bad"', page_text)

    def test_succeeds_where_all_agree(self):
        rows, complaints = self.measure(self.program("ours"))
        self.assertEqual(complaints, "")
        self.assertEqual(run.status_of(rows), 0)
        self.assertEqual(table.show_output(rows[0]), "equal; ours to reference equal; peer to reference equal")
        self.assertEqual([row["name"] for row in rows], ["app", "app.compile"])
        text = table.markdown({"rows": rows, "threads": 1, "against": "peer", "peak_flops": 1}, toolchain.views()["avx2"])
        self.assertIn("| app | 1.000 s | 1.000 s | 1.00 | 1.00 |", text)
        self.assertIn("Both sides as avx2 (x86-64-linux-sse41-avx-avx2-fma-f16c), 1 threads:", text)

    def test_a_view_names_its_target_to_both_sides(self):
        before = dict(os.environ)
        try:
            view = toolchain.take_view("sse41")
            self.assertEqual(os.environ["FLUORITE_JIT_TARGET"], "x86-64-linux-sse41")
            self.assertEqual(os.environ["HL_JIT_TARGET"], "x86-64-linux-sse41")
            self.assertEqual(view.processor, "nehalem")
        finally:
            os.environ.clear()
            os.environ.update(before)
        self.assertEqual(toolchain.take_view(None).processor, "native")

    def test_allows_rounding_and_says_how_much(self):
        near = GOOD[:5] + [6.0000005]
        rows, complaints = self.measure(self.program("ours", [("3x2", near)]))
        self.assertEqual(complaints, "")
        self.assertEqual(table.show_output(rows[0]), "within 8.0e-08; ours to reference within 8.0e-08; peer to reference equal")

    def test_finds_a_wrong_element_anywhere(self):
        for i in (0, 3, 5):
            wrong = list(GOOD)
            wrong[i] *= 1.0001
            self.check_fails("output beside peer, hand: DIFFERENT (within", self.program("ours", [("3x2", wrong)]))

    def test_finds_a_wrong_element_of_a_later_repetition(self):
        self.check_fails("DIFFERENT", self.program("ours", [("3x2", GOOD), ("3x2", GOOD[:5] + [6.1])]))

    def test_finds_what_both_sides_do_wrong(self):
        wrong = [("3x2", GOOD[:5] + [7.0])]
        self.check_fails("output beside reference, ours, hand: DIFFERENT", self.program("ours", wrong),
                         self.program("peer", wrong))

    def test_a_nan_fails(self):
        nan = [("3x2", GOOD[:5] + [float("nan")])]
        self.check_fails("DIFFERENT", self.program("ours", nan))
        self.check_fails("DIFFERENT", self.program("ours"), self.program("peer", nan))
        self.check_fails("DIFFERENT", self.program("ours", nan), self.program("peer", nan))

    def test_an_output_of_another_shape_fails(self):
        self.check_fails("NOT COMPARED: f4 3x2 beside f4 2x3", self.program("ours"), self.program("peer", [("2x3", GOOD)]))

    def test_a_file_of_another_size_fails(self):
        self.check_fails("bytes instead of 24", self.program("ours"), self.program("peer", [("3x2", GOOD[:5])]))

    def test_a_missing_output_fails(self):
        self.check_fails("NOT COMPARED: no output", self.program("ours"), self.program("peer", [("", GOOD)]))

    def test_a_missing_file_fails(self):
        here = verdicts.Output("f4", "1", "0", "0", str(self.folder / "here"))
        pathlib.Path(here.path).write_bytes(struct.pack("f", 1))
        gone = verdicts.Output("f4", "1", "0", "0", str(self.folder / "gone"))
        for pair in ((here, gone), (gone, here)):
            verdict = verdicts.compare_outputs(COMPARE, *pair)
            self.assertFalse(verdict.ok)
            self.assertIn("NOT COMPARED: there is no", verdict.text)

    def test_a_missing_comparing_program_fails(self):
        output = verdicts.Output("f4", "1", "0", "0", "x")
        self.assertFalse(verdicts.compare_outputs(self.folder / "none", output, output).ok)

    def test_missing_repetitions_fail(self):
        output = verdicts.Output("f4", "1", "0", "0", "x")
        self.assertIn("2 repetitions beside 3", verdicts.compare_repetitions(COMPARE, [output] * 2, [output] * 3).text)

    def test_a_program_that_does_not_answer_fails(self):
        silent = self.program("ours", before="if '--compile' not in sys.argv: sys.stdin.read()")
        self.check_fails("no answer within 0.5 s", silent, patience=0.5)

    def test_a_program_that_dies_fails(self):
        self.check_fails("no memory", self.program("ours", before="if '--compile' not in sys.argv: sys.exit('no memory')"))

    def test_a_program_that_dies_at_its_end_fails(self):
        self.check_fails("late", self.program("ours", before="import atexit; atexit.register(lambda: (print('late', "
                                              "file=sys.stderr, flush=True), os._exit(3)))"))

    def test_a_compilation_that_fails_fails(self):
        self.check_fails("a compilation in a process of its own failed",
                         self.program("ours", before="if '--compile' in sys.argv: sys.exit('no')"))

    def test_a_reference_that_fails_fails(self):
        self.check_fails("reference failed: lost", self.program("ours", before="if '--reference' in sys.argv: sys.exit('lost')"))

    def test_shows_one_schedule_on_both_sides_and_each_sides_best(self):
        (self.source.parent / "app.h").write_text("schedule == Schedule::HandPeer", encoding="utf-8")
        # With the peer's schedule both take 0.25 s; with ours, we take 0.2 and the peer takes 1.
        rows, complaints = self.measure(self.program("ours", seconds=0.2), self.program("peer", seconds=1.0))
        self.assertEqual(complaints, "")
        self.assertAlmostEqual(rows[0]["same"], 1.0)
        self.assertAlmostEqual(rows[0]["best"], 0.25 / 0.2)
        self.assertEqual(len(rows[0]["verdicts"]), 3 + 4)

    def test_without_a_schedule_for_the_peer_both_ratios_are_the_same(self):
        rows, _ = self.measure(self.program("ours", seconds=0.5))
        self.assertAlmostEqual(rows[0]["same"], 2.0)
        self.assertAlmostEqual(rows[0]["best"], 2.0)

    def test_another_revision_takes_turns_with_this_one(self):
        options = argparse.Namespace(threads=1, patience=60, repetitions=2)
        programs = {before.BEFORE: self.program("old", seconds=0.5), before.NOW: self.program("new", seconds=0.25)}
        best = before.measure("app", programs, options)
        self.assertEqual(best, {"before": {"app": 0.5, "app.compile": 0.5}, "now": {"app": 0.25, "app.compile": 0.5}})
        programs[before.NOW] = self.program("new", before="if '--compile' in sys.argv: sys.exit('no')")
        with self.assertRaisesRegex(before.Failure, "compiling app, now: no"):
            before.measure("app", programs, options)


class AutoPeerTest(unittest.TestCase):
    """Automatic schedules beside the peer's: what stands in a row."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)
        self.options = argparse.Namespace(rounds=1, shrink=1, patience=20, turns=1)

    def ours(self, text):
        """What is read of a program that prints this in the place of ours."""
        program = self.build / "bench_auto_schedules"
        program.write_text(f"#!{sys.executable} -SE\nprint({text!r})\n")
        program.chmod(0o755)
        hand, automatic = auto_peer.Result(), auto_peer.Result()
        auto_peer.measure_ours(self.build, "app", self.options, hand, automatic)
        return hand.text(), automatic.text()

    GOOD_TEXT = ("app: scheduled by roofline in 0.25 s\nhand: compiled in 0.50 s\nroofline: compiled in 0.75 s\n"
                 "app   hand   8.00 ms  hand / it 1.00\napp   roofline   4.00 ms  hand / it 2.00")

    def test_reads_both_schedules_of_ours(self):
        self.assertEqual(self.ours(self.GOOD_TEXT), ("8.00 (0.00 + 0.50)", "4.00 (0.25 + 0.75)"))

    def test_says_that_outputs_differ(self):
        text = "app: roofline DIFFERS from the schedule by hand\n" + self.GOOD_TEXT
        self.assertEqual(self.ours(text)[1], "differs")

    def test_says_that_there_is_no_time(self):
        self.assertEqual(self.ours("nothing")[1], "prints no time")

    def test_names_failures_of_the_peer(self):
        for code, wanted in [("print('scheduled 1.0 compiled 2.0 run 3.5')", "3.50 (1.00 + 2.00)"), ("raise SystemExit(1)", "fails"),
                             ("import os; os.abort()", "signal 6"), ("import time; time.sleep(9)", "over 1 s"),
                             ("pass", "prints no time")]:
            program = self.build / "peer"
            program.write_text(f"#!{sys.executable} -SE\n{code}\n")
            program.chmod(0o755)
            result = auto_peer.Result()
            options = argparse.Namespace(rounds=1, shrink=1, patience=1)
            auto_peer.measure_peer(program, "hand", "app", options, result)
            self.assertEqual(result.text(), wanted)


if __name__ == "__main__":
    unittest.main()
