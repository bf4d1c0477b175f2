// Runs a case in this process. The interpreter evaluates the frozen graph that the machine code was made from, so both see
// the same fused multiply-adds.

#include "run.h"

#include "build.h"
#include "driver/compiled.h"
#include "interpret/compare.h"
#include "interpret/interpret.h"
#include "ir/stmt.h"
#include "lowering/lower.h"

#include <cstring>

namespace fluorite::fuzz {

namespace {

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

// Bits that depend on the coordinates alone, so that a larger buffer agrees where it overlaps.
void fill(Buffer<> &buffer, uint64_t salt) {
    int rank = buffer.dimensions();
    int bytes = buffer.type().bytes();
    Type type = buffer.type();
    std::vector<int> position(static_cast<size_t>(rank));
    for (int d = 0; d < rank; d++) {
        position[static_cast<size_t>(d)] = buffer.dim(d).min();
    }
    auto *host = static_cast<uint8_t *>(static_cast<void *>(buffer.raw_buffer()->host));
    if (buffer.number_of_elements() > 4000000) {
        throw RuntimeError("input-too-large", "the case reads a region that is too large to try");
    }
    if (buffer.number_of_elements() == 0 || !host) {
        return;
    }
    while (true) {
        uint64_t mix = salt;
        int64_t offset = 0;
        for (int d = 0; d < rank; d++) {
            mix = Random(mix ^ (static_cast<uint64_t>(position[static_cast<size_t>(d)] + 1000) << (8 * d))).next();
            offset +=
                static_cast<int64_t>(position[static_cast<size_t>(d)] - buffer.dim(d).min()) * buffer.dim(d).stride();
        }
        uint64_t bits = mix;
        if (type.is_bool()) {
            bits &= 1;
        } else if (type == Float(32)) {
            float value = static_cast<float>(static_cast<int32_t>(mix)) * 0x1p-24f;
            std::memcpy(&bits, &value, 4);
        } else if (type == Float(64)) {
            double value = static_cast<double>(static_cast<int64_t>(mix)) * 0x1p-50;
            std::memcpy(&bits, &value, 8);
        } else if (type.is_float()) {
            float value = static_cast<float>(static_cast<int16_t>(mix)) * 0x1p-7f;
            bits = type.is_bfloat() ? bfloat16_t(value).to_bits() : float16_t(value).to_bits();
        }
        std::memcpy(host + offset * bytes, &bits, static_cast<size_t>(bytes));
        int d = 0;
        while (d < rank && ++position[static_cast<size_t>(d)] >= buffer.dim(d).min() + buffer.dim(d).extent()) {
            position[static_cast<size_t>(d)] = buffer.dim(d).min();
            d++;
        }
        if (d == rank) {
            return;
        }
    }
}

std::vector<Buffer<>> make_outputs(const Genome &genome, uint8_t poison) {
    std::vector<Buffer<>> outputs;
    for (Type type : genome.funcs.back().types) {
        Buffer<> buffer(type, std::vector<int>(genome.extent.begin(), genome.extent.end()));
        for (size_t d = 0; d < genome.min.size(); d++) {
            buffer.translate(static_cast<int>(d), genome.min[d]);
        }
        std::memset(buffer.raw_buffer()->host, type.is_bool() ? 0 : poison, buffer.size_in_bytes());
        outputs.push_back(buffer);
    }
    return outputs;
}

std::vector<fluorite_buffer_t *> raw(std::vector<Buffer<>> &buffers) {
    std::vector<fluorite_buffer_t *> pointers;
    for (Buffer<> &buffer : buffers) {
        pointers.push_back(buffer.raw_buffer());
    }
    return pointers;
}

Outcome compare(const Genome &genome, Program &program, const std::string &plant) {
    Outcome outcome;
    Pipeline pipeline(program.output);
    Target target = get_jit_target_from_environment();
    std::shared_ptr<const driver::CompiledPipeline> compiled = driver::compiled_for(*pipeline.contents(), target, {});
    std::vector<Buffer<>> seen = make_outputs(genome, 0x55), expected = make_outputs(genome, 0x55);
    driver::infer_inputs(*compiled, raw(seen), {});
    for (size_t i = 0; i < program.inputs.size(); i++) {
        Buffer<> buffer = program.inputs[i].get();
        if (buffer.defined()) {
            fill(buffer, i + 1);
        }
    }
    if (plant.empty()) {
        driver::run(*compiled, raw(seen), {});
    } else {
        driver::CompiledPipeline faulty;
        ir::LoweredFunc func = driver::lower_for(*pipeline.contents(), compiled->target, "faulty");
        func.body = Planter(plant).mutate(func.body);
        faulty.target = compiled->target;
        faulty.args = func.args;
        faulty.outputs = compiled->outputs;
        faulty.code = backends::compile_jit(func, compiled->target);
        driver::run(faulty, raw(seen), {});
    }
    schedule::ScheduledGraph frozen = driver::freeze_for(*pipeline.contents(), compiled->target);
    interpret::evaluate(frozen.graph, 0, {genome.min, genome.extent}, raw(expected));
    for (size_t v = 0; v < seen.size(); v++) {
        interpret::Comparison result = interpret::compare_bits(*seen[v].raw_buffer(), *expected[v].raw_buffer());
        if (!result) {
            outcome.kind = Outcome::Kind::Mismatch;
            outcome.text = "value " + std::to_string(v) + ": machine code against interpreter: " + result.text;
            return outcome;
        }
    }
    return outcome;
}

} // namespace

const char *kind_name(Outcome::Kind kind) {
    static const char *names[] = {"same", "rejected", "refused", "MISMATCH", "INTERNAL", "CRASH", "HANG"};
    return names[static_cast<int>(kind)];
}

Outcome run_case(const Genome &genome, const std::string &plant) {
    Outcome outcome;
    uint32_t used = 0;
    int refused = 0;
    try {
        Program program = build(genome);
        for (size_t i = 0; i < program.accepted.size(); i++) {
            if (program.accepted[i]) {
                used |= 1u << static_cast<int>(genome.schedule[i].op);
            } else {
                refused += !program.refusals[i].empty();
            }
        }
        outcome = compare(genome, program, plant);
    } catch (const CompileError &error) {
        outcome.kind = Outcome::Kind::Rejected;
        outcome.text = error.what();
    } catch (const RuntimeError &error) {
        outcome.kind = Outcome::Kind::Refused;
        outcome.text = error.what();
    } catch (const std::exception &error) {
        outcome.kind = Outcome::Kind::Internal;
        outcome.text = error.what();
    }
    outcome.directives = used;
    outcome.refused_directives = refused;
    return outcome;
}

} // namespace fluorite::fuzz
