"""Each check of ./dev lint finds its fault, and is silent about a tree without the fault."""

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import checks  # noqa: E402
import docs  # noqa: E402
import tree  # noqa: E402

LAYERS = 'rows = [\n    ["support"],\n    ["ir"],\n]\n[public_headers]\n"api.h" = "ir"\n"abi.h" = "runtime"\n'


class LintTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.saved = tree.ROOT
        tree.ROOT = pathlib.Path(self.folder.name)
        subprocess.run(["git", "init", "-q", self.folder.name], check=True)

    def tearDown(self):
        tree.ROOT = self.saved

    def complaints(self, check, **files):
        """The complaints of a check about a tree of these files; __ in their names stands for / and _dot_ for a dot."""
        self.write("layers.toml", LAYERS)
        for name, text in files.items():
            self.write(name.replace("__", "/").replace("_dot_", "."), text)
        return list(check())

    def write(self, name, text):
        path = tree.ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        tree.files.cache_clear()
        tree.read.cache_clear()

    def make_docs(self):
        with contextlib.redirect_stdout(io.StringIO()):
            docs.main([])

    def test_layering_accepts_earlier_rows(self):
        self.assertEqual([], self.complaints(
            checks.layering, src__support__a_dot_h='#include "fluorite/abi.h"\n', include__fluorite__abi_dot_h="",
            src__ir__b_dot_cpp='#include "support/a.h"\n#include <vector>\n'))

    def test_layering_refuses_later_rows(self):
        found = self.complaints(checks.layering, src__support__a_dot_h='\n#include "ir/b.h"\n', src__ir__b_dot_h="")
        self.assertEqual(1, len(found))
        self.assertIn("src/support/a.h:2: support includes src/ir/b.h of ir", found[0])

    def test_layering_finds_headers_of_a_tool_from_its_folder(self):
        headers = {"tools__fuzz__run_dot_h": "", "tools__fuzz__cases__case_dot_h": '#include "run.h"\n'}
        includes = '#include "cases/case.h"\n#include "run.h"\n'
        self.assertEqual([], self.complaints(checks.layering, tools__fuzz__cases__case_dot_cpp=includes, **headers))
        found = self.complaints(checks.layering, tools__demo__main_dot_cpp=includes, **headers)
        self.assertEqual(2, len(found))
        self.assertIn('"cases/case.h" is not in the repository', found[0])

    def test_layering_counts_public_headers_as_their_owners(self):
        found = self.complaints(checks.layering, src__support__a_dot_h='#include "fluorite/api.h"\n',
                                include__fluorite__api_dot_h="")
        self.assertEqual(1, len(found))

    def test_layering_wants_an_owner(self):
        found = self.complaints(checks.layering, include__fluorite__new_dot_h="")
        self.assertIn("no module owns this file", found[0])

    def test_layering_gives_other_headers_to_the_default_owner(self):
        self.write("layers.toml", LAYERS + '"*" = "ir"\n')
        self.assertEqual("ir", tree.Layers().module_of(pathlib.PurePosixPath("include/fluorite/new.h")))

    def test_layering_keeps_the_compiler_out_of_the_runtime(self):
        found = self.complaints(checks.layering, runtime__a_dot_cpp='#include "support/a.h"\n', src__support__a_dot_h="")
        self.assertIn("runtime/ depends on its ABI header alone", found[0])

    def test_layering_keeps_llvm_in_its_place(self):
        found = self.complaints(checks.layering, src__ir__a_dot_cpp="#include <llvm/IR/Module.h>\n")
        self.assertIn("LLVM's headers belong to", found[0])

    def test_layering_knows_modules_inside_of_modules(self):
        self.write("layers.toml", LAYERS.replace('["ir"]', '["ir"], ["ir/text"]'))
        self.assertEqual("ir/text", tree.Layers().module_of(pathlib.PurePosixPath("src/ir/text/a.h")))
        self.assertEqual("ir", tree.Layers().module_of(pathlib.PurePosixPath("src/ir/other/a.h")))

    def test_cycles(self):
        found = self.complaints(checks.include_cycles, src__ir__a_dot_h='#include "ir/b.h"\n',
                                src__ir__b_dot_h='#include "ir/c.h"\n', src__ir__c_dot_h='#include "a.h"\n')
        self.assertEqual(1, len(found))
        self.assertIn("src/ir/a.h -> src/ir/b.h -> src/ir/c.h -> src/ir/a.h", found[0])

    def test_words(self):
        for text in ("see /ho" + "me/me/x", "// TO" + "DO later", "std::cout << 1;", 'getenv("X")', "http" + "s://a.b/c"):
            with self.subTest(text):
                self.assertEqual(1, len(self.complaints(checks.words, src__ir__a_dot_cpp=text + "\n")))
        self.assertEqual([], self.complaints(checks.words, src__ir__a_dot_cpp="int a; // in a/work/b\n"))
        self.assertEqual([], self.complaints(checks.words, src__ir__test_a_dot_h='getenv("X")\n'))

    def test_columns(self):
        prose, example = "// " + "word " * 25 + "\n", "//   " + "x" * 130 + "\n"
        self.assertEqual(1, len(self.complaints(checks.columns, src__ir__a_dot_cpp=prose)))
        self.assertEqual([], self.complaints(checks.columns, src__ir__a_dot_cpp=example + "int a;\n"))

    def test_prose(self):
        found = self.complaints(checks.prose, src__lowering__a_dot_cpp="// What it does.\nint a;\n")
        self.assertIn("opens with 1 lines", found[0])
        self.assertEqual([], self.complaints(checks.prose, src__lowering__a_dot_cpp="// Line.\n" * 6))

    def test_slugs(self):
        slug = {"src__support__error_slugs_dot_def": 'FLUORITE_SLUG(some-thing, "When\\"ever.")\n'}
        found = self.complaints(checks.error_slugs, **slug)
        self.assertEqual(2, len(found))  # neither a test nor a paragraph
        page = "# Errors\n\n## some-thing\n\n*When.*\n\nBecause.\n"
        self.assertEqual([], self.complaints(checks.error_slugs, **slug, docs__errors_dot_md=page,
                                             src__ir__a_test_dot_cpp='f("[some-thing]");'))
        found = self.complaints(checks.error_slugs, src__ir__a_dot_cpp='throw CompileError("un-listed", "x");')
        self.assertIn("[un-listed] is not in", found[0])

    def test_a_longer_slug_does_not_test_a_shorter_one(self):
        found = self.complaints(checks.error_slugs, src__support__error_slugs_dot_def='FLUORITE_SLUG(some, "A.")\n',
                                docs__errors_dot_md="## some\n\nText.\n", src__ir__a_test_dot_cpp='f("[some-thing]");')
        self.assertEqual(1, len(found))

    def test_directives(self):
        rows = {"src__schedule__directives__directives_dot_def": 'FLUORITE_DIRECTIVE(split, "one loop into two")\n'}
        self.assertEqual(2, len(self.complaints(checks.directives, **rows)))
        self.assertEqual([], self.complaints(checks.directives, **rows, docs__directives__split_dot_md="# split\n",
                                             tests__a__b_dot_cpp="f.split(x, o, i, 4);"))

    def silent_tests(self, text):
        return len(self.complaints(checks.assertions_in_tests, src__ir__a_test_dot_cpp=text))

    def test_tests_assert(self):
        self.assertEqual(1, self.silent_tests("TEST(A, B) {\n    run(); // EXPECT_EQ(1, 1)\n}\n"))
        self.assertEqual(0, self.silent_tests("TEST(A, B) {\n    EXPECT_EQ(1, 1);\n}\n"))
        self.assertEqual(1, self.silent_tests('TEST(A, B) {\n    say("EXPECT_EQ(1, 1)");\n}\nTEST(A, C) { FAIL(); }\n'))

    def test_tests_assert_by_what_they_call(self):
        helper = "void check(int a) {\n    EXPECT_EQ(a, 1);\n}\n"
        self.assertEqual(0, self.silent_tests(helper + "TEST(A, B) {\n    check(1);\n}\n"))
        self.assertEqual(0, self.silent_tests(helper + "void twice() { check(2); }\nTEST(A, B) { twice(); }\n"))
        self.assertEqual(1, self.silent_tests(helper + "TEST(A, B) { other(1); }\n"))
        self.write("src/ir/test_check.h", helper)
        self.assertEqual(0, self.silent_tests('#include "ir/test_check.h"\nTEST(A, B) { check(1); }\n'))

    def test_assertions_in_catch_do_not_count(self):
        body = "try {\n run();%s\n } catch (const E &error) {\n EXPECT_EQ(error.slug(), s);\n }\n"
        self.assertEqual(1, self.silent_tests("TEST(A, B) {\n" + body % "" + "}\n"))
        self.assertEqual(0, self.silent_tests("TEST(A, B) {\n" + body % " FAIL();" + "}\n"))

    def test_namespaces(self):
        check = checks.test_namespaces
        test = "namespace fluorite::%s {\nTEST(A, B) {}\n}\n"
        self.assertEqual([], self.complaints(check, src__ir__a_test_dot_cpp=test % "a_test"))
        self.assertEqual(1, len(self.complaints(check, src__ir__a_test_dot_cpp=test % "ir")))
        self.assertEqual(2, len(self.complaints(check, src__ir__b_test_dot_cpp=test % "a_test")))

    def test_defaults_over_kinds_have_a_reason(self):
        switch = "int f(K k) {\n    switch (k) {\n    case ir::ExprKind::Add:\n        return 1;\n    %s\n    }\n}\n"
        silent = "default:\n        return 0;"
        found = self.complaints(checks.switches, src__ir__a_dot_cpp=switch % silent)
        self.assertEqual(1, len(found))
        self.assertIn("src/ir/a.cpp:5: the default hides kinds", found[0])
        for allowed in ("default: // a term\n        return 0;", "default:\n        // a term\n        return 0;", ""):
            self.assertEqual([], self.complaints(checks.switches, src__ir__a_dot_cpp=switch % allowed))
        other = (switch % silent).replace("ExprKind", "Colour")
        self.assertEqual([], self.complaints(checks.switches, src__ir__a_dot_cpp=other))
        tests = {"src__ir__a_dot_cpp": "", "src__ir__a_test_dot_cpp": switch % silent}
        self.assertEqual([], self.complaints(checks.switches, **tests))

    def test_defaults_belong_to_their_own_switch(self):
        inner = "switch (c) { case '{': return 1; default: return 2; }"
        self.assertEqual([], self.complaints(checks.switches, src__ir__a_dot_cpp=
                                             "switch (k) {\ncase ExprKind::Add:\n%s\n} // default:\n" % inner))
        outer = "switch (c) { case Colour::Red: switch (k) { case MathOp::Sin: break; } default: return 2; }"
        self.assertEqual([], self.complaints(checks.switches, src__ir__a_dot_cpp=outer))

    def test_docs_keep_what_people_wrote(self):
        self.complaints(checks.error_slugs, src__support__error_slugs_dot_def='FLUORITE_SLUG(one, "First.")\n',
                        docs__errors_dot_md="## one\n\n*Old line.*\n\nHand-written.\n")
        self.assertIn("docs/errors.md", list(docs.stale()))
        self.make_docs()
        page = (tree.ROOT / "docs" / "errors.md").read_text()
        self.assertIn("## one\n\n*First.*\n\nHand-written.\n", page)
        self.assertEqual([], list(docs.stale()))

    def test_errors_are_sorted_and_indexed(self):
        self.complaints(checks.error_slugs, src__support__error_slugs_dot_def='FLUORITE_SLUG(two, "B.")\n'
                        'FLUORITE_SLUG(one, "A.")\nFLUORITE_SLUG(three, "C.")\n')
        self.make_docs()
        page = (tree.ROOT / "docs" / "errors.md").read_text()
        self.assertIn("- [one](#one): A.\n- [three](#three): C.\n- [two](#two): B.\n\n## one", page)
        self.assertEqual(["one", "three", "two"], list(docs.sections("docs/errors.md")))

    def test_directives_have_a_line_each(self):
        self.complaints(checks.directives, docs__directives__split_dot_md="# `split`\n",
                        src__schedule__directives__directives_dot_def='FLUORITE_DIRECTIVE(split, "cuts a loop",\n    "old, new")\n')
        self.make_docs()
        page = (tree.ROOT / "docs/directives/README.md").read_text()
        self.assertIn("\n- [split](split.md): cuts a loop\n", page)
        self.assertIn("\n| `split` | old, new |\n", page)

    def test_environment(self):
        found = self.complaints(checks.environment, runtime__a_dot_cpp='from("HL_B"); std::getenv(name);\ngetenv("HOME");\n',
                                docs__environment_dot_md="| `FLUORITE_GONE` | 1 | no more |\n")
        self.assertEqual(3, len(found))
        self.assertIn("runtime/a.cpp:1: reads the environment variable HL_B", found[0] + found[1])
        self.assertIn("FLUORITE_GONE, which no source reads", found[2])
        self.assertEqual([], self.complaints(checks.environment,
                                             docs__environment_dot_md="| `HL_B`, `HOME` | 1 | both |\n"))

    def test_environment_table(self):
        page = "| `FLUORITE_A`, `HL_B` | 1 | both |\n"
        source = 'getenv("FLUORITE_A"); getenv("HL_B");\n'
        found = self.complaints(checks.environment, src__a_dot_cpp=source, docs__environment_dot_md=page,
                                runtime__environment_dot_cpp='"FLUORITE_", "FLUORITE_OLD"\n')
        self.assertEqual(2, len(found))
        self.assertIn("differ in FLUORITE_A", found[0])
        self.assertIn("differ in FLUORITE_OLD", found[1])
        self.assertEqual([], self.complaints(checks.environment, runtime__environment_dot_cpp='"FLUORITE_", "FLUORITE_A"\n'))

    def test_public_functions(self):
        header = """/// A class.
class Shape : public detail::Base {
  public:
    Shape() = default;
    Shape(const Shape &other);
    ~Shape();
    bool operator==(const Shape &other) const;
    /// Width and height.
    int width() const { return 1; }
    int height() const {
        // This says nothing of depth.
        return 2;
    }

    // ---- Queries.
    template <typename T, int (*f)(int)> std::vector<T> depth(int a = g(1)) const;
    int area() const; // in pixels
    int (*hook)(int) = nullptr;

  private:
    int hidden();
};
int Shape::depth() { return 3; }
namespace detail {
int internal();
struct Base {
    int inherited();
};
} // namespace detail
#ifdef A
enum E : int {
#else
enum {
#endif
    one };
extern "C" {
/* Of C. */
int plain(void);

int bare(void);
}
"""
        found = self.complaints(checks.public_functions, include__fluorite__a_dot_h=header,
                                include__fluorite__runtime__b_dot_h="int hidden();\n")
        self.assertEqual(["depth", "bare", "inherited"], [line.split("documents ")[1].split(";")[0] for line in found])
        self.assertIn("include/fluorite/a.h:16: nothing documents depth; say what it gives", found[0])

    def test_costs(self):
        table = ('// ---- Loops.\nCOST(a, 1.5, "cycles", Guess, "x")\nLIST(b, (1, 2), "rows", Limit,\n     "y "\n     "z")\n')
        found = self.complaints(checks.costs, src__autoschedule__costs_dot_def=table + 'COST(c, 1, "", Guess)\n'
                                'COST(d, 1, "", Feeling, "x")\n',
                                src__autoschedule__a_dot_cpp="constexpr double ways = 2, more = costs::a;\n"
                                "constexpr int64_t none = -1;\n", src__lowering__a_dot_cpp="constexpr int b = 1;\n")
        self.assertEqual(3, len(found))
        self.assertIn("src/autoschedule/a.cpp:1: ways is a number", found[0])
        self.assertIn("1 rows have no unit", found[1])
        self.assertIn("the row of d has no source, or a basis", found[2])
        self.assertEqual([], self.complaints(checks.costs, src__autoschedule__costs_dot_def=table,
                                             src__autoschedule__a_dot_cpp="constexpr int64_t none = -1;\n"))
        self.make_docs()
        self.assertIn("**Loops**\n\n| name | value | unit | basis | source |\n|---|---|---|---|---|\n"
                      "| `a` | 1.5 | cycles | guess | x |\n| `b` | 1, 2 | rows | limit | y z |\n",
                      (tree.ROOT / "docs/costs.md").read_text())

    def test_dead_links(self):
        self.complaints(checks.documentation)
        self.make_docs()
        found = self.complaints(checks.documentation, docs__a_dot_md="[b](b.md) [c](a.md#x)\n")
        self.assertEqual(1, len(found))
        self.assertIn("docs/a.md:1: the link to b.md", found[0])


if __name__ == "__main__":
    unittest.main()
