// What one rank does in a run, as text and pictures.
//
// The text reads the plan that runs use: regions and memory by array, then the rank's actions in their order. An
// exchange is listed where it starts; where it is waited for, a line says so.

#include "distributed/pipeline_on_ranks.h"

#include "ranks/compiled/current_ranks.h"
#include "ranks/plan/plan_text.h"
#include "support/check.h"

#include <sstream>

namespace fluorite::distributed {

using distribute::Action;
using distribute::Array;
using distribute::Box;
using distribute::RankPlan;

namespace {

std::string region_text(const Box &box) {
    return distribute::empty(box) ? "nothing" : box.empty() ? "its value" : distribute::to_string(box);
}

const char *role_word(Array::Role role) {
    return role == Array::Role::Input ? "input" : role == Array::Role::Output ? "output" : "Func";
}

class Report {
  public:
    Report(const distribute::DistributedProgram &program, const distribute::RankRun &run)
        : program_(program), plan_(run.plan()), actions_(run.actions()) {
        result_.rank = static_cast<int>(plan_.rank);
        result_.ranks = static_cast<int>(plan_.ranks);
        result_.messages = run.messages();
        for (const RankPlan::Exchange &exchange : plan_.exchanges) {
            result_.bytes_sent += exchange.plan.bytes_sent();
        }
        result_.bytes_allocated = plan_.bytes_allocated(program);
        result_.bytes_owned = plan_.bytes_owned(program);
    }

    RankReport make() {
        text_ << program_.name << " on rank " << plan_.rank << " of " << plan_.ranks << ": " << result_.messages
              << " messages with " << result_.bytes_sent << " bytes; " << result_.bytes_allocated
              << " bytes of memory, " << result_.bytes_owned << " for its parts alone\n";
        for (size_t a = 0; a < program_.arrays.size(); a++) {
            add_array(a);
        }
        for (const Action &action : actions_) {
            add_action(action);
        }
        result_.text = text_.str();
        return std::move(result_);
    }

  private:
    const distribute::DistributedProgram &program_;
    const RankPlan &plan_;
    const std::vector<Action> &actions_;
    std::ostringstream text_;
    RankReport result_;

    void add_array(size_t a) {
        const Array &array = program_.arrays[a];
        if (distribute::empty(plan_.domains[a]) && distribute::empty(plan_.memory[a])) {
            return; // read where it is bound
        }
        text_ << "  " << role_word(array.role) << " " << array.name << " over " << region_text(plan_.domains[a])
              << ": its part is " << region_text(plan_.owned[a]);
        if (array.role != Array::Role::Input && plan_.computed[a] != plan_.owned[a]) {
            text_ << ", it computes " << region_text(plan_.computed[a]);
        }
        if (!distribute::empty(plan_.needs[a])) {
            text_ << ", it reads " << region_text(plan_.needs[a]);
        }
        text_ << "\n";
    }

    /// The region of each function that the segment computes.
    static std::string regions_of(const distribute::Segment &segment, const Action &action) {
        std::string text;
        size_t first = 0;
        for (const std::vector<size_t> &arrays : written_functions(segment)) {
            text += (first == 0 ? "" : " and ") + region_text(action.writes.at(first));
            first += arrays.size();
        }
        return text;
    }

    void add_action(const Action &action) {
        const std::string &name = program_.segments[action.segment].name;
        const RankPlan::Exchange &exchange = plan_.exchanges[action.segment];
        if (action.kind != Action::Kind::Compute && exchange.plan.sends.empty() && exchange.plan.receives.empty()) {
            return; // other ranks may have something to exchange here
        }
        switch (action.kind) {
        case Action::Kind::Compute:
            text_ << "compute " << name << " over " << regions_of(program_.segments[action.segment], action)
                  << (action.is_ahead ? ", while messages travel\n" : "\n");
            break;
        case Action::Kind::Finish:
            text_ << "wait for what " << name << " reads\n";
            break;
        case Action::Kind::Start:
            text_ << distribute::to_string(program_, exchange);
            result_.pictures.push_back(distribute::draw(program_, plan_, exchange));
            break;
        }
    }
};

} // namespace

RankReport PipelineOnRanks::explain(const Outputs &outputs, void *context, const Location &location) {
    RankReport all;
    std::string text;
    for (const auto &part : runs_.plan_parts(call_with(outputs, context, location), distribute::current_transport())) {
        RankReport report = Report(*part.program, *part.run).make();
        report.text = (part.steps.empty() ? "" : part.steps + ", ") + report.text;
        report.messages += all.messages;
        report.bytes_sent += all.bytes_sent;
        report.bytes_allocated += all.bytes_allocated;
        report.bytes_owned += all.bytes_owned;
        report.pictures.insert(report.pictures.begin(), all.pictures.begin(), all.pictures.end());
        text += report.text;
        all = std::move(report);
    }
    all.text = std::move(text);
    return all;
}

} // namespace fluorite::distributed
