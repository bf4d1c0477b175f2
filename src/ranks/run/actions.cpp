// The order of a rank's exchanges and computations.
//
// An exchange starts as soon as the segments that compute its arrays have run, and is waited for right before the first
// segment that reads them. Before that wait, segments from this one on compute their interiors: what needs only values
// that are there. The interior of a segment makes values available for the next one, so that a chain of sweeps, as of
// deep halos, computes a trapezoid while messages travel, and its sides afterwards. The chain ends at a segment with an
// exchange of its own, or without an interior.
//
// Arrays that share memory: in a chain, a value may be overwritten before the boundary reads it. All reads and writes
// of the order are boxes, so this is decided by comparing them: array a destroys b where something was written to b,
// then a is written in the same place, then b is read there. A segment joins the chain only if nothing is destroyed.
// Sweeps between two buffers pass: sweep j + 2 has an interior that is smaller by two radii than sweep j's.

#include "ranks/run/actions.h"

#include "ranks/run/interior.h"
#include "support/check.h"

#include <limits>

namespace fluorite::distribute {

namespace {

/// An access to a box of an array, in the order of the actions.
struct Access {
    size_t time;
    size_t array;
    Box box;
};

class Accesses {
  public:
    Accesses(const DistributedProgram &program, const RankPlan &plan) : program_(program), plan_(plan) {}

    void add(const std::vector<Action> &actions) {
        // Time 0 is before the run.
        for (size_t a = 0; a < program_.arrays.size(); a++) {
            if (program_.arrays[a].role == Array::Role::Input) {
                write(0, a, plan_.owned[a]);
            }
        }
        for (size_t i = 0; i < actions.size(); i++) {
            add(actions[i], i + 1);
        }
        for (size_t a = 0; a < program_.arrays.size(); a++) {
            if (program_.arrays[a].role == Array::Role::Output) {
                read(actions.size() + 1, a, plan_.owned[a]);
            }
        }
    }

    bool destroys(size_t a, size_t b) const {
        for (const Access &by : writes_) {
            if (by.array != a) {
                continue;
            }
            for (const Access &later : reads_) {
                if (later.array != b || later.time < by.time || empty(intersect(later.box, by.box))) {
                    continue;
                }
                const Box common = intersect(later.box, by.box);
                for (const Access &before : writes_) {
                    if (before.array == b && before.time <= by.time && !empty(intersect(before.box, common))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

  private:
    const DistributedProgram &program_;
    const RankPlan &plan_;
    std::vector<Access> reads_, writes_;

    void read(size_t time, size_t array, const Box &box) {
        if (!empty(box)) {
            reads_.push_back({time, array, box});
        }
    }
    void write(size_t time, size_t array, const Box &box) {
        if (!empty(box)) {
            writes_.push_back({time, array, box});
        }
    }

    void add(const Action &action, size_t time) {
        const RankPlan::Exchange &exchange = plan_.exchanges[action.segment];
        const Segment &segment = program_.segments[action.segment];
        if (action.kind == Action::Kind::Start) {
            for (const Message &message : exchange.plan.sends) {
                for (const Transfer &transfer : message.transfers) {
                    read(time, exchange.flows[transfer.flow], transfer.source);
                }
            }
            for (const Transfer &transfer : exchange.plan.local) {
                read(time, exchange.flows[transfer.flow], transfer.source);
                write(time, exchange.flows[transfer.flow], transfer.destination);
            }
        } else if (action.kind == Action::Kind::Finish) {
            for (const Message &message : exchange.plan.receives) {
                for (const Transfer &transfer : message.transfers) {
                    write(time, exchange.flows[transfer.flow], transfer.destination);
                }
            }
        } else {
            const SegmentBoxes boxes = segment.boxes(action.writes);
            for (size_t i = 0; i < segment.reads.size(); i++) {
                // What is read outside of a domain that is not periodic is used by nobody.
                const size_t a = segment.reads[i];
                read(time, a, intersect(boxes.reads[i], plan_.readable(a)));
            }
            for (size_t i = 0; i < segment.writes.size(); i++) {
                write(time, segment.writes[i], action.writes[i]);
            }
        }
    }
};

class ActionPlanner {
  public:
    ActionPlanner(const DistributedProgram &program, const RankPlan &plan, const RunOptions &options)
        : program_(program), plan_(plan), options_(options), boundaries_(program.segments.size()) {}

    std::vector<Action> plan() {
        const size_t count = program_.segments.size();
        for (size_t done = 0; done <= count; done++) {
            for (size_t s = done; s < count; s++) {
                if (options_.mode != ExchangeMode::Basic && exchanges(s) && plan_.exchanges[s].ready == done) {
                    actions_.push_back({Action::Kind::Start, s, 0, {}, false});
                }
            }
            if (done == count) {
                break;
            }
            if (exchanges(done)) {
                finish(done);
            }
            for (Action &action : rest_of(done)) {
                actions_.push_back(std::move(action));
            }
        }
        return std::move(actions_);
    }

    bool is_sound(const std::vector<Action> &actions) const {
        if (options_.slots.empty()) {
            return true;
        }
        check(options_.slots.size() == program_.arrays.size(), "each array has a slot");
        Accesses accesses(program_, plan_);
        accesses.add(actions);
        for (size_t a = 0; a < options_.slots.size(); a++) {
            for (size_t b = 0; b < options_.slots.size(); b++) {
                if (a != b && options_.slots[a] == options_.slots[b] && accesses.destroys(a, b)) {
                    return false;
                }
            }
        }
        return true;
    }

  private:
    const DistributedProgram &program_;
    const RankPlan &plan_;
    const RunOptions &options_;
    std::vector<std::vector<Box>> boundaries_; // by segment whose interior has been computed
    std::vector<bool> is_ahead_ = std::vector<bool>(boundaries_.size(), false);
    std::vector<Action> actions_;

    bool exchanges(size_t segment) const { return !plan_.exchanges[segment].flows.empty(); }

    Action compute(size_t s, const Box &box, bool is_ahead) const {
        const Segment &segment = program_.segments[s];
        const std::vector<Box> asked(segment.writes.size(), box);
        return {Action::Kind::Compute, s, 0, segment.boxes(asked).writes, is_ahead};
    }

    Box asked(size_t s) const { return plan_.owned[program_.segments[s].writes[0]]; }

    /// What is computed of a segment once its messages are there.
    std::vector<Action> rest_of(size_t s) const {
        std::vector<Action> actions;
        if (is_ahead_[s]) {
            for (const Box &box : boundaries_[s]) {
                actions.push_back(compute(s, box, false));
            }
            return actions;
        }
        Action whole{Action::Kind::Compute, s, 0, {}, false};
        bool computes = false;
        for (const size_t a : program_.segments[s].writes) {
            whole.writes.push_back(plan_.computed[a]);
            computes = computes || !empty(plan_.computed[a]);
        }
        if (computes) {
            actions.push_back(std::move(whole));
        }
        return actions;
    }

    void finish(size_t s) {
        if (options_.mode == ExchangeMode::Basic) {
            for (size_t flow = 0; flow < plan_.exchanges[s].flows.size(); flow++) {
                actions_.push_back({Action::Kind::Start, s, flow, {}, false});
                actions_.push_back({Action::Kind::Finish, s, flow, {}, false});
            }
            return;
        }
        if (options_.mode == ExchangeMode::Overlapped && !plan_.exchanges[s].plan.receives.empty()) {
            compute_ahead(s);
        }
        actions_.push_back({Action::Kind::Finish, s, 0, {}, false});
    }

    /// Computes interiors of segments from `first` on, as long as there are any.
    void compute_ahead(size_t first) {
        std::vector<std::optional<Box>> available(program_.arrays.size()); // by array
        for (const size_t a : plan_.exchanges[first].flows) {
            available[a] = plan_.owned[a];
        }
        for (size_t s = first; s < program_.segments.size() && (s == first || !exchanges(s)); s++) {
            const std::optional<SplitRegion> split = split_of(s, available);
            if (!split) {
                return;
            }
            std::vector<Action> ahead;
            for (const Box &box : split->interior) {
                ahead.push_back(compute(s, box, true));
            }
            boundaries_[s] = split->boundary;
            is_ahead_[s] = true;
            if (!is_sound_with(ahead, first, s)) {
                is_ahead_[s] = false;
                return;
            }
            actions_.insert(actions_.end(), ahead.begin(), ahead.end());
            Box interior(asked(s).size());
            for (const Box &box : split->interior) {
                interior = hull(interior, box);
            }
            for (const size_t a : program_.segments[s].writes) {
                available[a] = interior;
            }
        }
    }

    std::optional<SplitRegion> split_of(size_t s, const std::vector<std::optional<Box>> &available) const {
        const Segment &segment = program_.segments[s];
        const auto is_other = [&](size_t a) { return plan_.owned[a] != asked(s); };
        if (std::any_of(segment.writes.begin(), segment.writes.end(), is_other)) {
            return std::nullopt; // functions with regions of their own are computed when all messages are there
        }
        Region region{asked(s), plan_.computed[segment.writes[0]], {}, {}};
        for (const size_t a : segment.writes) {
            region.computed = intersect(region.computed, plan_.computed[a]);
        }
        for (const size_t a : segment.reads) {
            region.available.push_back(available[a]);
            region.domains.push_back(plan_.readable(a));
        }
        const int64_t parts = volume(region.asked) / std::max<int64_t>(1, options_.points_between_progress);
        return split_region(segment, region, std::max<int64_t>(1, std::min(options_.most_parts, parts)));
    }

    /// Whether nothing is destroyed if the chain from `first` on ends with segment `last`.
    bool is_sound_with(const std::vector<Action> &ahead, size_t first, size_t last) const {
        if (options_.slots.empty()) {
            return true;
        }
        std::vector<Action> actions = actions_;
        actions.insert(actions.end(), ahead.begin(), ahead.end());
        actions.push_back({Action::Kind::Finish, first, 0, {}, false});
        for (size_t s = first; s < program_.segments.size(); s++) {
            if (s > last && exchanges(s)) { // a start may have to be earlier, but its reads are these
                actions.push_back({Action::Kind::Start, s, 0, {}, false});
                actions.push_back({Action::Kind::Finish, s, 0, {}, false});
            }
            for (Action &action : rest_of(s)) {
                actions.push_back(std::move(action));
            }
        }
        return is_sound(actions);
    }
};

} // namespace

std::vector<Action> plan_actions(const DistributedProgram &program, const RankPlan &plan, const RunOptions &options) {
    ActionPlanner planner(program, plan, options);
    std::vector<Action> actions = planner.plan();
    check(planner.is_sound(actions), "arrays share memory only where no value is lost");
    return actions;
}

bool can_share(const DistributedProgram &program, const RankPlan &plan, const std::vector<size_t> &slots) {
    RunOptions options;
    options.mode = ExchangeMode::Merged;
    options.slots = slots;
    ActionPlanner planner(program, plan, options);
    const std::vector<Action> actions = planner.plan();
    return planner.is_sound(actions);
}

} // namespace fluorite::distribute
