// Checks that outputs share no memory with other arguments.
//
// Back ends assume that buffers do not overlap. Where each point of an output depends on the same point of an input
// only, the point is stored after all its loads, and both may be the same buffer.
//
// Of few buffers, each pair is a check in the entry:
//   assert fluorite_buffers_overlap(out, in, 0) == 0 else fluorite_error_buffers_overlap("out", "in", "f reads in too...")
// The pairs of n outputs are n * n / 2, so many buffers are one call of the runtime, with all of them and a text of
// their names (fluorite/runtime/checks.h), which is linear: why an input may not share memory is the same for all
// outputs but those of the Func that reads it first.
//
// Cost: linear in the nodes of the graph, and in the pairs that are checked one by one.

#include "lowering/from_nest/sharing_checks.h"

#include "ir/expr_traits.h"
#include "lowering/from_nest/entry_checks.h"
#include "support/check.h"

#include <algorithm>
#include <optional>

namespace fluorite::lowering {

using namespace ir;
using loopnest::LoweringGraph;

InputReaders::InputReaders(const LoweringGraph &graph) {
    for (FuncId id : graph.order) {
        for (const Stage &stage : graph.func(id).stages) {
            for (const Expr &expr : stage_exprs(stage)) {
                for_each_node(expr, [&](const Expr &node) {
                    if (node->kind() == ExprKind::Image) {
                        std::vector<FuncId> &readers = readers_[node->symbol()];
                        if (readers.empty() || readers.back() != id) {
                            readers.push_back(id);
                        }
                    }
                });
            }
        }
    }
}

const std::vector<FuncId> &InputReaders::of(const Symbol &input) const {
    const auto at = readers_.find(input);
    return at == readers_.end() ? nobody_ : at->second;
}

namespace {

/// Pairs of buffers above which one call checks all of them. A pair takes some 40 us to compile (measured with 125
/// outputs, 7,875 pairs); of so few, the checks are cheaper at run time than the call, which sorts the buffers.
constexpr size_t most_single_pairs = 64;

/// Why an output and another argument may not share memory.
struct Reason {
    bool may_be_same = false; // they may be one buffer
    std::string text;
};

class SharingChecker {
  public:
    SharingChecker(const LoweringGraph &graph, const InputReaders &readers) : graph_(graph), readers_(readers) {}

    std::vector<Stmt> run(const std::vector<SharedBuffer> &buffers) {
        for (const SharedBuffer &buffer : buffers) {
            // Of other inputs, the pipeline uses the sizes only, or nothing.
            if (buffer.is_output) {
                outputs_.push_back(&buffer);
            } else if (!readers_.of(buffer.symbol).empty()) {
                inputs_.push_back(&buffer);
            }
        }
        const size_t pairs = outputs_.size() * inputs_.size() + outputs_.size() * (outputs_.size() - 1) / 2;
        return outputs_.empty() || pairs == 0 ? std::vector<Stmt>()
               : pairs > most_single_pairs    ? std::vector{check_together()}
                                              : check_pairs();
    }

  private:
    const LoweringGraph &graph_;
    const InputReaders &readers_;
    std::vector<const SharedBuffer *> inputs_, outputs_;
    std::optional<bool> has_shared_loops_;

    // ---- One by one.

    std::vector<Stmt> check_pairs() {
        std::vector<Stmt> checks;
        for (const SharedBuffer *input : inputs_) {
            for (const SharedBuffer *output : outputs_) {
                checks.push_back(check_pair(*output, *input, reason(*output, *input)));
            }
        }
        for (size_t i = 0; i < outputs_.size(); i++) {
            for (size_t k = i + 1; k < outputs_.size(); k++) {
                checks.push_back(
                    check_pair(*outputs_[k], *outputs_[i], {false, "each output is written to memory of its own"}));
            }
        }
        return checks;
    }

    static Stmt check_pair(const SharedBuffer &output, const SharedBuffer &other, const Reason &reason) {
        const std::vector<Expr> both = {buffer_pointer(output.symbol), buffer_pointer(other.symbol),
                                        int32(reason.may_be_same ? 1 : 0)};
        const std::vector<Expr> texts = {make_string(output.name), make_string(other.name), make_string(reason.text)};
        const Expr overlap = make_extern(Int(32), "fluorite_buffers_overlap", both);
        return Assert::make(equals(overlap, int32(0)), make_extern(Int(32), "fluorite_error_buffers_overlap", texts));
    }

    // ---- All at once.

    Stmt check_together() {
        std::string text = concat(inputs_.size(), "\n", outputs_.size(), "\n");
        std::vector<Expr> call = {Expr()};
        for (const SharedBuffer *output : outputs_) {
            text += output->name + "\n";
        }
        for (const SharedBuffer *input : inputs_) {
            call.push_back(buffer_pointer(input->symbol));
            text += describe(*input);
        }
        for (const SharedBuffer *output : outputs_) {
            call.push_back(buffer_pointer(output->symbol));
        }
        call[0] = make_string(text);
        const Expr code = make_extern(Int(32), "fluorite_check_sharing", call);
        return Assert::make(equals(code, int32(0)), code);
    }

    /// The name of an input, why no output may share its memory, and the outputs of which that is not so.
    std::string describe(const SharedBuffer &input) {
        const FuncId first = readers_.of(input.symbol).front();
        std::string exceptions;
        size_t count = 0;
        for (size_t k = 0; k < outputs_.size(); k++) {
            if (outputs_[k]->func == first) {
                const Reason own = reason(*outputs_[k], input);
                exceptions += concat(k, "\n", own.may_be_same ? 1 : 0, "\n", own.text, "\n");
                count++;
            }
        }
        return concat(input.name, "\n", read_too(first, input), "\n", count, "\n", exceptions);
    }

    // ---- Reasons.

    Reason reason(const SharedBuffer &output, const SharedBuffer &input) {
        const std::string why = why_not_in_place(output, input);
        return !why.empty() ? Reason{false, why}
                            : Reason{true, graph_.func(output.func).name() +
                                               " may only be computed in place where both buffers are the same one, " +
                                               "as other points are read after they are written"};
    }

    std::string read_too(FuncId reader, const SharedBuffer &input) const {
        return graph_.func(reader).name() + " reads " + input.name + " too, before or after it is overwritten";
    }

    // Returns an empty text if in-place computation is legal: each point of the output is computed once, by one store,
    // from no other point of the input, and nothing else reads the input.
    std::string why_not_in_place(const SharedBuffer &output, const SharedBuffer &input) {
        const FuncDef &func = graph_.func(output.func);
        const std::vector<FuncId> &readers = readers_.of(input.symbol);
        const auto other = std::find_if(readers.begin(), readers.end(), [&](FuncId id) { return id != output.func; });
        if (other != readers.end()) {
            return read_too(*other, input);
        }
        if (func.stages.size() != 1 || func.types.size() != 1) {
            return func.name() + " reads " + input.name + " and stores several times at one point";
        }
        if (!reads_same_points(func, output, input)) {
            return func.name() + " reads " + input.name + " at other points than the one that it writes";
        }
        return why_repeated(output.func);
    }

    static bool reads_same_points(const FuncDef &func, const SharedBuffer &output, const SharedBuffer &input) {
        bool same_point = input.dimensions == output.dimensions;
        for (const Expr &expr : stage_exprs(func.stages[0])) {
            for_each_node(expr, [&](const Expr &node) {
                if (node->kind() == ExprKind::Image && node->symbol() == input.symbol) {
                    for (size_t d = 0; d < node->arg_count() && same_point; d++) {
                        const Expr &arg = node->arg(d);
                        same_point = arg->kind() == ExprKind::Variable && arg->symbol() == func.args[d];
                    }
                }
            });
        }
        return same_point;
    }

    // Why points may be computed twice, or stored in a different order than they are read; an empty text if neither.
    std::string why_repeated(FuncId id) {
        if (!has_shared_loops_) {
            has_shared_loops_ = std::any_of(graph_.order.begin(), graph_.order.end(), [&](FuncId other) {
                const std::vector<schedule::StageSchedule> &stages = graph_.schedule(other).stages;
                return std::any_of(stages.begin(), stages.end(), [](const auto &stage) { return bool(stage.with); });
            });
        }
        if (*has_shared_loops_) {
            return "loops that stages share order loads and stores in ways of their own";
        }
        for (const schedule::Split &split : graph_.schedule(id).stages[0].splits) {
            const bool once = split.kind != schedule::Split::Kind::Split || split.tail == TailStrategy::GuardWithIf ||
                              split.tail == TailStrategy::Predicate || split.tail == TailStrategy::PredicateStores ||
                              split.tail == TailStrategy::RoundUp;
            if (!once) {
                return "the split of " + split.old_var + " may compute points twice; in place, its tail is " +
                       "TailStrategy::GuardWithIf";
            }
        }
        return "";
    }
};

} // namespace

std::vector<Stmt> make_sharing_checks(const std::vector<SharedBuffer> &buffers, const LoweringGraph &graph,
                                      const InputReaders &readers) {
    return SharingChecker(graph, readers).run(buffers);
}

} // namespace fluorite::lowering
