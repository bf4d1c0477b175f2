// Runs a case in this process. The interpreter evaluates the frozen graph that the machine code was made from, so both see
// the same fused multiply-adds.
//
// Outputs: a bounds query says how large they have to be (updates over fixed domains, tails that round up), and they are made so.
// Inputs: exactly as large as inferred, so that reads outside show. The interpreter may still need more of them: it reads
// what the program says, where the compiler knows that the value does not matter; it then sees larger inputs with the same values.

#include "run.h"

#include "buffers.h"
#include "build.h"
#include "driver/compiled.h"
#include "driver/user_context.h"
#include "interpret/compare.h"
#include "interpret/interpret.h"
#include "ir/stmt.h"
#include "lowering/fault.h"
#include "lowering/lower.h"

#include <cstring>

namespace fluorite::fuzz {

namespace {

/// The fault of this name that a pass makes itself.
lowering::Fault fault_of(const std::string &plant) {
    return plant == "sliding" ? lowering::Fault::Sliding
           : plant == "fold"  ? lowering::Fault::Fold
           : plant == "halo"  ? lowering::Fault::Halo
                              : lowering::Fault::None;
}

class Planter : public ir::Mutator {
  public:
    explicit Planter(std::string plant) : plant_(std::move(plant)) {}
    using ir::Mutator::mutate;

    Expr mutate(const Expr &expr) override {
        Expr result = recurse(expr);
        if (plant_ == "mod" && result->kind() == ir::ExprKind::Mod && result.type().is_int()) {
            return ir::make_binary(ir::ExprKind::Remainder, result->arg(0), result->arg(1));
        }
        if (plant_ == "max" && result->kind() == ir::ExprKind::Max && result.type().is_vector()) {
            return result->arg(0);
        }
        return result;
    }
    ir::Stmt mutate(const ir::Stmt &stmt) override {
        ir::Stmt result = recurse(stmt);
        const ir::For *loop = result.as<ir::For>();
        if (plant_ == "loop" && loop && loop->for_kind == ForType::Serial) {
            Expr shorter =
                ir::sub(loop->extent, ir::make_cast(Int(32), ir::less(ir::make_int(Int(32), 4), loop->extent)));
            return ir::For::make(loop->var, loop->min, shorter, loop->for_kind, loop->body, loop->partition);
        }
        return result;
    }

  private:
    std::string plant_;
};

Box box_of(const fluorite_buffer_t &buffer) {
    Box box;
    for (int32_t d = 0; d < buffer.dimensions; d++) {
        box.min.push_back(buffer.dim[d].min);
        box.extent.push_back(buffer.dim[d].extent);
    }
    return box;
}

class Runner {
  public:
    Runner(const Genome &genome, const std::string &plant, const OnPhase &on_phase)
        : genome_(genome), plant_(plant), on_phase_(on_phase), program_(build(genome)) {
        for (size_t i = 0; i < program_.accepted.size(); i++) {
            if (program_.accepted[i]) {
                add_feature(outcome_.features, genome.schedule[i].op);
            } else if (!program_.refusals[i].slug.empty()) {
                outcome_.refusals.push_back(program_.refusals[i].slug);
            } else {
                outcome_.idle++;
            }
        }
        for (size_t i = 0; i < program_.walked.size(); i++) {
            if (program_.walked[i]) {
                add_feature(outcome_.features, genome.walk[i].op);
            }
        }
    }

    Outcome run() {
        try {
            compare();
        } catch (const CompileError &error) {
            fail(Outcome::Kind::Rejected, error.slug(), error.what());
        } catch (const RuntimeError &error) {
            fail(Outcome::Kind::Refused, error.slug(), error.what());
        } catch (const std::exception &error) {
            fail(Outcome::Kind::Internal, "internal", error.what());
        }
        return outcome_;
    }

  private:
    const Genome &genome_;
    const std::string &plant_;
    const OnPhase &on_phase_;
    Program program_;
    Outcome outcome_;
    std::shared_ptr<const driver::CompiledPipeline> compiled_;
    std::vector<Box> boxes_; // of the outputs
    std::vector<GuardedBuffer> inputs_;
    driver::RunContext context_{nullptr, JITHandlers()};

    void fail(Outcome::Kind kind, const std::string &slug, const std::string &text) {
        outcome_.kind = kind;
        outcome_.slug = slug;
        outcome_.text = text;
    }

    void bind(size_t input, const Box &box, Layout layout) {
        const InputGene &gene = genome_.inputs[input];
        GuardedBuffer buffer(gene.type, box, layout, 0xaa);
        buffer.fill(gene.values, input + 1);
        program_.inputs[input].set(buffer.buffer());
        inputs_.push_back(buffer);
    }

    void bind_fixed_inputs() {
        for (size_t i = 0; i < genome_.inputs.size(); i++) {
            const InputGene &gene = genome_.inputs[i];
            Box box;
            for (size_t d = 0; d + 1 < gene.box.size(); d += 2) {
                box.min.push_back(gene.box[d]);
                box.extent.push_back(gene.box[d + 1]);
            }
            if (!gene.box.empty()) {
                bind(i, box, gene.layout);
            }
        }
    }

    // Asks how large the outputs have to be.
    void fit_outputs() {
        std::vector<std::vector<fluorite_dimension_t>> dims;
        std::vector<fluorite_buffer_t> headers;
        std::vector<fluorite_buffer_t *> pointers;
        for (const OutputGene &output : genome_.outputs) {
            const FuncGene &func = genome_.funcs[static_cast<size_t>(output.func)];
            for (Type type : func.types) {
                std::vector<fluorite_dimension_t> shape;
                int32_t stride = 1;
                for (size_t d = 0; d < output.min.size(); d++) {
                    shape.emplace_back(output.min[d], output.extent[d], stride);
                    stride *= output.extent[d];
                }
                dims.push_back(shape);
                fluorite_buffer_t header{};
                header.type =
                    fluorite_type_t(static_cast<fluorite_type_code_t>(type.code()), static_cast<uint8_t>(type.bits()));
                header.dimensions = static_cast<int32_t>(shape.size());
                headers.push_back(header);
            }
        }
        bool unbound = false;
        for (size_t i = 0; i < headers.size(); i++) {
            headers[i].dim = dims[i].data();
            pointers.push_back(&headers[i]);
        }
        for (const ImageParam &input : program_.inputs) {
            unbound |= !input.get().defined();
        }
        for (int round = 0; round < 4; round++) {
            std::vector<std::vector<fluorite_dimension_t>> before = dims;
            if (unbound) {
                driver::infer_inputs(*compiled_, pointers, context_, {});
                for (size_t i = 0; i < program_.inputs.size(); i++) {
                    if (genome_.inputs[i].box.empty()) {
                        program_.inputs[i].reset();
                    }
                }
            } else {
                driver::run(*compiled_, pointers, context_, {});
            }
            if (dims == before) {
                break;
            }
        }
        size_t value = 0;
        for (const OutputGene &output : genome_.outputs) {
            Box box = box_of(headers[value]);
            outcome_.grown |= box.min != output.min || box.extent != output.extent;
            boxes_.push_back(box);
            value += genome_.funcs[static_cast<size_t>(output.func)].types.size();
        }
    }

    std::vector<GuardedBuffer> make_outputs(bool dense) {
        std::vector<GuardedBuffer> buffers;
        for (size_t o = 0; o < genome_.outputs.size(); o++) {
            for (Type type : genome_.funcs[static_cast<size_t>(genome_.outputs[o].func)].types) {
                buffers.emplace_back(type, boxes_[o], dense ? Layout::Dense : genome_.outputs[o].layout, 0x55);
            }
        }
        return buffers;
    }

    static std::vector<fluorite_buffer_t *> raw(std::vector<GuardedBuffer> &buffers) {
        std::vector<fluorite_buffer_t *> pointers;
        for (GuardedBuffer &buffer : buffers) {
            pointers.push_back(buffer.raw());
        }
        return pointers;
    }

    void bind_inferred_inputs(const std::vector<fluorite_buffer_t *> &outputs) {
        driver::infer_inputs(*compiled_, outputs, context_, {});
        for (size_t i = 0; i < program_.inputs.size(); i++) {
            Buffer<> inferred = program_.inputs[i].get();
            if (!inferred.defined() || !genome_.inputs[i].box.empty()) {
                continue;
            }
            Box box = box_of(*inferred.raw_buffer());
            bind(i, genome_.inputs[i].layout == Layout::Larger ? larger(box, 3) : box, genome_.inputs[i].layout);
        }
    }

    static Box larger(Box box, int by) {
        for (size_t d = 0; d < box.min.size(); d++) {
            box.min[d] -= by;
            box.extent[d] += 2 * by;
        }
        return box;
    }

    void run_code(const std::vector<fluorite_buffer_t *> &outputs) {
        if (plant_.empty()) {
            driver::run(*compiled_, outputs, context_, {});
            return;
        }
        const lowering::PlantedFault planted(fault_of(plant_));
        driver::CompiledPipeline faulty;
        ir::LoweredFunc func = driver::lower_for(*pipeline().contents(), compiled_->target, "faulty");
        func.body = Planter(plant_).mutate(func.body);
        faulty.target = compiled_->target;
        faulty.args = func.args;
        faulty.outputs = compiled_->outputs;
        faulty.code = backends::compile_jit(func, compiled_->target);
        driver::run(faulty, outputs, context_, {});
    }

    void interpret(std::vector<GuardedBuffer> &expected) {
        schedule::ScheduledGraph frozen = driver::freeze_for(*pipeline().contents(), compiled_->target);
        add_features(outcome_.features, frozen);
        interpret::Interpreter interpreter(frozen.graph);
        std::vector<fluorite_buffer_t *> pointers = raw(expected);
        size_t value = 0;
        for (size_t o = 0; o < genome_.outputs.size(); o++) {
            size_t values = genome_.funcs[static_cast<size_t>(genome_.outputs[o].func)].types.size();
            interpreter.evaluate(
                o, {boxes_[o].min, boxes_[o].extent},
                {pointers.begin() + static_cast<long>(value), pointers.begin() + static_cast<long>(value + values)});
            value += values;
        }
    }

    Pipeline pipeline_;
    Pipeline &pipeline() {
        if (!pipeline_.defined() || !compiled_) {
            pipeline_ = Pipeline(program_.outputs);
        }
        return pipeline_;
    }

    bool is_memoized() const {
        return std::any_of(genome_.schedule.begin(), genome_.schedule.end(),
                           [](const Directive &directive) { return directive.op == Directive::Op::Memoize; });
    }

    void compare() {
        compiled_ = driver::compiled_for(*pipeline().contents(), get_jit_target_from_environment(), {});
        bind_fixed_inputs();
        fit_outputs();
        std::vector<GuardedBuffer> seen = make_outputs(false), expected = make_outputs(true);
        bind_inferred_inputs(raw(seen));
        if (on_phase_) {
            on_phase_(true);
        }
        run_code(raw(seen));
        if (is_memoized()) { // now from the cache
            seen = make_outputs(false);
            run_code(raw(seen));
        }
        try {
            interpret(expected);
        } catch (const RuntimeError &error) {
            if (error.slug() != "input-too-small") {
                throw;
            }
            for (size_t i = 0; i < program_.inputs.size(); i++) {
                Buffer<> bound = program_.inputs[i].get();
                if (bound.defined() && genome_.inputs[i].box.empty()) {
                    bind(i, larger(box_of(*bound.raw_buffer()), 40), genome_.inputs[i].layout);
                }
            }
            expected = make_outputs(true);
            interpret(expected);
        }
        for (size_t v = 0; v < seen.size(); v++) {
            interpret::Comparison result = interpret::compare_bits(*seen[v].raw(), *expected[v].raw());
            if (!result) {
                fail(Outcome::Kind::Mismatch, "mismatch",
                     "value " + std::to_string(v) + ": machine code against interpreter: " + result.text);
                return;
            }
            if (!seen[v].is_intact()) {
                fail(Outcome::Kind::Mismatch, "written-outside",
                     "bytes beside the elements of value " + std::to_string(v) + " have changed");
                return;
            }
        }
        for (const GuardedBuffer &input : inputs_) {
            if (!input.is_intact()) {
                fail(Outcome::Kind::Mismatch, "written-outside", "bytes beside the elements of an input have changed");
            }
        }
    }
};

} // namespace

const char *kind_name(Outcome::Kind kind) {
    static const char *names[] = {"same",     "rejected",      "refused", "slow", "MISMATCH",
                                  "INTERNAL", "NOT A PROGRAM", "CRASH",   "HANG"};
    return names[static_cast<int>(kind)];
}

const std::vector<Plant> &plants() {
    static const std::vector<Plant> all = {{"mod", 5, 30, 20},       {"loop", 0, 30, 12},   {"max", 32, 30, 20},
                                           {"sliding", 106, 30, 20}, {"fold", 160, 30, 20}, {"halo", 58, 30, 20}};
    return all;
}

Outcome run_case(const Genome &genome, const std::string &plant, const OnPhase &on_phase) {
    if (on_phase) {
        on_phase(false);
    }
    try {
        return Runner(genome, plant, on_phase).run();
    } catch (const CompileError &error) {
        // An expression with reads may fold to a constant zero, and a constant zero is refused as a divisor.
        const bool is_right = error.slug() == "division-by-zero";
        Outcome outcome;
        outcome.kind = is_right ? Outcome::Kind::Rejected : Outcome::Kind::NoProgram;
        outcome.slug = error.slug();
        outcome.text = error.what();
        return outcome;
    } catch (const std::exception &error) {
        // What a genome says is always a program: only its schedule may be wrong.
        Outcome outcome;
        outcome.kind = Outcome::Kind::NoProgram;
        outcome.text = error.what();
        return outcome;
    }
}

} // namespace fluorite::fuzz
