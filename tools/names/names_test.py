#!/usr/bin/env python3
"""Tests of ./dev names on a pair of small headers; skipped without libclang's module."""

import contextlib
import io
import pathlib
import sys
import tempfile
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
try:
    import declarations
    import names
except ImportError as error:
    print(f"skipped: {error}; ./dev setup installs python3-clang-19")
    sys.exit(77)

THERE = """
#define HALIDE_ONE 1
#define HALIDE_TWO 2
#include <string>
namespace Halide {
enum class Memory { Heap, Stack };
enum Kind { Small, Large };
struct Expr { Expr(int); explicit Expr(double); };
struct Var { Var(); operator Expr() const; };
Expr operator+(Expr, Expr);
Expr same(Expr);
Expr with_default(Expr, int = 1, int = 2);
template <typename T> T cast(Expr);
namespace Internal { struct Secret {}; void secret(); }
void reads(const Internal::Secret &);
template <typename T> struct Buffer {
    Buffer(int, int = 1);
    T &operator()(int);
    static Buffer make(const std::string &name = "");
    int width() const;
    template <typename Fn> void each(Fn &&fn) { fn(1); }
};
struct Base { int x; };
struct Derived : Base {
    Derived &first(Expr);
    Derived &second(Expr, Var);
  protected:
    int hidden() const;
};
struct Gone { int member; };
} // namespace Halide
"""
# All that is there, by other means: templates, inherited members, wider types.
SAME = """
#define HALIDE_ONE 1
#define HALIDE_TWO 2
#include <string>
namespace Halide {
enum class Memory { Stack, Heap };
enum Kind { Large, Small };
struct Expr { Expr(int); explicit Expr(double); Expr plus(Expr) const; };
struct Wide { Wide(Expr); Wide(int); template <typename T, decltype(Expr(T())) * = nullptr> Wide(T); };
struct Var { Var(); operator Expr() const; };
inline Expr operator+(const Expr &a, const Expr &b) { return a.plus(b); }
template <typename T> Expr same(T);
Expr with_default(Expr, long = 1, long = 2);
template <typename T> T cast(const Expr &);
namespace Internal { struct Secret {}; }
void reads(const Internal::Secret &);
template <typename T> struct Contents {
    T &operator()(long);
    long width() const;
    template <typename Fn> void each(Fn fn) { fn(1); }
};
template <typename T> struct Buffer : Contents<T> {
    Buffer(long, long = 1);
    static Buffer make(const std::string &name = "");
};
struct Base { long x; };
template <typename T> struct Directives {
    T &first(Expr);
    T &second(Expr, Var);
  protected:
    int hidden() const;
};
struct Derived : Base, Directives<Derived> {};
struct Gone { int member; };
} // namespace Halide
"""


class Names(unittest.TestCase):
    def compare(self, ours, reasons=""):
        """What ./dev names prints of the two headers, and the rows of its summary."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for side, text in (("there", THERE), ("ours", ours)):
                (folder / side).mkdir()
                (folder / side / "small.h").write_text(text)
            (folder / "instances.tsv").write_text("Halide::Buffer\tfloat\nHalide::Buffer::each\tid<void (*)(int)>\n")
            (folder / "reasons.tsv").write_text(reasons)
            options = types.SimpleNamespace(peer=[folder / "there"], ours=[folder / "ours"], only="", details=False,
                                            untried=True)
            self.reasons = names.Reasons(folder / "reasons.tsv")
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                rows, untried = names.compare("small.h", lambda scope: True, options,
                                                      declarations.Instances(folder / "instances.tsv"), self.reasons)
            self.assertEqual(untried, 0, printed.getvalue())
            return printed.getvalue(), rows

    def changed(self, *replacements):
        text = SAME
        for old, new in replacements:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        return self.compare(text)[0]

    def test_nothing_is_missing_however_it_is_declared(self):
        printed, rows = self.compare(SAME)
        self.assertEqual(printed, "")
        self.assertGreater(sum(row[0] for row in rows.values()), 25)
        self.assertEqual(sum(row[1] + row[2] for row in rows.values()), 0)

    def test_functions_and_conversions(self):
        printed = self.changed(
            ("template <typename T> Expr same(T);", ""), ("Expr with_default(Expr, long = 1, long = 2);",
                                                          "Expr with_default(Expr, long);"),
            ("template <typename T> T cast(const Expr &);", ""),
            ("inline Expr operator+(const Expr &a, const Expr &b) { return a.plus(b); }", ""),
            ("operator Expr() const;", "explicit operator Expr() const;"),
            ("struct Expr { Expr(int);", "struct Expr { explicit Expr(int);"))
        for name in ("same(Halide::Expr)", "with_default(Halide::Expr, int = ..., int = ...)", "cast(Halide::Expr)",
                     "operator+(Halide::Expr, Halide::Expr)", "Var::operator Halide::Expr() const", "Expr::Expr(int)"):
            self.assertIn(f"    Halide::{name}\n", printed)

    def test_members_of_templates_and_bases_and_enumerators(self):
        printed = self.changed(
            ('static Buffer make(const std::string &name = "")', "static Buffer make(int)"),
            ("void each(Fn fn)", "void every(Fn fn)"), ("Derived : Base, Dir", "Derived : Dir"),
            ("T &first(Expr);", "void first(Expr);"), ("protected:\n    int hidden", "private:\n    int hidden"),
            ("Stack, Heap", "Heap"), ("Large, Small", "Large"), ("#define HALIDE_TWO 2", ""))
        for name in ("Halide::Buffer<float>::each(id<void (*)(int)> &&)", "Halide::Derived : Halide::Base",
                     "Halide::Derived::first(Halide::Expr)", "Halide::Derived::hidden() const",
                     "Halide::Memory::Stack", "Halide::Kind::Small", "Halide::Small", "HALIDE_TWO"):
            self.assertIn(f"    {name}\n", printed)
        self.assertIn("Halide::Buffer<float>::make(", printed)
        self.assertNotIn("HALIDE_ONE", printed)

    def test_a_missing_class_is_listed_with_its_members(self):
        printed = self.changed(("struct Gone { int member; };", ""))
        self.assertIn("Halide::Gone: the class and its members\n    Halide::Gone\n    Halide::Gone::member\n", printed)

    def test_a_header_that_stops_has_nothing(self):
        printed, rows = self.compare('#include "not_there.h"\n' + SAME)
        self.assertIn("small.h: does not compile:", printed)
        self.assertEqual(sum(row[0] for row in rows.values()), 0)

    def test_rows_with_reasons(self):
        ours = SAME.replace("struct Gone { int member; };", "")
        printed, rows = self.compare(ours, reasons="Halide::Gone*\tno use\nHalide::There*\tnever\n")
        self.assertEqual(printed, "")
        self.assertEqual(rows["Halide::Gone"], [0, 0, 2])
        self.assertEqual(self.reasons.unused(), ["Halide::There*"])

    def test_arguments_of_templates(self):
        self.assertEqual(declarations.split_arguments("A<B, C>, void (*)(int, D), 2"),
                         ["A<B, C>", "void (*)(int, D)", "2"])
        inside = declarations.Substitution([[("T", "float"), ("N", "2")]])
        self.assertEqual(inside("Buffer<type-parameter-0-0, N> &&"), "Buffer<float, 2> &&")


if __name__ == "__main__":
    unittest.main()
