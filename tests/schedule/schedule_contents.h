#pragma once
// Everything that directives edit, as text. Structured bindings decompose the members, so a new member of a schedule
// does not compile here until it is named and printed. Locations are omitted.
#include "fluorite/fluorite.h"
#include "language/function.h"

#include <sstream>
#include <string>

namespace fluorite {

class ScheduleContents {
  public:
    static std::string of(const Func &func) {
        ScheduleContents contents;
        const language::Function &function = *func.function();
        contents.put(function.schedule);
        contents.out_ << "\ndefinitions";
        for (const ir::Stage &stage : function.def.stages) {
            for (const auto *exprs : {&stage.args, &stage.values}) {
                for (const Expr &expr : *exprs) {
                    contents.out_ << ' ' << expr;
                }
            }
            contents.out_ << " over " << stage.rvars.size() << '\n';
        }
        contents.out_ << function.algorithm.size() << ' ' << function.factored.size() << " wrappers";
        for (const language::Wrapper &wrapper : function.wrappers) {
            contents.out_ << ' ' << static_cast<int>(wrapper.kind) << ' ' << wrapper.function->name;
            for (const ir::Symbol &consumer : wrapper.consumers) {
                contents.out_ << ' ' << consumer.name();
            }
        }
        return contents.out_.str();
    }

  private:
    std::ostringstream out_;

    template <typename... Values> void line(const char *what, const Values &...values) {
        out_ << '\n' << what;
        (put(values), ...);
    }
    template <typename Value>
        requires std::is_enum_v<Value>
    void put(Value value) {
        out_ << ' ' << static_cast<int>(value);
    }
    void put(bool value) { out_ << (value ? " yes" : " no"); }
    void put(int value) { out_ << ' ' << value; }
    void put(const std::string &value) { out_ << " '" << value << '\''; }
    void put(const Expr &value) { value.defined() ? out_ << ' ' << value : out_ << " -"; }
    void put(const ir::Symbol &value) { out_ << ' ' << value.name(); }
    template <typename Value> void put(const std::vector<Value> &values) {
        out_ << " [" << values.size();
        for (const Value &value : values) {
            put(value);
        }
        out_ << ']';
    }
    template <typename Value> void put(const std::optional<Value> &value) {
        out_ << " ?";
        if (value) {
            put(*value);
        }
    }

    void put(const schedule::LoopLevel &value) {
        const auto &[kind, func, stage, var, location] = value;
        static_cast<void>(location);
        put(kind);
        if (value.is_at()) {
            put(func);
            put(stage);
            put(var);
        }
    }
    void put(const schedule::Mark &value) {
        const auto &[name, number, location] = value;
        static_cast<void>(location);
        put(name);
        put(number);
    }
    void put(const schedule::AppliedDirective &value) {
        const auto &[name, location] = value;
        static_cast<void>(location);
        put(name);
    }
    void put(const schedule::Split &value) {
        const auto &[kind, old_var, outer, inner, factor, tail, exact, location] = value;
        static_cast<void>(location);
        line("  step", kind, old_var, outer, inner, factor, tail, exact);
    }
    void put(const schedule::DistributedLoop &value) {
        const auto &[position, parts, location] = value;
        static_cast<void>(location);
        put(position);
        put(parts);
    }
    void put(const schedule::LoopDim &value) {
        const auto &[var, for_type, is_rvar, reorderable, partition, distributed, location, partitioned] = value;
        static_cast<void>(location);
        static_cast<void>(partitioned);
        line("  loop", var, for_type, is_rvar, reorderable, partition, distributed);
    }
    void put(const schedule::Prefetch &value) {
        const auto &[source, at, from, offset, strategy, location] = value;
        static_cast<void>(location);
        line("  prefetch", source, at, from, offset, strategy);
    }
    void put(const schedule::ComputeWith &value) {
        const auto &[level, align] = value;
        line("  with", level, align);
    }
    void put(const schedule::Specialization &value) {
        const auto &[condition, failure, schedule, location] = value;
        static_cast<void>(location);
        line("  where", condition, failure, schedule);
    }
    void put(const schedule::Bound &value) {
        const auto &[var, min, extent, modulus, remainder, location] = value;
        static_cast<void>(location);
        line("  region", var, min, extent, modulus, remainder);
    }
    void put(const schedule::StorageDim &value) {
        const auto &[var, fold, fold_forward, alignment, bound, location] = value;
        static_cast<void>(location);
        line("  dimension", var, fold, fold_forward, alignment, bound);
    }
    void put(const schedule::StageSchedule &value) {
        const auto &[splits, dims, atomic, order_is_free, allow_race_conditions, marks, touched, on_loops, with,
                     specializations, prefetches] = value;
        line(" stage", splits, dims, atomic, order_is_free, allow_race_conditions, marks.all(), touched, on_loops, with,
             specializations, prefetches);
    }
    void put(const schedule::FuncSchedule &value) {
        const auto &[compute, store, bounds, estimates, memory, stages, storage_order, hoist, storage, marks, on_region,
                     on_storage, location, is_copy] = value;
        static_cast<void>(location);
        line("func", compute, store, bounds, estimates, memory, stages, storage_order, hoist, storage, marks.all(),
             on_region, on_storage, is_copy);
    }
};

} // namespace fluorite
