// OpenCL C of the kernels of a module.
//
//   kernel f.kernel.0(in: input float32[1], n: scalar int32, out: output float32[1]) blocks(x) threads(u) {
//     out[x*8 + u] = in[x*8 + u + n] }
//   -->
//   kernel void k0_f_kernel_0(global const uchar *restrict v0_in, long v1, int v2_n, global uchar *v3_out, long v4,
//                             int v5, int v6, int v7) {
//       global const float *const v8_in = (global const float *)(v0_in + v1);
//       global float *const v9_out = (global float *)(v3_out + v4);
//       const int v10_x = v5 + (int)get_group_id(0);
//       const int v11_u = (int)get_local_id(0);
//       ...
//
// Method: fluorite/runtime/device.h defines the parameters. Memory that a kernel only reads is constant and restrict,
// so that devices read it through caches for constants: nothing that a kernel stores to overlaps its inputs. Nothing is
// contracted to fused operations but Fma, and every name is numbered, so that it differs from all names of OpenCL.
//
// Relies on: kernels as ir/verify.h states them; the runtime builds with correctly rounded division and roots. Does not
// do: vectors as values (each lane is a variable). Cost: linear in the lanes of the module.

#include "backends/opencl/opencl_source.h"

#include "backends/c_text/c_text.h"
#include "backends/opencl/statements.h"
#include "fluorite/runtime/device.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::backends {

using ir::LoweredArg;
using ir::LoweredFunc;
using ir::LoweredModule;

namespace opencl {

namespace {

constexpr const char *head = R"(#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#pragma OPENCL FP_CONTRACT OFF

)";

/// The buffers to which a statement stores.
class StoredBuffers : public ir::Visitor {
  public:
    explicit StoredBuffers(const ir::Stmt &stmt) { visit(stmt); }
    bool contains(const ir::Symbol &buffer) const { return buffers_.contains(buffer); }

  private:
    using Visitor::visit;
    void visit(const Expr &) override {}
    void visit(const ir::Stmt &stmt) override {
        if (const auto *store = stmt.as<ir::Store>()) {
            buffers_[store->buffer] = true;
        }
        recurse(stmt);
    }
    ir::SymbolMap<bool> buffers_;
};

/// At least the bytes of the kernel's parameters, if each is one.
int64_t parameter_bytes(const LoweredFunc &kernel) {
    int64_t bytes = 16 + 12 + 8; // the failure word, blocks to add, memory of the block
    for (const LoweredArg &arg : kernel.args) {
        bytes += arg.kind == LoweredArg::Kind::Scalar ? 8 : 16;
    }
    return bytes;
}

class KernelWriter {
  public:
    KernelWriter(const LoweredFunc &kernel, size_t number, Operators &operators)
        : kernel_(kernel), operators_(operators), stored_(kernel.body), shared_(ir::shared_layout(kernel)) {
        device_.name = concat("k", number, "_", letters_of(kernel.name));
        device_.packs_scalars = parameter_bytes(kernel) > fluorite_device_least_parameter_bytes;
        device_.uses_shared = !shared_.is_empty();
        device_.failures = ir::failure_texts(kernel);
    }

    /// The text of the function; `device` describes it afterwards.
    std::string text();
    ir::DeviceKernel &device() { return device_; }

  private:
    void scalar(Type type, const std::string &name);
    void memory(const std::string &declaration, const std::string &name);
    void bind_memory(const LoweredArg &arg);
    void bind_arguments();
    void bind_indices();
    std::string failure_word();

    const LoweredFunc &kernel_;
    Operators &operators_;
    StoredBuffers stored_;
    ir::SharedLayout shared_;
    ir::DeviceKernel device_;
    FunctionText f_;
    std::vector<std::string> parameters_;
    std::string packed_;       // the struct of scalars
    int64_t packed_bytes_ = 0; // of its fields so far
};

/// A parameter or, in packed closures, a field, as a variable of the name.
void KernelWriter::scalar(Type type, const std::string &name) {
    const std::string element = memory_type(type);
    if (!device_.packs_scalars) {
        parameters_.push_back(concat(element, " ", name));
        return;
    }
    const int64_t bytes = type.bytes();
    packed_bytes_ = (packed_bytes_ + bytes - 1) / bytes * bytes;
    f_.line(concat("const ", element, " ", name, " = *(global const ", element, " *)(", packed_, " + ", packed_bytes_,
                   ");"));
    packed_bytes_ += bytes;
}

/// A memory object, and the number of bytes to add.
void KernelWriter::memory(const std::string &declaration, const std::string &name) {
    parameters_.push_back(declaration + name);
}

void KernelWriter::bind_memory(const LoweredArg &arg) {
    const bool is_stored = stored_.contains(arg.symbol);
    const std::string object = f_.fresh(arg.symbol.name()), offset = f_.fresh();
    memory(is_stored ? "global uchar *" : "global const uchar *restrict ", object);
    scalar(Int(64), offset);
    const std::string name = f_.fresh(arg.symbol.name());
    const std::string element = concat(is_stored ? "global " : "global const ", memory_type(arg.type), " *");
    f_.line(concat(element, "const ", name, " = (", element, ")(", object, " + ", offset, ");"));
    f_.bind(arg.symbol, Array{name, arg.type, "global"});
}

void KernelWriter::bind_arguments() {
    for (const LoweredArg &arg : kernel_.args) {
        if (arg.kind != LoweredArg::Kind::Scalar) {
            bind_memory(arg);
            continue;
        }
        check(arg.type.is_scalar(), "the closure of a kernel has no vectors");
        const std::string name = f_.fresh(arg.symbol.name());
        scalar(arg.type, name);
        f_.bind(arg.symbol,
                Value{arg.type, {arg.type.is_bool() ? f_.define("bool", name + " != 0", arg.symbol.name()) : name}});
    }
}

std::string KernelWriter::failure_word() {
    const std::string object = f_.fresh(), offset = f_.fresh();
    memory("global uchar *", object);
    scalar(Int(64), offset);
    return concat("(volatile global int *)(", object, " + ", offset, ")");
}

void KernelWriter::bind_indices() {
    std::vector<std::string> first;
    for (int axis = 0; axis < 3; axis++) {
        first.push_back(f_.fresh());
        scalar(Int(32), first.back());
    }
    for (size_t axis = 0; axis < kernel_.blocks.size(); axis++) {
        const ir::Symbol &block = kernel_.blocks[axis];
        f_.bind(
            block,
            Value{Int(32), {f_.define("int", concat(first[axis], " + (int)get_group_id(", axis, ")"), block.name())}});
    }
    for (size_t axis = 0; axis < kernel_.threads.size(); axis++) {
        const ir::Symbol &thread = kernel_.threads[axis];
        f_.bind(thread, Value{Int(32), {f_.define("int", concat("(int)get_local_id(", axis, ")"), thread.name())}});
    }
}

std::string KernelWriter::text() {
    if (device_.packs_scalars) {
        packed_ = f_.fresh("scalars");
        memory("global const uchar *restrict ", packed_);
    }
    f_.open("");
    bind_arguments();
    const std::string failure = device_.failures.empty() ? "" : failure_word();
    bind_indices();
    const std::string shared = device_.uses_shared ? f_.fresh("shared") : "";
    if (device_.uses_shared) {
        memory("local uchar *", shared);
    }
    Expressions expressions(f_, operators_, kernel_.name);
    Statements statements(
        expressions, {kernel_.name, shared_, shared, failure, device_.failures, lets_of_coordinates(kernel_.body)});
    statements.write(kernel_.body);
    f_.close();
    std::string list;
    for (const std::string &parameter : parameters_) {
        list += (list.empty() ? "" : ", ") + parameter;
    }
    return concat("kernel void ", device_.name, "(", list, ")", f_.text());
}

} // namespace

} // namespace opencl

ir::DeviceCode opencl_code(const LoweredModule &module, const Target & /*target*/) {
    ir::DeviceCode code;
    opencl::Helpers helpers;
    opencl::Operators operators(helpers);
    std::string kernels;
    for (const LoweredFunc &func : module.funcs) {
        if (func.kind == LoweredFunc::Kind::Kernel) {
            opencl::KernelWriter writer(func, code.kernels.size(), operators);
            kernels += writer.text() + "\n";
            code.kernels.push_back(writer.device());
        }
    }
    if (!code.kernels.empty()) {
        code.api = DeviceAPI::OpenCL;
        code.options = "-w"; // the warnings of a compiler would be about names and widths that no user wrote
        code.bytes = opencl::head + helpers.text() + kernels;
    }
    return code;
}

} // namespace fluorite::backends
