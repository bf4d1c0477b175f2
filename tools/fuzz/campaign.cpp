// Runs and counts many cases, and shrinks those that fail.
//
// Slow or endless. A case hangs if it does not compile within its time, or if it waits for itself (time passes, but it
// uses none). A case whose code runs too long may be legitimate: a schedule may recompute a value for each of many
// uses, at every level again. Such work falls as a power of the sizes; an endless loop does not. So at the end of a run
// each such case is repeated with all sizes (of outputs, of domains, of inline reductions) divided by 2, 4, 8, ...
// until it ends and is compared; factors of splits, to which sizes are rounded up, are divided after the sizes. If it
// does not end even with all sizes 1 and factors of 2, within ten minutes of processor time, it hangs; if it fails at a
// smaller size, it fails; if it is refused at every size that ends, it was never compared, which is a failure too. An
// endless loop that needs large sizes goes unnoticed, so the divisor is printed: legitimate work ends at small ones.
//
// Nothing is excused silently: refusals have a list (refusals.def), and the regions that inference requires of inputs
// are compared with those that the interpreter reads (regions.cpp). A campaign fails if a case fails, or if a refusal
// is not on the list or too frequent.

#include "campaign.h"

#include "genome_text.h"
#include "print_cpp.h"
#include "shrink.h"

#include "support/check.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace fluorite::fuzz {

namespace {

volatile std::sig_atomic_t is_interrupted = 0; // the counts so far are still printed
void interrupt(int) { is_interrupted = 1; }

constexpr int longest_run = 600; // seconds of processor time of a case that is made as small as it gets
constexpr double enough = 0.5;   // the minimum percentage of accepted cases for each row of coverage

double percent(uint64_t part, uint64_t of) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<uint64_t>(of, 1));
}

void print_histogram(const std::string &title, const std::map<std::string, uint64_t> &counts, uint64_t of) {
    std::vector<std::pair<std::string, uint64_t>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
    uint64_t all = 0;
    for (const auto &[slug, count] : sorted) {
        all += count;
    }
    std::printf("%s (%llu of %llu):\n", title.c_str(), static_cast<unsigned long long>(all),
                static_cast<unsigned long long>(of));
    for (const auto &[slug, count] : sorted) {
        std::printf("  %-32s %6llu  %6.2f %%\n", slug.c_str(), static_cast<unsigned long long>(count),
                    percent(count, of));
    }
}

} // namespace

void Campaign::run() {
    std::vector<Worker> workers(static_cast<size_t>(options_.jobs));
    for (size_t w = 0; w < workers.size(); w++) {
        workers[w].next = options_.first + w;
        workers[w].step = workers.size();
        workers[w].end = options_.first + options_.count;
    }
    while (step(workers)) {
    }
    for (Worker &worker : workers) {
        worker.stop();
    }
}

void Campaign::judge_slow() {
    std::map<pid_t, int> judges; // and the pipes for their verdicts
    for (size_t next = 0; next < slow_.size() || !judges.empty();) {
        if (next < slow_.size() && judges.size() < static_cast<size_t>(options_.jobs)) {
            const uint64_t number = slow_[next++];
            int ends[2];
            check(::pipe(ends) == 0, "a pipe can be made");
            std::fflush(nullptr);
            const pid_t pid = fork();
            check(pid >= 0, "a process can be made");
            if (pid == 0) {
                const Failure found = judge_slow(number);
                _exit(write(ends[1], &found, sizeof found) == static_cast<ssize_t>(sizeof found) ? 0 : 3);
            }
            close(ends[1]);
            judges[pid] = ends[0];
            continue;
        }
        const auto judge = judges.find(waitpid(-1, nullptr, 0));
        check(judge != judges.end(), "a judge ends");
        Failure found;
        check(read(judge->second, &found, sizeof found) == static_cast<ssize_t>(sizeof found),
              "a judge gives its verdict");
        close(judge->second);
        judges.erase(judge);
        take_verdict(found);
    }
}

void Campaign::summary() const {
    std::printf("seed %llu: %llu cases:", static_cast<unsigned long long>(options_.seed),
                static_cast<unsigned long long>(done_));
    for (const auto &[kind, count] : kinds_) {
        std::printf(" %s %llu", kind.c_str(), static_cast<unsigned long long>(count));
    }
    std::printf("\nsingle directives: %.2f %% of %llu refused, %.1f %% had no legal meaning; outputs larger than drawn "
                "in %.1f %% of the cases\n",
                percent(directives_refused_, directives_), static_cast<unsigned long long>(directives_),
                percent(directives_idle_, directives_), percent(grown_, done_));
    for (size_t kind = 0; kind < refused_kinds; kind++) {
        print_histogram("refusals of " + std::string(refused_text(static_cast<Refused>(kind))), refusals_.slugs[kind],
                        refusals_.cases[kind]);
    }
    print_coverage();
    print_regions();
    std::fflush(stdout);
}

void Campaign::print_regions() const {
    uint64_t inputs = 0, wide = 0;
    for (const uint32_t count : regions_.inputs) {
        inputs += count;
    }
    for (const uint32_t count : regions_.wide) {
        wide += count;
    }
    std::printf("what inference asks of %llu inputs, against the box of what is read:\n",
                static_cast<unsigned long long>(inputs));
    for (size_t i = 0; i < precisions; i++) {
        std::printf("  %-44s %6.2f %%\n", precision_text(static_cast<Precision>(i)),
                    percent(regions_.inputs[i], inputs));
    }
    std::printf("where it is not exact, the case has:\n");
    for (size_t i = 0; i < wide_reasons; i++) {
        std::printf("  %-44s %6.2f %%\n", reason_text(static_cast<WideReason>(i)), percent(regions_.wide[i], wide));
    }
}

Genome Campaign::explain(const Failure &failure) const {
    const Genome drawn = make_genome(options_, failure.number);
    const Genome genome = failure.divisor > 1 ? divided(drawn, failure.divisor).first : drawn;
    Genome failing = genome;
    for (int retry = 0; retry < 3 && run_isolated(failing, options_) != failure.kind; retry++) {
        failing = relaxed(genome, retry + 1);
    }
    int before = size_of(failing);
    Genome small = failing;
    if (failure.kind == Outcome::Kind::NoProgram) {
        return small;
    }
    if (options_.shrink) {
        small =
            shrink(failing, [&](const Genome &candidate) { return run_isolated(candidate, options_) == failure.kind; });
    }
    std::printf("\n---- case %llu (%s), from %d to %d nodes:\n%s", static_cast<unsigned long long>(failure.number),
                kind_name(failure.kind), before, size_of(small), print_cpp(small).c_str());
    if (failure.kind < Outcome::Kind::NoProgram) {
        std::printf("// %s\n", run_case(small, options_).text.c_str());
    }
    std::fflush(stdout);
    return small;
}

// Prints the percentage of accepted cases for each row, and marks rows that are too rare.
void Campaign::print_coverage() const {
    size_t row = 0, rare = 0;
    for (const FeatureGroup &group : feature_groups()) {
        std::printf("%s (of the %llu accepted cases):\n", group.title, static_cast<unsigned long long>(accepted_));
        for (const std::string &name : group.names) {
            const double share = percent(uses_[row++], accepted_);
            rare += share < enough;
            std::printf("  %-32s %6.2f %%%s\n", name.c_str(), share, share < enough ? "  <-- RARE" : "");
        }
    }
    std::printf("%zu of %zu rows are rarer than %.1f %%\n", rare, row, enough);
}

void Campaign::take_verdict(const Failure &found) {
    if (found.kind >= Outcome::Kind::Mismatch) {
        failures_.push_back(found);
        kinds_[kind_name(Outcome::Kind::Slow)]--;
        kinds_[kind_name(found.kind)]++;
    }
    std::printf("case %llu, which is slow: %s where sizes are divided by %d\n",
                static_cast<unsigned long long>(found.number), kind_name(found.kind), found.divisor);
    std::fflush(stdout);
}

Failure Campaign::judge_slow(uint64_t number) const {
    // Inlined Funcs with updates may take seconds at all sizes, which is no hang.
    Options patient = options_;
    patient.run_limit *= 5;
    const Genome drawn = make_genome(options_, number);
    Genome slow = drawn; // a refused schedule was replaced by another one
    for (int retry = 1; retry < 3 && is_refused(run_isolated(slow, patient)); retry++) {
        slow = relaxed(drawn, retry);
    }
    for (int divisor = 2;; divisor *= 2) {
        const auto [smaller, is_larger] = divided(slow, divisor);
        patient.run_limit = is_larger ? patient.run_limit : longest_run;
        Outcome::Kind kind = run_isolated(smaller, patient);
        if (kind != Outcome::Kind::Hang && !is_refused(kind)) {
            return {number, kind, divisor};
        }
        if (!is_larger) {
            // Small sizes may be too small for the tails of a schedule; with fewer directives they are compared.
            for (int retry = 1; retry < 3 && is_refused(kind); retry++) {
                kind = run_isolated(relaxed(smaller, retry), patient);
            }
            return {number, kind, divisor};
        }
    }
}

bool Campaign::step(std::vector<Worker> &workers) {
    std::vector<pollfd> polls;
    std::vector<Worker *> owners;
    for (Worker &worker : workers) {
        if (worker.pid < 0 && worker.next < worker.end) {
            worker.start(options_);
        }
        if (worker.pid > 0) {
            polls.push_back({worker.pipe, POLLIN, 0});
            owners.push_back(&worker);
        }
    }
    if (polls.empty() || is_interrupted || static_cast<int>(failures_.size()) >= options_.stop_after) {
        return false;
    }
    poll(polls.data(), polls.size(), 1000);
    for (size_t i = 0; i < polls.size(); i++) {
        advance(*owners[i], polls[i].revents != 0);
    }
    return true;
}

void Campaign::advance(Worker &worker, bool readable) {
    if (!readable) {
        const bool may_be_slow = worker.runs_too_long(options_);
        if (may_be_slow || worker.compiles_too_long(options_) || worker.idle.is_stuck(options_.idle_limit)) {
            worker.stop();
            fail(worker, may_be_slow ? Outcome::Kind::Slow : Outcome::Kind::Hang);
        }
        return;
    }
    Report report;
    ssize_t got = read(worker.pipe, &report, sizeof report);
    if (got == static_cast<ssize_t>(sizeof report)) {
        worker.case_starts();
        worker.next = report.number + worker.step;
        count(report);
        return;
    }
    int status = 0;
    waitpid(worker.pid, &status, 0);
    close(worker.pipe);
    worker.pid = -1;
    if (worker.next < worker.end) {
        fail(worker, Outcome::Kind::Crash);
    }
}

void Campaign::fail(Worker &worker, Outcome::Kind kind) {
    Report report;
    report.number = worker.next;
    report.kind = static_cast<int32_t>(kind);
    const Genome genome = make_genome(options_, report.number);
    report.wild = genome.is_wild();
    report.walks = !genome.walk.empty();
    worker.next += worker.step;
    count(report);
}

void Campaign::count(const Report &report) {
    Outcome::Kind kind = static_cast<Outcome::Kind>(report.kind);
    const Refused source = report.wild ? Refused::Wild : report.walks ? Refused::Walked : Refused::Tame;
    done_++;
    kinds_[kind_name(kind)]++;
    refusals_.cases[static_cast<size_t>(source)]++;
    refusals_.cases[static_cast<size_t>(Refused::Single)]++;
    refusals_.cases[static_cast<size_t>(Refused::Whole)]++;
    grown_ += report.grown;
    regions_.add(report.regions);
    if (report.slug[0]) {
        refusals_.note(source, report.slug, report.number);
    }
    if (report.last_slug[0]) {
        refusals_.note(Refused::Whole, report.last_slug, report.number);
    }
    directives_ += static_cast<uint64_t>(report.drawn);
    directives_idle_ += static_cast<uint64_t>(report.idle);
    std::istringstream refusals(report.refusals);
    for (std::string slug; refusals >> slug;) {
        refusals_.note(Refused::Single, slug, report.number);
        directives_refused_++;
    }
    if (kind == Outcome::Kind::Same && !report.slug[0]) {
        accepted_++;
        for (size_t row = 0; row < uses_.size(); row++) {
            uses_[row] += report.features[row];
        }
    }
    if (kind >= Outcome::Kind::Slow) {
        std::printf("case %llu: %s: %s\n", static_cast<unsigned long long>(report.number), kind_name(kind),
                    report.text);
        std::fflush(stdout);
    }
    if (kind == Outcome::Kind::Slow) {
        slow_.push_back(report.number);
    }
    if (kind >= Outcome::Kind::Mismatch) {
        failures_.push_back({report.number, kind, 1});
    }
    bool quiet = !options_.plant.empty();
    if (!quiet && (done_ % (options_.stress ? 100 : 500) == 0 || done_ == options_.count)) {
        std::printf("%llu of %llu cases, %zu failures\n", static_cast<unsigned long long>(done_),
                    static_cast<unsigned long long>(options_.count), failures_.size());
        std::fflush(stdout);
    }
}

int run_campaign(const Options &options) {
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    Campaign campaign(options);
    {
        const Load load(options);
        campaign.run();
    }
    campaign.judge_slow();
    campaign.summary();
    for (const Failure &failure : campaign.failures()) {
        Genome small = campaign.explain(failure);
        if (!options.save.empty()) {
            std::string file =
                options.save + "/seed" + std::to_string(options.seed) + "_" + std::to_string(failure.number) + ".case";
            std::ofstream(file) << "# " << kind_name(failure.kind) << "\n" << genome_text(small);
            std::printf("// saved as %s\n", file.c_str());
        }
    }
    const std::vector<std::string> complaints = complaints_of(campaign.refusals());
    for (const std::string &complaint : complaints) {
        std::printf("FAILED: %s\n", complaint.c_str());
    }
    return campaign.failures().empty() && complaints.empty() ? 0 : 1;
}

} // namespace fluorite::fuzz
