// Runs a case in this process. The interpreter evaluates the frozen graph that the machine code was made from, so both
// have the same fused multiply-adds.
//
// A bounds query gives the sizes of the outputs (updates over fixed domains, tails that round up). Inputs are exactly
// as large as inferred, so that reads outside them are detected. The interpreter may need larger inputs: it reads what
// the program says even where the compiler knows that the value does not matter; it then gets larger inputs with the
// same values. Cases that are async or parallel run several times, in orders of tasks that a quiet machine does not
// produce by itself (runtime/task_order.cpp), and each run must give the same bits.

#include "run.h"

#include "buffers.h"
#include "build.h"
#include "compile_bound.h"
#include "driver/compiled.h"
#include "driver/user_context.h"
#include "genome_text.h"
#include "interpret/compare.h"
#include "interpret/interpret.h"
#include "plants.h"
#include "ranks.h"
#include "support/numeric.h"
#include "task_orders.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

namespace fluorite::fuzz {

namespace {

class Runner {
  public:
    Runner(const Genome &genome, const Options &options, const OnPhase &on_phase)
        : genome_(genome), options_(options), plant_(options.plant), on_phase_(on_phase), program_(build(genome)) {
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
        } catch (const RuntimeError &error) { // no program may make a device fail
            const bool is_fault = error.slug() == "device-failed";
            fail(is_fault ? Outcome::Kind::Internal : Outcome::Kind::Refused, error.slug(), error.what());
        } catch (const std::exception &error) {
            fail(Outcome::Kind::Internal, "internal", error.what());
        }
        return outcome_;
    }

  private:
    const Genome &genome_;
    const Options &options_;
    const std::string &plant_;
    const OnPhase &on_phase_;
    Program program_;
    Outcome outcome_;
    std::shared_ptr<const driver::CompiledPipeline> compiled_;
    std::vector<Box> boxes_; // the regions of the outputs
    std::vector<GuardedBuffer> inputs_;
    std::map<size_t, GuardedBuffer> bound_; // the last one bound to each input
    std::vector<std::optional<Box>> asked_,
        accessed_; // by input: the region that inference requires, unless the input has a fixed box, and the one that
                   // the interpreter read
    driver::RunContext context_{nullptr, JITHandlers(), Location::current()};
    driver::CompiledPipeline faulty_; // with the planted fault

    void fail(Outcome::Kind kind, const std::string &slug, const std::string &text) {
        outcome_.kind = kind;
        outcome_.slug = plant_ == "refusal" && slug != "mismatch" ? "planted-" + slug : slug;
        outcome_.text = text;
    }

    void bind(size_t input, const Box &box, Layout layout) {
        const InputGene &gene = genome_.inputs[input];
        GuardedBuffer buffer(gene.type, box, layout, 0xaa);
        buffer.fill(gene.values, input + 1);
        program_.inputs[input].set(buffer.buffer());
        inputs_.push_back(buffer);
        bound_.insert_or_assign(input, buffer);
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

    // Queries the sizes of the outputs.
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
        for (size_t i = 0; i < headers.size(); i++) {
            headers[i].dim = dims[i].data();
            pointers.push_back(&headers[i]);
        }
        // What the outputs do not read stays unbound, and is not asked for: inference without an unbound input grows
        // no output.
        const auto is_read = [&](const ImageParam &input) {
            return std::any_of(compiled_->args.begin(), compiled_->args.end(), [&](const ir::LoweredArg &arg) {
                return arg.kind == ir::LoweredArg::Kind::InputBuffer && arg.symbol.name() == input.name();
            });
        };
        const bool unbound = std::any_of(program_.inputs.begin(), program_.inputs.end(), [&](const ImageParam &input) {
            return !input.get().defined() && is_read(input);
        });
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
                driver::query(*compiled_, pointers, context_, {});
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

    /// Asks what the outputs require of the inputs.
    void ask() {
        asked_.resize(program_.inputs.size());
        std::vector<GuardedBuffer> outputs = make_outputs(false);
        driver::infer_inputs(*compiled_, raw(outputs), context_, {});
        for (size_t i = 0; i < program_.inputs.size(); i++) {
            Buffer<> inferred = program_.inputs[i].get();
            if (inferred.defined() && genome_.inputs[i].box.empty()) {
                asked_[i] = box_of(*inferred.raw_buffer());
            }
        }
    }

    void bind_inferred_inputs() {
        for (size_t i = 0; i < asked_.size(); i++) {
            if (asked_[i]) {
                const Layout layout = genome_.inputs[i].layout;
                bind(i, layout == Layout::Larger ? larger(*asked_[i], 3) : *asked_[i], layout);
            }
        }
    }

    std::vector<GuardedBuffer> run_in(const Way &way) {
        std::vector<GuardedBuffer> seen = make_outputs(false);
        const InWay in_way(way);
        run_code(raw(seen));
        driver::copy_to_host(raw(seen), context_, {});
        return seen;
    }

    void run_code(const std::vector<fluorite_buffer_t *> &outputs) {
        if (!is_planted_in_code()) {
            driver::run(*compiled_, outputs, context_, {});
            return;
        }
        if (!faulty_.code) {
            faulty_ = compile_with_fault(pipeline(), *compiled_, plant_);
        }
        driver::run(faulty_, outputs, context_, {});
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
        accessed_.assign(program_.inputs.size(), std::nullopt);
        for (size_t k = 0; k < frozen.graph.inputs.size(); k++) {
            for (size_t i = 0; i < program_.inputs.size(); i++) {
                if (frozen.graph.inputs[k].parameter.get() == program_.inputs[i].parameter().contents().get()) {
                    const interpret::Region box = interpreter.accessed(k);
                    accessed_[i] = Box{box.min, box.extent};
                }
            }
        }
    }

    Pipeline pipeline_;
    Pipeline &pipeline() {
        if (!pipeline_.defined() || !compiled_) {
            pipeline_ = Pipeline(program_.outputs);
        }
        return pipeline_;
    }

    /// Whether the code that runs differs from the code that answers queries.
    bool is_planted_in_code() const { return !plant_.empty() && plant_ != "region" && plant_ != "refusal"; }

    /// The interpreter's values, with larger inputs if it reads more than inference requires: what it reads for values
    /// that no output uses may be far away.
    std::vector<GuardedBuffer> interpret_with_enough() {
        constexpr int first_margin = 40, last_margin = 640, growth = 4;
        for (int margin = first_margin;; margin *= growth) {
            std::vector<GuardedBuffer> expected = make_outputs(true);
            try {
                interpret(expected);
                return expected;
            } catch (const RuntimeError &error) {
                if (error.slug() != "input-too-small" || margin > last_margin) {
                    throw;
                }
            }
            for (size_t i = 0; i < program_.inputs.size(); i++) {
                Buffer<> bound = program_.inputs[i].get();
                if (bound.defined() && genome_.inputs[i].box.empty()) {
                    bind(i, larger(box_of(*bound.raw_buffer()), margin), genome_.inputs[i].layout);
                }
            }
        }
    }

    /// What the same outputs require of the inputs without a schedule: with all Funcs at root, or where none is.
    std::vector<std::optional<Box>> ask_plain(bool at_root) {
        Genome plain = genome_;
        plain.automatic.clear();
        plain.device = 0;
        Program other = build(plain);
        for (Func &func : other.funcs) {
            if (at_root && func.defined() &&
                std::none_of(other.outputs.begin(), other.outputs.end(),
                             [&](const Func &output) { return output.name() == func.name(); })) {
                func.compute_root();
            }
        }
        const Pipeline pipeline(other.outputs);
        const auto compiled = driver::compiled_for(*pipeline.contents(), compiled_->target, {});
        std::vector<GuardedBuffer> outputs = make_outputs(false);
        driver::infer_inputs(*compiled, raw(outputs), context_, {});
        std::vector<std::optional<Box>> asked(asked_.size());
        for (size_t i = 0; i < asked_.size(); i++) {
            const Buffer<> needed = other.inputs[i].get();
            if (needed.defined()) {
                asked[i] = box_of(*needed.raw_buffer());
            }
        }
        return asked;
    }

    /// Whether a schedule that the library found requires no more of the inputs than the same Funcs at root, or, where
    /// what is inlined is bounded less well, than they do inlined: a program allocates what values need, and no tail
    /// may ask for more.
    bool is_frugal() {
        if (genome_.automatic.empty()) {
            return true;
        }
        const auto find_wider = [&](const std::vector<std::optional<Box>> &enough) -> std::optional<size_t> {
            for (size_t i = 0; i < asked_.size(); i++) {
                if (asked_[i] && enough[i] && !holds(*enough[i], *asked_[i])) {
                    return i;
                }
            }
            return {};
        };
        std::vector<std::optional<Box>> enough = ask_plain(true);
        if (!find_wider(enough)) {
            return true;
        }
        const std::vector<std::optional<Box>> inlined = ask_plain(false);
        for (size_t i = 0; i < enough.size(); i++) {
            enough[i] = enough[i] && inlined[i] ? hull(*enough[i], *inlined[i]) : enough[i];
        }
        const std::optional<size_t> wider = find_wider(enough);
        if (wider) {
            fail(Outcome::Kind::Mismatch, "region-too-large",
                 "the automatic schedule asks for " + text_of(*asked_[*wider]) + " of " + genome_.inputs[*wider].name +
                     ", and without a schedule " + text_of(*enough[*wider]) + " is enough");
        }
        return !wider;
    }

    /// Compares the inferred region of each input with the one that the interpreter read. Elements read outside it must
    /// not affect the results.
    void compare_regions(std::vector<GuardedBuffer> &expected) {
        std::vector<size_t> outside;
        for (size_t i = 0; i < asked_.size(); i++) {
            if (!asked_[i] || !accessed_[i]) {
                continue;
            }
            if (!holds(*asked_[i], *accessed_[i])) {
                outside.push_back(i);
            }
            const Precision precision = precision_of(*asked_[i], *accessed_[i]);
            outcome_.regions.inputs[static_cast<size_t>(precision)]++;
            if (precision != Precision::Exact) {
                outcome_.regions.wide[static_cast<size_t>(wide_reason_of(genome_))]++;
            }
        }
        for (uint64_t other = 1; other <= 2 && !outside.empty(); other++) {
            for (const size_t i : outside) {
                const InputGene &gene = genome_.inputs[i];
                bound_.at(i).fill_outside(*asked_[i], gene.values, 1000 * other + i);
            }
            std::vector<GuardedBuffer> again = make_outputs(true);
            interpret(again);
            for (size_t v = 0; v < again.size(); v++) {
                if (!interpret::compare_bits(*again[v].raw(), *expected[v].raw())) {
                    const size_t i = outside.front();
                    fail(Outcome::Kind::Mismatch, "region-too-small",
                         "value " + std::to_string(v) + " depends on elements that are not asked for: of " +
                             genome_.inputs[i].name + " " + text_of(*asked_[i]) + " is asked for, and " +
                             text_of(*accessed_[i]) + " read");
                    return;
                }
            }
        }
    }

    bool differs(std::vector<GuardedBuffer> &seen, std::vector<GuardedBuffer> &expected, const std::string &way) {
        for (size_t v = 0; v < seen.size(); v++) {
            interpret::Comparison result = interpret::compare_bits(*seen[v].raw(), *expected[v].raw());
            const std::string value = "value " + std::to_string(v) + way;
            if (!result) {
                fail(Outcome::Kind::Mismatch, "mismatch", value + ": machine code against interpreter: " + result.text);
                return true;
            }
            if (!seen[v].is_intact()) {
                fail(Outcome::Kind::Mismatch, "written-outside", value + ": bytes beside the elements have changed");
                return true;
            }
        }
        return false;
    }

    /// Runs the case on ranks, whose refusals do not count. Returns whether their values are right.
    bool agrees_on_ranks(std::vector<GuardedBuffer> &expected) {
        const schedule::ScheduledGraph frozen = driver::freeze_for(*pipeline().contents(), compiled_->target);
        const RanksOutcome ranks =
            run_on_ranks(frozen, compiled_->target, raw(expected), hash_text(genome_text(genome_)));
        if (ranks.ran && !ranks.difference.empty()) {
            fail(Outcome::Kind::Mismatch, "ranks-differ", ranks.difference);
            return false;
        }
        if (!ranks.ran) {
            outcome_.refusals.push_back("ranks-" + ranks.difference);
        }
        return true;
    }

    /// Compiles the case, and fails if that takes more processor time than its size warrants.
    bool compiles_in_time() {
        const double weight = slower_than_usual / (plant_ == "slow" ? 10'000 : 1);
        const Target target = get_jit_target_from_environment();
        TimedCompilation compilation =
            compile_in_time(pipeline(), options_.device ? target.with_feature(*options_.device) : target, weight);
        compiled_ = std::move(compilation.compiled);
        if (!compilation.complaint.empty()) {
            fail(Outcome::Kind::TooLong, "compiles-too-long", compilation.complaint);
        }
        return compilation.complaint.empty();
    }

    void compare() {
        const planted::PlantedFault fault(plant_ == "region" ? planted::Fault::Region : planted::Fault::None);
        if (!compiles_in_time()) {
            return;
        }
        bind_fixed_inputs();
        fit_outputs();
        ask();
        if (!is_frugal()) {
            return;
        }
        bind_inferred_inputs();
        if (on_phase_) {
            on_phase_(true);
        }
        std::vector<std::pair<Way, std::vector<GuardedBuffer>>> runs;
        for (const Way &way : ways_of(genome_, options_)) {
            runs.emplace_back(way, run_in(way));
        }
        std::vector<GuardedBuffer> expected = interpret_with_enough();
        for (auto &[way, seen] : runs) {
            if (differs(seen, expected, text_of(way))) {
                return;
            }
        }
        if (options_.ranks && !agrees_on_ranks(expected)) {
            return;
        }
        for (const GuardedBuffer &input : inputs_) {
            if (!input.is_intact()) {
                fail(Outcome::Kind::Mismatch, "written-outside", "bytes beside the elements of an input have changed");
                return;
            }
        }
        compare_regions(expected);
    }
};

} // namespace

const char *kind_name(Outcome::Kind kind) {
    static const char *names[] = {"same",     "rejected", "refused",       "slow",  "MISMATCH",
                                  "TOO LONG", "INTERNAL", "NOT A PROGRAM", "CRASH", "HANG"};
    return names[static_cast<int>(kind)];
}

Outcome run_case(const Genome &genome, const Options &options, const OnPhase &on_phase) {
    if (on_phase) {
        on_phase(false);
    }
    try {
        return Runner(genome, options, on_phase).run();
    } catch (const CompileError &error) {
        Outcome outcome;
        outcome.kind = Outcome::Kind::NoProgram;
        outcome.slug = error.slug();
        outcome.text = error.what();
        return outcome;
    } catch (const std::exception &error) {
        // A genome is always a valid program: only its schedule may be illegal.
        Outcome outcome;
        outcome.kind = Outcome::Kind::NoProgram;
        outcome.text = error.what();
        return outcome;
    }
}

} // namespace fluorite::fuzz
