// Texts for the user contain the user's names, and none of the compiler's own.
#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace fluorite::texts_test {
namespace {

/// Checks that a text has no marks of the compiler's text form: owners of symbols, names of stages and loops.
void expect_plain(const std::string &text) {
    for (const char *mark : {"@", "{", "->", "$", ".s0", ".s1", "stored_extent", "+ -", ":int32", "__"}) {
        EXPECT_EQ(text.find(mark), std::string::npos) << mark << " in " << text;
    }
}

std::string failure_of(const std::function<void()> &run, const std::string &slug) {
    try {
        run();
    } catch (const RuntimeError &error) {
        EXPECT_EQ(error.slug(), slug);
        return error.message();
    }
    ADD_FAILURE() << "accepted; expected [" << slug << "]";
    return "";
}

class Texts : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, xi{"xi"}, yi{"yi"};
    Func f{"f"}, g{"g"}, h{"h"};

    static std::string required(const std::string &condition, const std::string &seen) {
        return "in require(" + condition + "): " + seen +
               "; the condition must hold for every point that is computed; pass inputs and parameters that meet it";
    }
    std::string fails(Func func) {
        return failure_of([&] { func.realize({8}); }, "requirement-failed");
    }
};

TEST_F(Texts, RequirementsSayWhatWasWritten) {
    f(x) = require(x < 3, x, "x is", x);
    EXPECT_EQ(fails(f), required("x < 3", "x is 3"));
}

TEST_F(Texts, RequirementsUnderSchedules) {
    f(x) = require(x < 3, x, "too far");
    g(x) = f(x + 1);
    EXPECT_EQ(fails(g), required("x < 3", "too far")) << "inlined";
    f.compute_root().vectorize(x, 4);
    EXPECT_EQ(fails(g), required("x < 3", "too far")) << "vectorized";
    f.compute_at(g, x);
    EXPECT_EQ(fails(g), required("x < 3", "too far")) << "at a loop";
}

TEST_F(Texts, RequirementsOfAllKindsOfValues) {
    Param<int> limit("limit", 3);
    Buffer<int> image(8, "image");
    image.fill(9);
    RDom r(0, 5, "r");
    f(x) = x;
    f.compute_root();
    g(x) = require(f(x) < limit && image(x) < 3, x, "no");
    EXPECT_EQ(fails(g), required("f(x) < limit && image(x) < 3", "no"));
    h(x) = 0;
    h(x) += require(r < 3, r, "no");
    EXPECT_EQ(fails(h), required("r.x < 3", "no"));
    ImageParam in(Int(32), 1, "in");
    in.set(image);
    Func k("k");
    k(x) = in(clamp(x, 0, 3));
    Pipeline pipeline(k);
    pipeline.add_requirement(in.dim(0).extent() > 100, "too narrow");
    EXPECT_EQ(failure_of([&] { pipeline.realize({2}); }, "requirement-failed"),
              required("in.dim(0).extent() > 100", "too narrow"));
}

TEST_F(Texts, ExplainBounds) {
    f(x, y) = x + y;
    g(x, y) = f(x - 1, y) + f(x + 1, y);
    f.compute_root();
    EXPECT_EQ(g.explain_bounds(f),
              "f is computed at root, stored at root\n"
              "  g, stage 0 reads (x - 1, y), so it needs x in [g.x.min - 1, g.x.max - 1] y in "
              "[g.y.min, g.y.max]\n"
              "  g, stage 0 reads (x + 1, y), so it needs x in [g.x.min + 1, g.x.max + 1] y in "
              "[g.y.min, g.y.max]\n"
              "  stage 0 computes x in [g.dim(0).min() - 1, g.dim(0).extent() + g.dim(0).min()] y in "
              "[g.dim(1).min(), g.dim(1).min() + g.dim(1).extent() - 1]\n"
              "  storage of x has extent f.x.max - f.x.min + 1\n"
              "  storage of y has extent g.y.max - g.y.min + 1\n");
    Func twice("twice");
    twice(x, y) = Tuple(f(x, y), f(x, y) * f(x, y));
    const std::string text = twice.explain_bounds(f), read = "twice, stage 0 reads (x, y)";
    EXPECT_NE(text.find(read), std::string::npos) << text;
    EXPECT_EQ(text.find(read), text.rfind(read)) << "a read is listed once, however often it occurs\n" << text;
    g.tile(x, y, xi, yi, 8, 4).vectorize(xi);
    for (Func *producer : {&f}) {
        producer->compute_at(g, x);
        expect_plain(g.explain_bounds());
        producer->store_root();
        expect_plain(g.explain_bounds());
    }
}

TEST_F(Texts, ExplainBoundsOfUpdates) {
    RDom r(0, 5, "r");
    f(x, y) = x + y;
    g(x, y) = 0;
    g(x, y) += f(x + r, y);
    h(x, y) = g(x, y - 1) + g(x * 2, y);
    f.compute_root();
    g.compute_root();
    h.vectorize(x, 8);
    expect_plain(h.explain_bounds());
    expect_plain(h.pipeline().explain_schedule({100, 100}));
}

TEST_F(Texts, DomainsOfOneNameHaveTheirPlaces) {
    RDom r(0, 5);
    const unsigned line = __LINE__ + 1;
    RDom s(0, 5), t(0, 5);
    f(x) = 0;
    const auto message = [&](const std::function<void()> &run) {
        try {
            run();
        } catch (const CompileError &error) {
            EXPECT_EQ(error.slug(), "several-rdoms");
            return error.message();
        }
        return std::string("accepted");
    };
    const std::string here = std::string(__FILE__) + ":";
    EXPECT_EQ(message([&] { f(x) += r * s; }),
              "in f, stage 1: it uses RDom r (made at " + here + std::to_string(line - 2) + ") and RDom r (made at " +
                  here + std::to_string(line) + "); an update runs over one RDom; make one RDom of all dimensions");
    const std::string of_one_line = message([&] { sum(s * t); }), column = here + std::to_string(line) + ":";
    const size_t first = of_one_line.find(column), second = of_one_line.find(column, first + 1);
    ASSERT_NE(second, std::string::npos) << of_one_line;
    EXPECT_NE(of_one_line.substr(first, of_one_line.find(')', first) - first),
              of_one_line.substr(second, of_one_line.find(')', second) - second));
}

TEST_F(Texts, SplittingAMarkedLoop) {
    f(x, y) = x + y;
    f.vectorize(y, 4).unroll(x);
    const unsigned line = __LINE__ + 1;
    const auto unroll = [&] { f.unroll(x, 2); };
    expect_error<CompileError>(
        unroll, "split-of-marked-loop",
        "in f, stage 0: split of x, which unroll() has marked; a loop is split before it is marked, unless it is "
        "parallel; split it first, then mark one of the parts, as in split(x, outer, inner, 8).unroll(inner)",
        {"texts_test", line});
}

} // namespace
} // namespace fluorite::texts_test
