// Several runs of a program as one.

#include "ranks/plan/unrolled.h"

#include "fluorite/errors.h"
#include "support/check.h"
#include "support/numeric.h"

#include <algorithm>

namespace fluorite::distribute {

namespace {

/// The places of an array among those that a segment reads, and of the one that it computes from it.
struct FromItself {
    size_t read = 0, write = 0;
};
std::optional<FromItself> computes_from_itself(const Segment &segment, size_t input, size_t output) {
    const auto read = std::find(segment.reads.begin(), segment.reads.end(), input);
    const auto write = std::find(segment.writes.begin(), segment.writes.end(), output);
    if (read == segment.reads.end() || write == segment.writes.end()) {
        return std::nullopt;
    }
    return FromItself{static_cast<size_t>(read - segment.reads.begin()),
                      static_cast<size_t>(write - segment.writes.begin())};
}

class Unroller {
  public:
    Unroller(const DistributedProgram &program, const std::vector<Field> &fields, int64_t runs)
        : program_(program), fields_(fields), runs_(runs) {
        result_.program.name = program.name;
        result_.program.arrays = program.arrays;
        result_.program.hash = runs == 1 ? program.hash : combine_hash(program.hash, static_cast<uint64_t>(runs));
        result_.program.schedule_hash = program.schedule_hash;
        result_.program.values_hash = program.values_hash;
        for (size_t a = 0; a < program.arrays.size(); a++) {
            result_.original.push_back(a);
        }
        for (const Field &field : fields) {
            result_.levels.push_back({field.input});
        }
    }

    UnrolledProgram unroll() {
        for (int64_t run = 0; run < runs_; run++) {
            add_run(run);
        }
        if (runs_ > 1) {
            for (Array &array : result_.program.arrays) {
                if (array.role == Array::Role::Inner) { // has values beyond edges because it is computed there
                    array.periodic.clear();
                    array.edges.clear();
                }
                if (array.role == Array::Role::Inner && array.placement.kind == Placement::Kind::Blocks) {
                    array.placement = {Placement::Kind::Rank, {}, {}, {}};
                }
            }
            for (Segment &segment : result_.program.segments) {
                segment.stays_inside.clear();
            }
            keep_last_but_one();
            remove_unread();
        }
        return std::move(result_);
    }

  private:
    const DistributedProgram &program_;
    const std::vector<Field> &fields_;
    int64_t runs_;
    UnrolledProgram result_;

    void add_run(int64_t run) {
        const bool is_last = run + 1 == runs_;
        std::vector<size_t> here(program_.arrays.size()); // by array: in this run
        for (size_t a = 0; a < here.size(); a++) {
            here[a] = a;
            if (!is_last && program_.arrays[a].role != Array::Role::Input) {
                here[a] = result_.program.arrays.size();
                Array array = program_.arrays[a];
                array.name += concat(" of run ", run + 1);
                array.role = Array::Role::Inner;
                result_.program.arrays.push_back(std::move(array));
                result_.original.push_back(a);
            }
        }
        for (size_t f = 0; f < fields_.size(); f++) {
            here[fields_[f].input] = result_.levels[f].back();
            if (fields_[f].before && run > 0) {
                here[*fields_[f].before] = result_.levels[f][static_cast<size_t>(run) - 1];
            }
        }
        for (size_t f = 0; f < fields_.size(); f++) {
            result_.levels[f].push_back(here[fields_[f].output]);
        }
        for (const Segment &segment : program_.segments) {
            Segment copy = segment;
            for (std::vector<size_t> *arrays : {&copy.reads, &copy.writes}) {
                for (size_t &a : *arrays) {
                    a = here[a];
                }
            }
            result_.program.segments.push_back(std::move(copy));
            result_.runs.push_back(run);
        }
    }

    /// Each rank has its part of the values after the last run but one, whatever the last run reads of them: the
    /// segment that computes a field says that it reads the field where it writes it.
    void keep_last_but_one() {
        for (size_t f = 0; f < fields_.size(); f++) {
            const std::vector<size_t> &levels = result_.levels[f];
            for (size_t s = 0; s < result_.program.segments.size() && fields_[f].before; s++) {
                Segment &segment = result_.program.segments[s];
                const std::optional<FromItself> at =
                    computes_from_itself(segment, levels[levels.size() - 2], levels.back());
                if (at) {
                    segment.boxes = [boxes = segment.boxes, at = *at](const std::vector<Box> &writes) {
                        SegmentBoxes all = boxes(writes);
                        all.reads[at.read] = hull(all.reads[at.read], writes[at.write]);
                        return all;
                    };
                }
            }
        }
    }

    /// Removes segments whose values nobody reads.
    void remove_unread() {
        std::vector<Segment> &segments = result_.program.segments;
        std::vector<bool> is_read(result_.program.arrays.size(), false);
        for (size_t a = 0; a < is_read.size(); a++) {
            is_read[a] = result_.program.arrays[a].role == Array::Role::Output;
        }
        for (size_t s = segments.size(); s-- > 0;) {
            const std::vector<size_t> &writes = segments[s].writes;
            if (std::none_of(writes.begin(), writes.end(), [&](size_t a) { return is_read[a]; })) {
                segments.erase(segments.begin() + static_cast<std::ptrdiff_t>(s));
                result_.runs.erase(result_.runs.begin() + static_cast<std::ptrdiff_t>(s));
                continue;
            }
            for (const size_t a : segments[s].reads) {
                is_read[a] = true;
            }
        }
    }
};

} // namespace

bool can_unroll(const DistributedProgram &program, const std::vector<Field> &fields) {
    const bool are_kept = std::all_of(fields.begin(), fields.end(), [&](const Field &field) {
        return !field.before ||
               std::any_of(program.segments.begin(), program.segments.end(), [&](const Segment &segment) {
                   return computes_from_itself(segment, field.input, field.output).has_value();
               });
    });
    if (!are_kept) {
        return false;
    }
    const auto wraps = [](const Array &array) {
        return std::find(array.periodic.begin(), array.periodic.end(), true) != array.periodic.end();
    };
    const bool is_periodic = std::any_of(fields.begin(), fields.end(),
                                         [&](const Field &field) {
                                             return wraps(program.arrays.at(field.input)) ||
                                                    (field.before && wraps(program.arrays.at(*field.before)));
                                         }) ||
                             std::any_of(program.arrays.begin(), program.arrays.end(), [&](const Array &array) {
                                 return array.role != Array::Role::Input && wraps(array);
                             });
    return !is_periodic || std::all_of(program.segments.begin(), program.segments.end(),
                                       [](const Segment &segment) { return segment.ignores_coordinates; });
}

UnrolledProgram unrolled(const DistributedProgram &program, const std::vector<Field> &fields, int64_t runs) {
    check(runs >= 1, "a program runs at least once");
    if (runs > 1 && !can_unroll(program, fields)) {
        throw RuntimeError(
            "bad-distribution",
            concat("in ", program.name, ": ", runs, " runs for each exchange, a periodic field, and ",
                   "segments whose values may depend on coordinates; ranks would compute them outside of ",
                   "the domain; exchange in each run, or compute values from what is read alone"));
    }
    return Unroller(program, fields, runs).unroll();
}

} // namespace fluorite::distribute
