#!/usr/bin/env python3
"""Tests of the native checker: what it says of the examples and of bad input, and of mutants of the examples.

usage: checker_test.py CHECKER MUTATE
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

EXAMPLES = sorted((pathlib.Path(__file__).resolve().parent.parent / "examples").glob("*.cert"))
CHECKER, MUTATE = sys.argv[1:3]


def sections(source="0", target="0", forth="", back="", facts="", inputs="", reads="(target_reads)"):
    return (f"(fluorite_certificate 1 (facts {facts}) (inputs {inputs}) (source {source}) (target {target})\n"
            f"(forth {forth})\n(back {back}) {reads})")


def place(text, section, item=""):
    """Where the section of a text is, or the first of its items that begins so."""
    at = text.index("(" + section)
    at = text.index(item, at + 1) if item else at
    line = text.count("\n", 0, at)
    return f"{line + 1}:{at - (text.rfind(chr(10), 0, at) + 1) + 1}"


class Checker(unittest.TestCase):
    def check(self, text, *options):
        with tempfile.NamedTemporaryFile(suffix=".cert") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
            file.flush()
            done = subprocess.run([CHECKER, *options, file.name], capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout.replace(file.name, "FILE").strip()

    def refuses(self, text, message, *options):
        self.assertEqual(self.check(text, *options), (1, message))

    def test_examples(self):
        done = subprocess.run([CHECKER, *EXAMPLES], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        said = dict(line.split(": accepted: ") for line in done.stdout.splitlines())
        self.assertGreaterEqual(len(said), 5)
        for path, verdict in said.items():
            laws = "up to reassociation (assoc add" if "matmul" in path else "bit for bit; reads in bounds"
            self.assertIn(f"equal {laws}", verdict)

    def test_trivial(self):
        code, said = self.check(sections())
        self.assertEqual(code, 0)
        self.assertIn("FILE: accepted: equal bit for bit; reads in bounds; 0 steps", said)

    def test_numbers_of_any_size(self):
        big = "123456789012345678901234567890123456789"
        self.assertEqual(self.check(sections(source=big, target=big))[0], 0)
        self.refuses(sections(source=big, target=big[:-1] + "8"),
                     "FILE:1:1: rejected: the two derivations arrive at different programs")
        self.refuses(sections(source="-" + big, target=big),
                     "FILE:1:1: rejected: the two derivations arrive at different programs")

    def test_bad_texts(self):
        for text, message in [
                ("", "FILE:1:1: rejected: the text is empty"),
                ("(", "FILE:1:1: rejected: the text ends before this parenthesis is closed"),
                (" )", "FILE:1:2: rejected: this parenthesis closes none"),
                ("(a\n  \x01)", "FILE:2:3: rejected: the character with the code 1 occurs in no certificate"),
                (b"\xff\xfe", "FILE:1:1: rejected: the character with the code 255 occurs in no certificate"),
                ("(certificate)", "FILE:1:1: rejected: a text is one list, which begins with 'fluorite_certificate' and its "
                                  "version"),
                ("(fluorite_certificate 2)", "FILE:1:23: rejected: this reader knows version 1 of certificates, not '2'"),
                ("(fluorite_certificate 1)", "FILE:1:1: rejected: the certificate has no section 'facts'"),
                ("(fluorite_certificate 1 (inputs))",
                 "FILE:1:25: rejected: the section 'facts' is expected here, not '(inputs ...)'"),
                ("(" * 4001, "FILE:1:4001: rejected: parentheses are nested more than 4000 deep"),
                ("a" * 1001, "FILE:1:1: rejected: a word or number has more than 1000 characters"),
                ("(" + "a " * 100_001 + ")", "FILE:1:200002: rejected: a list has more than 100000 elements"),
                (sections(source="0 0"), "FILE:1:52: rejected: the section 'source' holds one program, not 2"),
                (sections(source="(gen x n)"), "FILE:1:52: rejected: there is no operator 'gen' with so many operands"),
                (sections(source="(gen 5 n 0)"), "FILE:1:57: rejected: a name is expected here, not '5'"),
                (sections(source="(get a (pow 2 n))"),
                 "FILE:1:59: rejected: there is no operator of indices 'pow' with so many operands"),
                (sections(forth="(() shuffle)"), "FILE:2:12: rejected: there is no rule 'shuffle'"),
                (sections(forth="(() (get_gen search search))"),
                 "FILE:2:12: rejected: the rule 'get_gen' has 1 operands, not 2"),
                (sections(forth="((-1) let_inline)"),
                 "FILE:2:10: rejected: a number of operands or facts is expected here, not '-1'"),
                (sections(forth="((99999999999999999999) let_inline)"), "FILE:2:10: rejected: this number is larger than 100000"),
                (sections(forth="(() (get_gen oracle))"),
                 "FILE:2:21: rejected: a witness is expected here, not 'oracle'"),
                (sections(inputs="(a n) (b n) (a 0)"), "FILE:1:54: rejected: the input 'a' has extents already"),
                (sections(reads="(target_reads) (target_joined (() ()))"),
                 "FILE:3:39: rejected: two bindings or more share loops, not 0"),
                (sections(reads="(target_reads) (target_reads)"),
                 "FILE:3:24: rejected: there is no section '(target_reads ...)' here"),
                (sections(reads="(target_reads) (target_slides (() y))"),
                 "FILE:3:39: rejected: a path, a loop, its extent, what slides and the witnesses of reads are expected here, "
                 "not a list"),
                (sections(reads="(target_reads) (target_slides (() y n (some) ()))"),
                 "FILE:3:48: rejected: 'none', or a dimension, its rows in memory, the rows wanted, a store and a witness, is "
                 "expected here, not 'some'"),
        ]:
            with self.subTest(text=text[:60]):
                self.refuses(text, message)

    def test_wrong_derivations(self):
        self.refuses(sections(forth="(() let_inline)"),
                     "FILE:2:8: rejected: the rule let_inline does not apply there, or a witness does not prove its side "
                     "condition")
        read = "(get (gen x n t) 3)"
        self.refuses(sections(source=read, target="t", forth="(() (get_gen (and search search)))"),
                     "FILE:2:8: rejected: the rule (get_gen (and search search)) does not apply there, or a witness does not "
                     "prove its side condition")
        self.assertEqual(self.check(sections(source=read, target="t", facts="(< 3 n)", inputs="(t)",
                                             forth="(() (get_gen (and search search)))"))[0], 0)

    def test_capture(self):
        """Inlining under a loop of the same name would capture it; the step is refused."""
        source = "(let t (get a x) (gen x n t))"
        self.refuses(sections(source=source, target="(gen x n (get a x))", forth="(() let_inline)"),
                     "FILE:2:8: rejected: the rule let_inline does not apply there, or a witness does not prove its side "
                     "condition")

    def test_long_rules_are_named_in_one_line(self):
        rule = "(reindex ((long_name_of_a_loop 4) (another_one 5)) (0 0) (0) true true)"
        code, said = self.check(sections(forth=f"(() {rule})"))
        self.assertEqual((code, said.count("\n")), (1, 0), said)
        self.assertIn("the rule (reindex ((long_name_of_a_loop 4) (another_one 5)) (0 0) ... does not apply", said)

    def test_reads(self):
        copy = "(gen x n (get a x))"
        reads = "(target_reads (and search search))"
        self.assertEqual(self.check(sections(source=copy, target=copy, inputs="(a n)", reads=reads))[0], 0)
        refused = "rejected: a witness does not prove that a read is in bounds, or there are too few or too many witnesses"
        for text in [sections(source=copy, target=copy, inputs="(a (- n 1))", reads=reads),
                     sections(source=copy, target=copy, inputs="(a n)"),
                     sections(source=copy, target=copy, inputs="(a n)", reads="(target_reads (and search search) search)")]:
            self.refuses(text, f"FILE:{place(text, 'target_reads')}: {refused}")
        text = sections(source=copy, target=copy, inputs="(a n)", reads="(source_reads true) " + reads)
        self.refuses(text, f"FILE:{place(text, 'source_reads')}: {refused}")
        self.refuses(sections(reads=""),
                     "FILE:1:1: rejected: there is no section 'target_reads', hence nothing says that reads are in bounds")
        self.assertIn("reads not checked", self.check(sections(reads=""), "--values-only")[1])

    def test_slides(self):
        """A binding of three rows that a loop of four iterations reads, of which each is wanted one iteration later."""
        window = "(reindex ((i 6)) (i) (gen l 6 (get a l)))"
        program = f"(let w {window} (gen y 4 (op2 add (get w y) (get w (+ y 2)))))"
        row = "((l) true (and (and search search) (and (and search search) (and true true))) " \
              "(and (and search search) (and (and search search) (and true true))))"
        found = "(and (and search search) search)"

        def text(rows="3", upto="(+ y 3)", loop="y", extent="4", finds=f"{found} {found}", target=program):
            slide = f"(0 {rows} {upto} {row} (and search (or search)))"
            reads = "(target_reads" + " (and search search)" * 3 + ")"
            return sections(source=target, target=target, inputs="(a 6)",
                            reads=f"{reads} (target_slides (() {loop} {extent} ({slide}) ({finds})))")

        code, said = self.check(text())
        self.assertEqual(code, 0, said)
        self.assertIn("; a window slides;", said)
        refused = ("rejected: nothing proves of the windows of section 'target_slides', number 1, that iterations "
                   "find the rows that they read: a witness does not, or the bindings there are others")
        for wrong in [text(rows="2"), text(upto="(+ y 2)"), text(upto="(- 9 y)"), text(loop="z"), text(extent="5"),
                      text(finds=found), text(finds=f"{found} {found} {found}"),
                      text(target=program.replace("(gen y 4", "(mark parallel (gen y 4") + ")"),
                      text(target=program.replace("(op2 add", "(op2 add (get w 0) (op2 add") + ")"),
                      text().replace("(() y 4", "((1) y 4")]:
            self.refuses(wrong, f"FILE:{place(wrong, 'target_slides', '((')}: {refused}")

    def test_beside(self):
        """A nest in the loop along which a window slides: it may share loops with the window unless it reads it."""
        window = "(reindex ((i 6)) (i) (gen l 6 (get a l)))"
        proof = "(and (and search search) (and (and search search) (and true true)))"
        found = "(and (and search search) search)"

        def text(read="(get b y)", path="1 0", windows="w", finds=2, number="0"):
            nest = f"(reindex ((j 1)) (j) (gen m 1 {read}))"
            program = f"(let w {window} (gen y 4 (let u {nest} (op2 add (get u 0) (op2 add (get w y) (get w (+ y 2)))))))"
            slide = f"(0 3 (+ y 3) ((l) true {proof} {proof}) (and search (or search)))"
            reads = "(target_reads" + " (and search search)" * 5 + ")"
            return sections(source=program, target=program, inputs="(a 6) (b 4)",
                            reads=f"{reads} (target_slides (() y 4 ({slide}) ({' '.join([found] * finds)}))) "
                                  f"(target_beside ({number} ({path}) ({windows}) (((m) true {proof} {proof}))))")

        code, said = self.check(text())
        self.assertEqual(code, 0, said)
        self.assertIn("; a window slides; a loop is shared;", said)
        refused = ("rejected: the windows and bindings of section 'target_beside', number 1, may not share loops: one "
                   "reads another, the bindings there are others, or a witness does not prove where they store")
        for wrong in [text(read="(get w y)", finds=3), text(path="1"), text(path=""), text(windows="u"), text(windows="w v")]:
            self.refuses(wrong, f"FILE:{place(wrong, 'target_beside', '(0')}: {refused}")
        self.assertIn("a window has one name here, once", self.check(text(windows="w w"))[1])
        self.assertIn("there is no number 1 in the section 'target_slides'", self.check(text(number="1"))[1])
        self.assertIn("a window, and another window or a nest, at least share loops", self.check(text(windows=""))[1])

    def test_deep_programs(self):
        """As deep as the reader lets through: checked without a crash."""
        deep = "(op1 f " * 3990 + "0" + ")" * 3990
        self.assertEqual(self.check(sections(source=deep, target=deep))[0], 0)

    def test_time(self):
        facts = " ".join(f"(<= (* {i} a{i}) (* {i + 1} b{i}))" for i in range(1, 600))
        self.refuses(sections(source="(if (< n 0) 1 2)", target="2", facts=facts, forth="(() (if_true search))"),
                     "FILE:1:1: rejected: checking takes more than 1 seconds", "--seconds", "1")

    def test_usage(self):
        for arguments in ([], ["--fast"], ["--seconds", "soon", "file"]):
            self.assertEqual(subprocess.run([CHECKER, *arguments], capture_output=True).returncode, 2)
        done = subprocess.run([CHECKER, "/nowhere.cert"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No such file", done.stdout)

    def test_truncated_examples(self):
        """Every prefix of a certificate is refused by the reader."""
        with tempfile.TemporaryDirectory() as folder:
            text = EXAMPLES[0].read_text().rstrip()
            paths = []
            for size in range(0, len(text), 37):
                paths.append(pathlib.Path(folder) / f"{size}.cert")
                paths[-1].write_text(text[:size])
            done = subprocess.run([CHECKER, *paths], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            self.assertEqual(done.stdout.count(": rejected: "), len(paths))

    def test_mutants(self):
        done = subprocess.run([MUTATE, "--count", "600", "--seed", "7", *EXAMPLES], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(" 0 wrong", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
