#pragma once
// Helpers of the code generator's tests: buffers, statements built by hand, and functions that run them.

#include "backends/llvm/llvm_backend.h"
#include "fluorite/runtime_abi.h"
#include "ir/stmt.h"
#include "lowering/loops/outline_tasks.h"
#include "lowering/storage/place_memory.h"
#include "machine/machine_model.h"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::backends {

/// A dense buffer with its header: dimension 0 is innermost, all mins are 0.
class TestBuffer {
  public:
    TestBuffer(Type type, std::vector<int32_t> extents) : bytes_(static_cast<size_t>(type.bytes())) {
        int32_t stride = 1;
        for (int32_t extent : extents) {
            dims_.push_back(fluorite_dimension_t(0, extent, stride));
            stride *= extent;
        }
        bytes_.resize(static_cast<size_t>(stride) * static_cast<size_t>(type.bytes()));
        header_.host = bytes_.data();
        header_.type =
            fluorite_type_t(static_cast<fluorite_type_code_t>(type.code()), static_cast<uint8_t>(type.bits()));
        header_.dimensions = static_cast<int32_t>(extents.size());
        header_.dim = dims_.data();
    }
    TestBuffer(const TestBuffer &) = delete;
    fluorite_buffer_t *header() { return &header_; }
    template <typename T> T *data() { return reinterpret_cast<T *>(bytes_.data()); }
    size_t size() const { return bytes_.size(); }

  private:
    std::vector<uint8_t> bytes_;
    std::vector<fluorite_dimension_t> dims_;
    fluorite_buffer_t header_{};
};

inline ir::Symbol buffer_symbol(const std::string &name) { return ir::Symbol(ir::SymbolKind::Buffer, name); }
inline ir::Symbol loop_symbol(const std::string &name) { return ir::Symbol(ir::SymbolKind::Loop, name); }
inline Expr loop_var(const std::string &name) { return ir::make_var(Int(32), loop_symbol(name)); }

inline ir::LoweredArg input_arg(const std::string &name, Type type, int dimensions) {
    return {ir::LoweredArg::Kind::InputBuffer, buffer_symbol(name), type, dimensions};
}
inline ir::LoweredArg output_arg(const std::string &name, Type type, int dimensions) {
    return {ir::LoweredArg::Kind::OutputBuffer, buffer_symbol(name), type, dimensions};
}
inline ir::Stmt serial(const std::string &var, const Expr &min, const Expr &extent, const ir::Stmt &body) {
    return ir::For::make(loop_symbol(var), min, extent, ir::ForKind::Serial, body);
}
inline ir::Stmt parallel(const std::string &var, const Expr &min, const Expr &extent, const ir::Stmt &body) {
    return ir::For::make(loop_symbol(var), min, extent, ir::ForKind::Parallel, body);
}
inline ir::Stmt store(const std::string &buffer, const Expr &value, const Expr &index, const Expr &predicate = {}) {
    const Expr always = ir::make_bool(true, value.type().lanes());
    return ir::Store::make(buffer_symbol(buffer), value, index, predicate.defined() ? predicate : always);
}
inline Expr load(Type type, const std::string &buffer, const Expr &index, const Expr &predicate = {}) {
    return ir::make_load(type, buffer_symbol(buffer), index, predicate);
}
/// base, base + 1, ...
inline Expr dense(const Expr &base, int lanes) { return ir::make_ramp(base, Expr(1), lanes); }

inline ir::LoweredModule outlined(ir::LoweredFunc func, const Target &target) {
    func.body = lowering::place_memory(func.body, machine::machine_model(target));
    return lowering::outline_tasks({{std::move(func)}});
}
inline std::unique_ptr<Executable> compile_jit(const ir::LoweredFunc &func, const Target &target,
                                               const std::vector<ExternSymbol> &externs = {}) {
    return llvm_backend().load(outlined(func, target), target, externs);
}
inline std::string compile_to_text(const ir::LoweredFunc &func, const Target &target, OutputKind kind) {
    return llvm_backend().file(outlined(func, target), target, kind);
}

inline int32_t run(const Executable &code, std::initializer_list<TestBuffer *> buffers) {
    std::vector<void *> args;
    for (TestBuffer *buffer : buffers) {
        args.push_back(buffer->header());
    }
    return code.run(args.data());
}

} // namespace fluorite::backends
