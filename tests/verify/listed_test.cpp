// Every directive of a schedule is listed in its certificate, with what became of it: a part of it, nothing to values,
// or not covered, with the reason.

#include "certified.h"
#include "fluorite/certify.h"
#include "fluorite/fluorite.h"
#include "schedule/directives/table.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fluorite::listed_test {
namespace {

using Directive = ScheduleCertificate::Directive;

/// Two stages, of which each case schedules one or both.
struct Program {
    ImageParam input{UInt(16), 2, "input"};
    Param<int> p{"p"};
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, t{"t"};
    RVar ro{"ro"}, ri{"ri"};
    RDom r{0, 16, "r"};
    Func across{"across"}, down{"down"}, sums{"sums"};

    Program() {
        across(x, y) = input(x, y) + input(x + 1, y);
        down(x, y) = across(x, y) + across(x, y + 1);
        sums(x) = cast<uint16_t>(0);
        sums(x) += across(x, r);
    }
    Iterated steps(const std::function<void(Func &)> &schedule) {
        return iterate(4, {{0, 64}, {0, 64}}, down, [&](const IterationStep &step) {
            Func next("next");
            next(x, y) = step.field()(x, y) + cast<uint16_t>(1);
            schedule(next);
            return next;
        });
    }
};

struct Case {
    const char *name;
    std::function<Pipeline(Program &)> scheduled;
    std::vector<Directive> listed; // some of those of the certificate
};

constexpr const char *no_ranks = "terms have no ranks, which exchange what they compute";
constexpr const char *no_devices = "terms have no blocks and threads of a device";
constexpr const char *pieces = "pieces of a loop have the iterations of the loop";
constexpr const char *no_place = "terms have no place of allocation";
constexpr const char *definitions = "the certificate begins with the definitions that it makes";
constexpr const char *estimate = "an estimate promises nothing";
constexpr const char *iteration =
    "there is no certificate: it reads the result of the iteration next, and terms have no "
    "steps; certify the Func that a step defines, with its fields as inputs";

#define SCHEDULED(...)                                                                                                 \
    [](Program &a) {                                                                                                   \
        __VA_ARGS__;                                                                                                   \
        return Pipeline(a.down);                                                                                       \
    }

std::vector<Case> cases_of_loops() {
    constexpr TailStrategy guard = TailStrategy::GuardWithIf;
    return {
        {"split", SCHEDULED(a.down.split(a.x, a.xo, a.xi, 8, guard)), {{"down", "split(x, GuardWithIf)", ""}}},
        {"fuse", SCHEDULED(a.down.fuse(a.x, a.y, a.t)), {{"down", "fuse(x, y, t)", ""}}},
        {"rename", SCHEDULED(a.down.rename(a.x, a.xo)), {{"down", "rename(x)", ""}}},
        {"skew",
         SCHEDULED(a.down.skew(a.x, a.y, a.t)),
         {{"down", "skew(x, y)", "ranges of loops of terms do not depend on other loops"}}},
        {"reorder", SCHEDULED(a.down.reorder(a.y, a.x)), {{"down", "reorder", ""}}},
        {"tile",
         SCHEDULED(a.down.tile(a.x, a.y, a.xo, a.yo, a.xi, a.yi, 8, 4, guard)),
         {{"down", "split(x, GuardWithIf)", ""}, {"down", "split(y, GuardWithIf)", ""}, {"down", "reorder", ""}}},
        {"serial", SCHEDULED(a.down.parallel(a.y).serial(a.y)), {}}, // leaves nothing in a schedule
        {"parallel", SCHEDULED(a.down.parallel(a.y)), {{"down", "parallel(y)", ""}}},
        {"vectorize", SCHEDULED(a.down.vectorize(a.x, 8, guard)), {{"down", "vectorize(xv)", ""}}},
        {"unroll", SCHEDULED(a.down.unroll(a.x, 4, guard)), {{"down", "unroll(xu)", ""}}},
        {"gpu_blocks", SCHEDULED(a.down.gpu_blocks(a.y)), {{"down", "gpu_blocks(y)", no_devices}}},
        {"gpu_threads",
         SCHEDULED(a.down.gpu_blocks(a.y).gpu_threads(a.x)),
         {{"down", "gpu_blocks(y)", no_devices}, {"down", "gpu_threads(x)", no_devices}}},
        {"gpu_single_thread", SCHEDULED(a.down.gpu_single_thread()), {{"down", "gpu_single_thread", no_devices}}},
        {"gpu_lanes",
         SCHEDULED(a.down.gpu_blocks(a.y).gpu_lanes(a.x)),
         {{"down", "gpu_blocks(y)", no_devices}, {"down", "gpu_lanes(x)", no_devices}}},
        {"gpu_tile",
         SCHEDULED(a.down.gpu_tile(a.x, Var("t"), 8, guard)),
         {{"down", "gpu_blocks(x)", no_devices}, {"down", "gpu_threads(t)", no_devices}}},
        {"partition",
         SCHEDULED(a.down.partition(a.x, Partition::Always)),
         {{"down", "partition(x, Always)", "", pieces}}},
        {"never_partition",
         SCHEDULED(a.down.never_partition(a.x, a.y)),
         {{"down", "partition(x, Never)", "", pieces}, {"down", "partition(y, Never)", "", pieces}}},
        {"always_partition",
         SCHEDULED(a.down.specialize(a.p > 3).always_partition(a.x)),
         {{"down", "specialize(0)", ""}, {"down", "specialized(0).partition(x, Always)", "", pieces}}},
        {"distribute", SCHEDULED(a.down.distribute(a.y)), {{"down", "distribute({y})", no_ranks}}},
        {"allow_race_conditions",
         SCHEDULED(a.down.allow_race_conditions()),
         {{"down", "allow_race_conditions()", "", "a promise of the program, of which the certificate makes no use"}}},
        {"atomic",
         [](Program &a) {
             a.sums.update(0).atomic().parallel(a.r);
             return Pipeline(a.sums);
         },
         {{"sums", "update(0).parallel(r$x)", ""},
          {"sums", "update(0).atomic()", "",
           "that the order does not count is shown for the loops that are marked; that updates of one point are "
           "indivisible is a part of lowering"}}},
        {"compute_with",
         [](Program &a) {
             Func other("other");
             other(a.x, a.y) = a.input(a.x, a.y);
             other.compute_with(a.down, a.y);
             return Pipeline({a.down, other});
         },
         {{"other", "compute_with", ""}}},
        {"specialize",
         SCHEDULED(a.down.specialize(a.p > 3).parallel(a.y)),
         {{"down", "specialize(0)", ""}, {"down", "specialize(0).parallel(y)", ""}}},
        {"specialize_fail",
         SCHEDULED(a.down.specialize_fail("no")),
         {{"down", "specialize_fail", "the pipeline always fails"}}},
        {"prefetch",
         SCHEDULED(a.across.compute_root(); a.down.prefetch(a.across, a.y, a.y, 1)),
         {{"down", "prefetch(across, y, y, 1)", "", "terms have no caches"}}},
        {"rfactor",
         [](Program &a) {
             a.sums.update(0).split(a.r, a.ro, a.ri, 4).rfactor(a.ro, a.t).compute_root();
             return Pipeline(a.sums);
         },
         {{"sums", "rfactor", ""}, {"sums", "update(0).split(r$x, ro, ri, 4)", ""}, {"sums_intm", "compute_root", ""}}},
        {"unscheduled", SCHEDULED(a.down.unscheduled()), {}}, // leaves nothing in a schedule
    };
}

std::vector<Case> cases_of_places() {
    return {
        {"agglomerate",
         SCHEDULED(a.across.compute_root().distribute(a.y).agglomerate(2)),
         {{"across", "distribute({y})", no_ranks}, {"across", "agglomerate(2)", no_ranks}}},
        {"compute_root", SCHEDULED(a.across.compute_root()), {{"across", "compute_root", ""}}},
        {"compute_rank", SCHEDULED(a.across.compute_rank()), {{"across", "compute_rank()", no_ranks}}},
        {"compute_at", SCHEDULED(a.across.compute_at(a.down, a.y)), {{"across", "compute_at(down, y)", ""}}},
        {"compute_inline", SCHEDULED(a.across.compute_inline()), {{"across", "compute_inline", ""}}},
        {"store_root",
         SCHEDULED(a.across.compute_at(a.down, a.y).store_root()),
         {{"across", "compute_at(down, y)", ""}, {"across", "store_at", ""}}},
        {"store_at",
         SCHEDULED(a.across.compute_at(a.down, a.x).store_at(a.down, a.y)),
         {{"across", "compute_at(down, x)", ""}, {"across", "store_at", ""}}},
        {"store_in",
         SCHEDULED(a.across.compute_root().store_in(MemoryType::Heap)),
         {{"across", "store_in(Heap)", "", "which memory holds a tensor is a part of lowering"}}},
        {"reorder_storage",
         SCHEDULED(a.across.compute_root().reorder_storage(a.y, a.x)),
         {{"across", "reorder_storage", ""}}},
        {"hoist_storage",
         SCHEDULED(a.across.compute_at(a.down, a.x).hoist_storage(a.down, a.y)),
         {{"across", "hoist_storage(down, y)", "", no_place}}},
        {"hoist_storage_root",
         SCHEDULED(a.across.compute_at(a.down, a.x).hoist_storage_root()),
         {{"across", "hoist_storage_root()", "", no_place}}},
        {"fold_storage",
         SCHEDULED(a.across.compute_at(a.down, a.y).store_root().fold_storage(a.y, 2)),
         {{"across", "fold_storage(y)", ""}}},
        {"align_storage",
         SCHEDULED(a.across.compute_root().align_storage(a.x, 16)),
         {{"across", "align_storage(x)", ""}}},
        {"bound_storage",
         SCHEDULED(a.across.compute_root().bound_storage(a.x, 640)),
         {{"across", "bound_storage(x)", "nothing shows that the region is as small as that"}}},
        {"ring_buffer",
         SCHEDULED(a.across.compute_at(a.down, a.x).hoist_storage(a.down, a.y).ring_buffer(2)),
         {{"across.tile", "ring_buffer", "terms have no time"}}},
        {"stream_stores",
         SCHEDULED(a.across.compute_root().vectorize(a.x, 8, TailStrategy::GuardWithIf).stream_stores()),
         {{"across", "vectorize(xv)", ""}, {"across", "stream_stores()", "", "stores past the caches store the same"}}},
        {"memoize",
         SCHEDULED(a.across.compute_root().memoize()),
         {{"across", "memoize", "terms have no cache of results"}}},
        {"async", SCHEDULED(a.across.compute_root().async()), {{"across", "async", "terms have no time"}}},
        {"bound", SCHEDULED(a.down.bound(a.x, 0, 64)), {{"down", "bound(x)", ""}}},
        {"bound_extent",
         SCHEDULED(a.down.bound_extent(a.x, 64)),
         {{"down", "bound(x)", "the region of the term is the one that is needed"}}},
        {"align_bounds",
         SCHEDULED(a.across.compute_root().bound(a.x, 0, 64).align_bounds(a.x, 4)),
         {{"across", "bound(x)", ""}, {"across", "align_bounds(x)", ""}}},
        {"align_extent", SCHEDULED(a.across.compute_root().align_extent(a.x, 4)), {{"across", "align_bounds(x)", ""}}},
        {"set_estimate", SCHEDULED(a.down.set_estimate(a.x, 0, 8)), {{"down", "set_estimate(x, 0, 8)", "", estimate}}},
        {"set_estimates",
         SCHEDULED(a.down.set_estimates({{0, 8}, {0, 9}})),
         {{"down", "set_estimate(x, 0, 8)", "", estimate}, {"down", "set_estimate(y, 0, 9)", "", estimate}}},
        {"in",
         SCHEDULED(a.across.in(a.down).compute_root()),
         {{"across_in_down", "compute_root", ""}, {"across", "in(down)", definitions}}},
        {"clone_in",
         SCHEDULED(a.across.clone_in(a.down).compute_root()),
         {{"across_clone_in_down", "compute_root", ""}, {"across", "clone_in(down)", definitions}}},
        {"time_tile",
         [](Program &a) { return Pipeline(a.steps([](Func &) {}).time_tile(2)); },
         {{"next_iterated", "time_tile(2)", iteration}}},
    };
}

std::vector<Case> all_cases() {
    std::vector<Case> cases = cases_of_loops();
    for (Case &one : cases_of_places()) {
        cases.push_back(std::move(one));
    }
    return cases;
}

std::string text_of(const Directive &directive) {
    return directive.func + " " + directive.directive + ": " +
           (directive.covered() && directive.means_nothing.empty() ? "covered"
            : directive.covered()                                  ? "nothing to values: " + directive.means_nothing
                                                                   : directive.reason);
}

TEST(Listed, EveryDirectiveSaysWhatBecameOfIt) {
    for (const Case &one : all_cases()) {
        SCOPED_TRACE(one.name);
        Program program;
        const ScheduleCertificate certificate = certify(one.scheduled(program));
        std::set<std::string> listed;
        std::string all;
        for (const Directive &directive : certificate.directives) {
            listed.insert(text_of(directive));
            all += text_of(directive) + "\n";
        }
        for (const Directive &wanted : one.listed) {
            EXPECT_TRUE(listed.contains(text_of(wanted))) << text_of(wanted) << "\nis none of\n" << all;
        }
    }
}

/// Whether the certificate of the example of a directive lists it with the reason of its row; nothing where the line
/// alone is no legal schedule, or leaves none.
std::optional<bool> is_listed_as_the_row_says(const schedule::DirectiveRow &row) {
    ImageParam input(UInt(16), 2, "input");
    Param<int> p("p");
    Func blur_x("blur_x"), blur_y("blur_y"), total("total");
    Var x("x"), y("y");
    RDom r(0, 5, 0, 3, "r");
    blur_x(x, y) = input(x, y) + input(x + 1, y);
    blur_y(x, y) = blur_x(x, y) + blur_x(x, y + 1);
    total(x, y) = cast<int>(0);
    total(x, y) += cast<int>(blur_y(x + r.x, y + r.y)) * p;
    Pipeline pipeline(total);
    ScheduleCertificate certificate;
    try {
        pipeline.apply(Schedule::parse("fluorite schedule 1\n" + std::string(row.example) + "\nend\n"));
        certificate = certify(pipeline);
    } catch (const CompileError &) {
        return std::nullopt;
    }
    const auto says_so = [&](const Directive &directive) {
        const bool is_nothing = row.meaning.kind == schedule::Meaning::Kind::Nothing;
        return (is_nothing ? directive.means_nothing : directive.reason) == row.meaning.reason;
    };
    return std::any_of(certificate.directives.begin(), certificate.directives.end(), says_so);
}

TEST(Listed, EveryDirectiveHasACaseOrMeansWhatItsRowSays) {
    std::set<std::string> cases;
    for (const Case &one : all_cases()) {
        cases.insert(one.name);
    }
    for (const schedule::DirectiveRow &row : schedule::directive_rows()) {
        if (!cases.contains(row.name)) {
            EXPECT_EQ(is_listed_as_the_row_says(row), true) << row.name;
        }
    }
    // The cases of these say no more than their rows.
    for (const char *name :
         {"gpu_single_thread", "partition", "distribute", "prefetch", "stream_stores", "set_estimate"}) {
        EXPECT_EQ(is_listed_as_the_row_says(*schedule::find_directive(name)), true) << name;
    }
}

TEST(Listed, IterationsHaveNoCertificate) {
    Program program;
    Iterated steps = program.steps([&](Func &next) { next.vectorize(program.x, 8); });
    steps.compute_root();
    Func twice("twice");
    twice(program.x, program.y) = steps(program.x, program.y) * cast<uint16_t>(2);
    twice.parallel(program.y);
    const ScheduleCertificate certificate = certify(twice);
    EXPECT_FALSE(certificate.defined());
    const std::string reason =
        "it reads the result of the iteration next, and terms have no steps; certify the Func that a "
        "step defines, with its fields as inputs";
    EXPECT_EQ(certificate.reason, reason);
    EXPECT_FALSE(certificate.reads_in_bounds || certificate.stores_once);
    EXPECT_EQ(verify::gaps(certificate), "next_iterated compute_root(): there is no certificate: " + reason +
                                             "\ntwice parallel(y): there is no certificate: " + reason + "\n");
    expect_error<CompileError>([&] { (void)compile_certified(steps); }, "no-certificate",
                               "in next_iterated: its schedule has no certificate to compile: " + reason +
                                   "; only what certify() covers can be compiled from its certificate; compile the "
                                   "pipeline itself, or change the schedule",
                               {"listed_test.cpp", __LINE__ - 4});
    expect_error<CompileError>([&] { (void)validate_schedule(twice); }, "no-certificate",
                               "in twice: its schedule has no certificate to compile: " + reason +
                                   "; only what certify() covers can be compiled from its certificate; compile the "
                                   "pipeline itself, or change the schedule",
                               {"listed_test.cpp", __LINE__ - 4});
}

TEST(Listed, PipelinesWithoutACertificateListTheirDirectives) {
    Program program;
    Func prints("prints");
    prints(program.x, program.y) = print(program.across(program.x, program.y));
    prints.split(program.y, program.yo, program.yi, 4).never_partition(program.yi);
    program.across.compute_root().stream_stores();
    const ScheduleCertificate certificate = certify(prints);
    EXPECT_FALSE(certificate.defined());
    EXPECT_EQ(verify::gaps(certificate),
              "across compute_root(): there is no certificate: " + certificate.reason +
                  "\nprints split(y, yo, yi, 4): there is no certificate: " + certificate.reason + "\n");
    EXPECT_EQ(certificate.directives.size(), 4u) << "with two that mean nothing to values";
}

} // namespace
} // namespace fluorite::listed_test
