// The fuzzer tests itself: planted faults are found and shrunk, cases survive being written and read, and refusals that
// are not on the list, or too frequent, fail a campaign. Without this, a fuzzer that detects nothing would look like a
// compiler without faults.

#include "campaign.h"

#include "genome_text.h"
#include "plants.h"
#include "shrink.h"

#include <cstdio>

namespace fluorite::fuzz {

namespace {

bool survives_text(const Genome &genome) {
    std::string text = genome_text(genome);
    return genome_text(parse_genome(text)) == text;
}

/// Counts and prints violated expectations.
class Expectations {
  public:
    void expect(bool condition, const std::string &text) {
        if (!condition) {
            std::printf("self-test: %s\n", text.c_str());
            failures_++;
        }
    }
    int failures() const { return failures_; }

  private:
    int failures_ = 0;
};

void expect_found(const Plant &plant, const Options &options, Expectations &all) {
    Options faulty = options;
    faulty.plant = plant.name;
    faulty.seed = 1;
    faulty.first = static_cast<uint64_t>(plant.first);
    faulty.count = static_cast<uint64_t>(plant.cases);
    faulty.stop_after = 1;
    Campaign campaign(faulty);
    campaign.run();
    const std::string fault = std::string("fault ") + plant.name;
    if (plant.nodes == 0) { // a fault that only the campaign detects
        all.expect(!complaints_of(campaign.refusals()).empty(), fault + " is not complained of");
        return;
    }
    if (campaign.failures().empty()) {
        all.expect(false, fault + " is not found in " + std::to_string(plant.cases) + " cases");
        return;
    }
    all.expect(campaign.failures()[0].kind == plant.kind,
               fault + " gives no " + kind_name(plant.kind) + ", but: " + kind_name(campaign.failures()[0].kind));
    if (plant.nodes == unshrunk) {
        return;
    }
    const Genome small = campaign.explain(campaign.failures()[0]);
    all.expect(size_of(small) <= plant.nodes, fault + " shrinks to " + std::to_string(size_of(small)) +
                                                  " nodes, more than " + std::to_string(plant.nodes));
    all.expect(run_case(small, options).kind == Outcome::Kind::Same,
               "the case of fault " + std::string(plant.name) + " fails without it");
}

void expect_complaints(Expectations &all) {
    const AllowedRefusal &row = allowed_refusals().front();
    for (size_t kind = 0; kind < refused_kinds; kind++) {
        RefusalCounts counts;
        counts.cases.fill(10'000);
        counts.slugs[kind]["no-such-slug"] = 1;
        all.expect(complaints_of(counts).size() == 1, "a slug that is not on the list is excused");
        counts.slugs[kind].clear();
        const double most = row.most[kind];
        counts.slugs[kind][row.slug] = static_cast<uint64_t>(most * 100) + 1;
        all.expect(complaints_of(counts).empty() == (most > 0), "the list does not say what it says");
        counts.slugs[kind][row.slug] = 9'999;
        all.expect(complaints_of(counts).size() == 1, "a refusal that is too frequent is excused");
    }
}

void expect_boxes(Expectations &all) {
    const Box asked{{0, 0}, {10, 10}}, less{{1, 0}, {9, 10}}, past{{1, 1}, {10, 9}}, nothing{{0, 0}, {0, 0}};
    all.expect(holds(asked, less) && holds(asked, asked) && holds(less, nothing), "a box that holds another does not");
    all.expect(!holds(asked, past) && !holds(less, asked), "a box that is too small holds another");
    all.expect(precision_of(asked, asked) == Precision::Exact && precision_of(asked, less) == Precision::Close &&
                   precision_of(asked, {{0, 0}, {3, 3}}) == Precision::Wide &&
                   precision_of(asked, nothing) == Precision::Unread,
               "boxes are not as precise as they are");
}

} // namespace

int run_self_test(const Options &options) {
    Expectations all;
    for (uint64_t number = 0; number < 200; number++) {
        all.expect(survives_text(make_genome(options.seed, number)),
                   "case " + std::to_string(number) + " is another one when it is written and read");
    }
    expect_complaints(all);
    expect_boxes(all);
    for (const Plant &plant : plants()) {
        expect_found(plant, options, all);
    }
    return all.failures() == 0 ? 0 : 1;
}

} // namespace fluorite::fuzz
