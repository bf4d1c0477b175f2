// Loops over blocks and threads of a GPU, on top of any schedule: the outermost loops of most Funcs at root become
// blocks, the next ones threads; loops of Funcs that are computed in others become threads, and some of these Funcs are
// stored in memory of blocks or of the device. Parallel loops are made serial first, as a loop has one mark. Loops
// between the place where a Func is computed and the one where it is stored, or where its memory is taken, stay serial.

#include "apply_device.h"

#include "apply_automatic.h"
#include "language/freeze.h"
#include "language/function.h"

#include <algorithm>
#include <set>
#include <utility>

namespace fluorite::fuzz {

namespace {

/// A loop of any stage of a Func.
using LoopOfFunc = std::pair<const language::Function *, std::string>;

/// Finds the loops inside of which Funcs are computed whose values are stored, or whose memory is taken, outside.
class OpenLoops {
  public:
    explicit OpenLoops(const language::FrozenPipeline &frozen)
        : functions_(frozen.functions), graph_(frozen.pipeline.graph), schedule_(frozen.pipeline.schedule) {}

    std::set<LoopOfFunc> find() {
        for (const schedule::FuncSchedule &func : schedule_.funcs) {
            const schedule::LoopLevel &outer = func.hoist.is_inlined() ? func.store : func.hoist;
            schedule::LoopLevel at = outer.is_inlined() ? outer : func.compute;
            while (at.is_at()) {
                const size_t consumer = index_of(at.func);
                const bool has_ended = consumer == graph_.funcs.size() || add_loops(consumer, at, outer);
                at = has_ended ? schedule::LoopLevel::inlined() : schedule_.funcs[consumer].compute;
            }
        }
        return std::move(found_);
    }

  private:
    const std::vector<language::Function *> &functions_;
    const ir::Graph &graph_;
    const schedule::Schedule &schedule_;
    std::set<LoopOfFunc> found_;

    size_t index_of(const ir::Symbol &func) const {
        const auto found = std::find_if(graph_.funcs.begin(), graph_.funcs.end(),
                                        [&](const ir::FuncDef &one) { return one.symbol == func; });
        return static_cast<size_t>(found - graph_.funcs.begin());
    }

    /// Adds the loops of a Func from `inner` outwards, inside of `outer`; whether that is one of them.
    bool add_loops(size_t func, const schedule::LoopLevel &inner, const schedule::LoopLevel &outer) {
        bool has_outer = false;
        for (const schedule::StageSchedule &stage : schedule_.funcs[func].stages) {
            auto dim = std::find_if(stage.dims.begin(), stage.dims.end(),
                                    [&](const schedule::LoopDim &one) { return one.var == inner.var; });
            for (; dim != stage.dims.end(); ++dim) {
                if (outer.is_at() && outer.func == inner.func && dim->var == outer.var) {
                    has_outer = true;
                    break;
                }
                found_.emplace(functions_[func], dim->var);
            }
        }
        return has_outer;
    }
};

std::set<LoopOfFunc> open_loops_of(const Program &program) {
    const Pipeline pipeline(program.outputs);
    try {
        return OpenLoops(language::freeze_with_handles(*pipeline.contents())).find();
    } catch (const CompileError &) {
        return {}; // the case is refused whatever is marked
    }
}

class DeviceMarks {
  public:
    DeviceMarks(uint64_t seed, Program &program, std::set<LoopOfFunc> open)
        : random_(seed), program_(program), open_(std::move(open)) {}

    void mark(Func func) {
        const schedule::FuncSchedule &schedule = func.function()->schedule;
        const bool is_output = std::any_of(program_.outputs.begin(), program_.outputs.end(),
                                           [&](const Func &output) { return output.function() == func.function(); });
        if (!is_output && schedule.compute.is_inlined()) {
            return;
        }
        const bool is_at_root = is_output || schedule.compute.is_root();
        if (!random_.chance(is_at_root ? 80 : 50)) {
            return;
        }
        for (size_t k = 0; k < schedule.stages.size(); k++) {
            const Stage stage = k == 0 ? Stage(func.function(), 0) : Stage(func.update(static_cast<int>(k) - 1));
            mark_loops(stage, func.name() + (k == 0 ? "" : ".update(" + std::to_string(k - 1) + ")"), is_at_root);
        }
        if (!is_at_root && random_.chance(30)) {
            store(func);
        }
    }

  private:
    Random random_;
    Program &program_;
    std::set<LoopOfFunc> open_;

    /// Memory of a block or of the device, whatever the Func is computed in.
    void store(Func &func) {
        const bool is_shared = random_.chance(50);
        try {
            func.store_in(is_shared ? MemoryType::GPUShared : MemoryType::Heap);
            program_.schedule_text.push_back(func.name() +
                                             ".store_in(MemoryType::" + (is_shared ? "GPUShared" : "Heap") + ");");
        } catch (const CompileError &) {
            return; // it has been stored elsewhere
        }
    }

    void mark_loops(Stage stage, const std::string &text, bool is_at_root) {
        std::vector<std::string> loops = stage.loops();
        size_t left = loops.size();
        for (int blocks = is_at_root ? random_.in(1, 3) : 0; blocks > 0 && left > 0; blocks--, left--) {
            if (!mark_loop(stage, text, loops[left - 1], ForType::GPUBlock)) {
                return;
            }
        }
        for (int threads = random_.in(0, 3); threads > 0 && left > 0; threads--, left--) {
            if (!mark_loop(stage, text, loops[left - 1], ForType::GPUThread)) {
                return;
            }
        }
    }

    bool mark_loop(Stage &stage, const std::string &text, const std::string &loop, ForType type) {
        const std::vector<schedule::LoopDim> &dims =
            stage.function()->schedule.stages[static_cast<size_t>(stage.index())].dims;
        const auto dim = std::find_if(dims.begin(), dims.end(), [&](const auto &one) { return one.var == loop; });
        const bool is_open = open_.contains({stage.function().get(), loop});
        if (is_open || (dim->for_type != ForType::Serial && dim->for_type != ForType::Parallel)) {
            return false;
        }
        const char *word = type == ForType::GPUBlock ? "gpu_blocks" : "gpu_threads";
        try {
            const VarOrRVar var(loop, false);
            if (dim->for_type == ForType::Parallel) {
                stage.serial(var);
                program_.schedule_text.push_back(text + ".serial(Var(\"" + loop + "\"));");
            }
            if (type == ForType::GPUBlock) {
                stage.gpu_blocks(var);
            } else {
                stage.gpu_threads(var);
            }
            program_.schedule_text.push_back(text + "." + word + "(Var(\"" + loop + "\"));");
            return true;
        } catch (const CompileError &) {
            return false; // a loop whose iterations depend on each other
        }
    }
};

} // namespace

void apply_device(const Genome &genome, Program &program) {
    if (genome.device == 0 || is_planned_for_device(genome)) {
        return;
    }
    DeviceMarks marks(static_cast<uint64_t>(genome.device), program, open_loops_of(program));
    for (const Func &func : program.funcs) {
        if (func.defined()) {
            marks.mark(func);
        }
    }
    for (const std::vector<Func> &wrappers : program.wrappers) {
        for (const Func &wrapper : wrappers) {
            marks.mark(wrapper);
        }
    }
}

} // namespace fluorite::fuzz
