// What cases must compute: the executor runs them.
//
// The inputs have, in operands 0 and 1, all pairs of the values at which arithmetic changes (zeros, limits, powers of
// two, infinities, NaNs, subnormals), then random bits. Outputs start as random bits, so that what a kernel must not
// store shows.

#include "record.h"

#include "backends/executor/executor.h"
#include "backends/llvm/device/cuda_code.h"
#include "backends/llvm/device/kernels_on_host.h"
#include "builder.h"
#include "fluorite/errors.h"
#include "fluorite/runtime/device.h"
#include "interpret/scalar.h"
#include "ir/expr_traits.h"
#include "ir/print.h"
#include "ir/verify.h"

#include <cmath>
#include <cstdio>
#include <limits>

namespace fluorite::cuda_bits {

using interpret::Cell;

namespace {

class HostBuffer {
  public:
    HostBuffer(Type type, int count, uint64_t seed) : type_(type), dim_(0, count, 1) {
        bytes.resize(static_cast<size_t>(count * type.bytes()));
        Random random(seed);
        for (uint8_t &byte : bytes) {
            byte = static_cast<uint8_t>(type.is_bool() ? random.in(0, 1) : random.in(0, 255));
        }
        header.host = bytes.data();
        header.type =
            fluorite_type_t(static_cast<fluorite_type_code_t>(type.code()), static_cast<uint8_t>(type.bits()));
        header.dimensions = 1;
        header.dim = &dim_;
    }
    HostBuffer(const HostBuffer &) = delete;
    void set(int at, Cell cell) { interpret::store_element(bytes.data() + at * type_.bytes(), type_, cell); }

    std::vector<uint8_t> bytes;
    fluorite_buffer_t header{};

  private:
    Type type_;
    fluorite_dimension_t dim_;
};

std::vector<Cell> special_values(Type type) {
    std::vector<Cell> result;
    if (type.is_float()) {
        const double infinity = std::numeric_limits<double>::infinity();
        for (const double value :
             {0.0,          -0.0,   1.0,     -1.0,   0.5,   1.5,      2.5,       -2.5,         3.0,
              0.1,          1e-40,  -1e-40,  1e-5,   255.5, 65504.0,  65520.0,   2147483648.0, -2147483649.0,
              4294967296.0, 9.3e18, -9.3e18, 1.9e19, 3e38,  infinity, -infinity, std::nan("")}) {
            result.push_back(interpret::cell_of_float(type, value));
        }
        return result;
    }
    if (type.is_bool()) {
        return {0, 1};
    }
    const int bits = type.bits();
    for (const int64_t value : {int64_t{0}, int64_t{1}, int64_t{2}, int64_t{3}, int64_t{7}, int64_t{8}, int64_t{100}}) {
        result.push_back(interpret::cell_of_int(type, value));
        result.push_back(interpret::cell_of_int(type, -value));
    }
    const uint64_t top = uint64_t{1} << (bits - 1);
    for (const uint64_t value : {top, top - 1, top + 1, top | 3}) {
        result.push_back(interpret::cell_of_int(type, static_cast<int64_t>(value)));
    }
    return result;
}

void fill_input(HostBuffer &buffer, Type type) {
    const std::vector<Cell> values = special_values(type);
    const int count = static_cast<int>(values.size());
    const int pairs = std::min(count * count, elements - elements / 4);
    for (int i = 0; i < pairs; i++) {
        buffer.set(i, values[static_cast<size_t>(i % count)]);
        buffer.set(i + elements, values[static_cast<size_t>(i / count)]);
    }
    if (!type.is_float()) {
        return;
    }
    Random random(5); // of random bits, most are too large or too small to meet
    for (int i = pairs; i < input_elements; i++) {
        if (i < elements || i >= elements + pairs) {
            if (random.chance(70)) {
                buffer.set(i, interpret::cell_of_float(type, (random.in(-1000000, 1000000)) / 1024.0));
            }
        }
    }
}

std::vector<std::unique_ptr<HostBuffer>> outputs_of(const std::vector<Case> &cases) {
    std::vector<std::unique_ptr<HostBuffer>> result;
    for (const Case &each : cases) {
        result.push_back(std::make_unique<HostBuffer>(each.type, elements, 99));
    }
    return result;
}

std::string bytes_of(const HostBuffer &buffer) { return {buffer.bytes.begin(), buffer.bytes.end()}; }

/// The text of a refusal without the name of the kernel.
std::string reason(const std::string &text) {
    const size_t colon = text.find(": ");
    return colon == std::string::npos ? text : text.substr(colon + 2);
}

uint64_t mantissa_of(Type type) {
    return !type.is_float() ? 0 : type.bits() == 64 ? 52 : type.bits() == 32 ? 23 : type.is_bfloat() ? 7 : 10;
}

/// What the launch of a kernel passes.
RecordedArgument argument_of(const ir::LoweredArg &arg, const Case &each) {
    if (arg.kind != ir::LoweredArg::Kind::Scalar) {
        for (size_t i = 0; i < all_types().size(); i++) {
            if (arg.symbol == input_of(all_types()[i])) {
                return {RecordedArgument::Input, 0, i};
            }
        }
        return {RecordedArgument::Output, 0, 0};
    }
    const Expr &given = each.scalars.at(arg.symbol.name());
    const Cell cell =
        ir::is_kind(given, ir::ExprKind::FloatImm)  ? interpret::cell_of_float(arg.type, given->float_value())
        : ir::is_kind(given, ir::ExprKind::UIntImm) ? interpret::cell_of_uint(arg.type, given->uint_value())
                                                    : interpret::cell_of_int(arg.type, given->int_value());
    return {RecordedArgument::Scalar, static_cast<uint64_t>(arg.type.bytes()), cell};
}

RecordedCase record_of(const Case &each, const ir::LoweredFunc &kernel) {
    RecordedCase record;
    record.name = each.name;
    record.text = ir::to_text(each.body);
    record.bits = static_cast<uint64_t>(each.type.bytes() * 8);
    record.mantissa = mantissa_of(each.type);
    std::copy(each.grid.begin(), each.grid.end(), record.grid.begin());
    std::copy(each.block.begin(), each.block.end(), record.block.begin());
    int64_t shared = 0;
    ir::is_const_int(ir::shared_layout(kernel).bytes, &shared);
    record.shared = static_cast<uint64_t>(shared);
    for (const ir::LoweredArg &arg : kernel.args) {
        record.arguments.push_back(argument_of(arg, each));
    }
    return record;
}

/// The code of the cases, without those that are refused.
ir::DeviceCode code_of(std::vector<Case> &cases, const Target &target, Counts &counts) {
    try {
        return backends::cuda_code(module_of(cases), target);
    } catch (const CompileError &) { // some are refused
        std::erase_if(cases, [&](const Case &each) {
            try {
                backends::cuda_code(module_of({each}), target);
                return false;
            } catch (const CompileError &error) {
                counts.refused[reason(error.what())]++;
                return true;
            }
        });
        return cases.empty() ? ir::DeviceCode() : backends::cuda_code(module_of(cases), target);
    }
}

} // namespace

namespace {

/// The parameters of a kernel, as fluorite/runtime/device.h lists them.
class HostParameters {
  public:
    HostParameters(const RecordedCase &each, bool packs) : packs_(packs) { values_.reserve(each.arguments.size() + 3); }
    void add(uint64_t value, uint64_t bytes) {
        if (packs_) {
            packed_.resize((packed_.size() + bytes - 1) / bytes * bytes);
            packed_.append(reinterpret_cast<const char *>(&value), bytes);
            return;
        }
        values_.push_back(value);
        pointers_.push_back(&values_.back());
    }
    std::span<void *const> finish() {
        for (int axis = 0; axis < 3; axis++) {
            add(0, sizeof(int32_t));
        }
        if (packs_) {
            values_.push_back(reinterpret_cast<uintptr_t>(packed_.data()));
            pointers_.push_back(&values_.back());
        }
        return pointers_;
    }

  private:
    bool packs_;
    std::vector<uint64_t> values_;
    std::vector<void *> pointers_;
    std::string packed_;
};

std::array<int32_t, 3> narrow(const std::array<uint64_t, 3> &counts) {
    return {static_cast<int32_t>(counts[0]), static_cast<int32_t>(counts[1]), static_cast<int32_t>(counts[2])};
}

} // namespace

struct Recorder::Inputs {
    std::vector<std::unique_ptr<HostBuffer>> buffers;
};

Recorder::Recorder() : inputs_(std::make_unique<Inputs>()) {
    uint64_t seed = 1;
    for (const Type &type : all_types()) {
        inputs_->buffers.push_back(std::make_unique<HostBuffer>(type, input_elements, seed++));
        fill_input(*inputs_->buffers.back(), type);
    }
}
Recorder::~Recorder() = default;

std::vector<std::string> Recorder::inputs() const {
    std::vector<std::string> result;
    for (const auto &buffer : inputs_->buffers) {
        result.push_back(bytes_of(*buffer));
    }
    return result;
}

RecordedModule Recorder::record(std::vector<Case> cases, const Target &target, Counts &counts) {
    return record_kept(cases, target, counts);
}

void Recorder::run_on_host(const std::vector<Case> &all, const Target &target, Counts &counts) {
    std::vector<Case> cases = all;
    const RecordedModule recorded = record_kept(cases, target, counts);
    if (cases.empty()) {
        return;
    }
    const backends::KernelsOnHost code(module_of(cases), target);
    for (size_t k = 0; k < cases.size(); k++) {
        const RecordedCase &each = recorded.cases[k];
        std::string seen = each.initial;
        HostParameters parameters(each, (recorded.flags[k] & fluorite_device_kernel_packs_scalars) != 0);
        for (const RecordedArgument &given : each.arguments) {
            if (given.kind == RecordedArgument::Scalar) {
                parameters.add(given.value, given.bytes);
            } else {
                const void *memory = given.kind == RecordedArgument::Input
                                         ? static_cast<const void *>(inputs_->buffers[given.value]->bytes.data())
                                         : seen.data();
                parameters.add(reinterpret_cast<uintptr_t>(memory), sizeof memory);
            }
        }
        code.run(k, parameters.finish(), narrow(each.grid), narrow(each.block));
        const std::string problem = difference(each, seen);
        if (!problem.empty()) {
            counts.different++;
            std::printf("DIFFERENT %s\n", problem.c_str());
        }
    }
}

RecordedModule Recorder::record_kept(std::vector<Case> &cases, const Target &target, Counts &counts) {
    RecordedModule result;
    if (const auto violation = ir::find_violation(module_of(cases))) {
        throw CompileError("bad-case", *violation);
    }
    const ir::DeviceCode code = code_of(cases, target, counts);
    counts.cases += cases.size();
    if (cases.empty()) {
        return result;
    }
    const ir::LoweredModule module = module_of(cases);
    std::vector<std::unique_ptr<HostBuffer>> outputs = outputs_of(cases);
    std::vector<void *> args;
    for (const auto &input : inputs_->buffers) {
        args.push_back(&input->header);
    }
    for (size_t k = 0; k < cases.size(); k++) {
        result.cases.push_back(record_of(cases[k], module.funcs[k + 1]));
        result.cases.back().initial = bytes_of(*outputs[k]);
        args.push_back(&outputs[k]->header);
    }
    const auto executable = backends::executor_backend().load(module, target.with_feature(Target::NoRuntime), {});
    if (const int code_of_run = executable->run(args.data()); code_of_run != 0) {
        throw RuntimeError("bad-case", "the executor fails with code " + std::to_string(code_of_run));
    }
    result.ptx = code.bytes;
    for (size_t k = 0; k < cases.size(); k++) {
        result.cases[k].expected = bytes_of(*outputs[k]);
        const ir::DeviceKernel &kernel = code.kernels[k];
        result.names.push_back(kernel.name);
        result.flags.push_back(
            (kernel.packs_scalars ? static_cast<uint64_t>(fluorite_device_kernel_packs_scalars) : 0) |
            (kernel.uses_shared ? static_cast<uint64_t>(fluorite_device_kernel_uses_shared) : 0));
    }
    return result;
}

} // namespace fluorite::cuda_bits
