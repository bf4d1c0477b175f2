// What iterate() refuses: when it is called, and when the pipeline runs.
#include "fluorite/iterate.h"

#include "driver/test_interpreter.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

namespace fluorite::iterate_refusals_test {
namespace {

TEST(IterateRefusals, Refusals) {
    Var x("x"), y("y");
    Func initial("initial"), next("next");
    initial(x) = 0.0f;
    next(x) = 0;
    const auto body = [&](const IterationStep &) { return next; };
    const auto same = [&](const IterationStep &s) { return Func(s.field()); };
    expect_error(
        [&] { iterate(2, {{0, 4}}, initial, body); }, "iterate-body-type",
        "in next: the body returns values int32 and 1 dimensions, and the initial Func initial has float32 and 1; "
        "all steps have the same fields; cast the values, or define as many dimensions",
        {"iterate_refusals_test.cpp"});
    expect_error(
        [&] { iterate(2, {{0, 4}, {0, 3}}, initial, body); }, "iterate-domain",
        "in iterate: the domain has 2 ranges, and the initial Func initial has 1 dimensions; a domain has a range "
        "for each dimension; give as many");
    expect_error([&] { iterate(-3, {{0, 4}}, initial, same); }, "iterate-negative-steps",
                 "in iterate: it is to run -3 steps; a number of steps is 0 or more; pass 0 or more");
    expect_error([&] { iterate(3, {{0, -4}}, initial, same); }, "iterate-negative-extent",
                 "in iterate: its domain has -4 points along dimension 0; an extent is 0 or more; give a min and an "
                 "extent, not a min and a max");
    expect_error([&] { iterate(3, {{0, 4}}, initial, [&](const IterationStep &s) { return Func(s.past()); }); },
                 "iterate-no-field",
                 "in the body of an iteration: field 0 of the step before is asked for; there are 0, numbered from 0; "
                 "the initial Func has a value for each; ask for one of them");
    IterateOptions options;
    options.name = "f";
    options.until = [&](const IterationStep &, const Func &f) { return f(0); };
    expect_error([&] { iterate(3, {{0, 4}}, initial, same, options); }, "iterate-until",
                 "in f: the stop condition is of type float32; it holds or not; give a comparison");
    options.until = [&](const IterationStep &, const Func &f) { return f(x) < 1; };
    expect_error(
        [&] { iterate(3, {{0, 4}}, initial, same, options); }, "iterate-until",
        "in f: the stop condition uses the variable x; there is one condition for all points; reduce them, as in "
        "a Func that sums over an RDom");
    expect_error(
        [&] { iterate(3, {{0, 4}}, initial, same).time_tile(-1); }, "iterate-time-tile",
        "in iterate_state_func: a pass is to compute -1 steps; it computes one or more, and 0 leaves the choice to the "
        "compiler; give the number");
    expect_error(
        [&] { iterate(x, {{0, 4}}, initial, same); }, "directive-value",
        "in iterate: a number of steps that uses the variable x is given; it is evaluated once, before any step; "
        "use Params, sizes of inputs and numbers");
    expect_error([&] { iterate(2, {{0, 4}}, initial, IterationBody()); }, "iterate-body-type",
                 "in iterate: the body is no function; it defines the fields after one step; pass one that takes an "
                 "IterationStep and returns a Func");
}

// In passes of several steps, earlier ones need less: what one step reads of the whole domain is said.
TEST(IterateRefusals, ErrorsSayWhatOneStepReads) {
    const Var x("x");
    for (const int tile : {0, 1, 2}) {
        Func initial("initial");
        initial(x) = x;
        Iterated f = iterate(3, {{0, 10}}, initial, [&](const IterationStep &s) {
            Func next("next");
            next(x) = s.field()(x - 1) + 1;
            return next;
        });
        if (tile > 0) {
            f.time_tile(tile);
        }
        expect_error<RuntimeError>(
            [&] { f.realize({10}); }, "iterate-outside-domain",
            "in next: it reads the field over [-1, 8] along dimension 0, and the domain of the iteration is [0, 9] "
            "there; fields have values in the domain only; give it a boundary condition, enlarge the domain, or read "
            "less");
    }
}

TEST(IterateRefusals, RefusalsAtRunTime) {
    Var x("x");
    Param<int> steps("steps"), width("width");
    Func initial("initial");
    initial(x) = x;
    Iterated f = iterate(steps, {{0, width}}, initial, [&](const IterationStep &s) {
        Func next("next");
        next(x) = s.field()(x) + 1;
        return next;
    });
    steps.set(-2);
    width.set(5);
    const std::string text = "in next: it is to run -2 steps; a number of steps is 0 or more; pass 0 or more";
    expect_error<RuntimeError>([&] { f.realize({5}); }, "iterate-negative-steps", text);
    expect_error<RuntimeError>([&] { interpreted<int>(f, {5}); }, "iterate-negative-steps", text);
    steps.set(2);
    width.set(-5);
    const std::string domain =
        "in next: its domain has -5 points along dimension 0; an extent is 0 or more; give a min "
        "and an extent, not a min and a max";
    expect_error<RuntimeError>([&] { f.realize({5}); }, "iterate-negative-extent", domain);
    expect_error<RuntimeError>([&] { interpreted<int>(f, {5}); }, "iterate-negative-extent", domain);
}

} // namespace
} // namespace fluorite::iterate_refusals_test
