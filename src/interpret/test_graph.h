#pragma once
// Test support: graphs and buffers built directly with the constructors of ir/.

#include "interpret/interpret.h"
#include "ir/graph.h"

#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <vector>

namespace fluorite::interpret::test {

/// A dense array with mins; dimension 0 is innermost.
template <typename T> class TestBuffer {
  public:
    using Storage = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;

    TestBuffer(std::vector<int32_t> mins, std::vector<int32_t> extents) : dims_(extents.size()) {
        int32_t stride = 1;
        for (size_t d = 0; d < extents.size(); d++) {
            dims_[d] = fluorite_dimension_t(mins.empty() ? 0 : mins[d], extents[d], stride);
            stride *= extents[d];
        }
        data.resize(static_cast<size_t>(stride));
        buffer_ = fluorite_buffer_t{};
        constexpr Type type = type_of<T>();
        buffer_.type = fluorite_type_t(static_cast<fluorite_type_code_t>(type.code()), type.bits());
        buffer_.dimensions = static_cast<int32_t>(dims_.size());
    }
    explicit TestBuffer(std::vector<int32_t> extents) : TestBuffer({}, std::move(extents)) {}

    fluorite_buffer_t *raw() {
        buffer_.host = reinterpret_cast<uint8_t *>(data.data());
        buffer_.dim = dims_.data();
        return &buffer_;
    }
    template <typename... Ints> Storage &operator()(Ints... at) {
        const std::vector<int32_t> point = {at...};
        ptrdiff_t offset = 0;
        for (size_t d = 0; d < point.size(); d++) {
            offset += static_cast<ptrdiff_t>(point[d] - dims_[d].min) * dims_[d].stride;
        }
        return data.at(static_cast<size_t>(offset));
    }
    /// Makes every bit of every element random (floats: finite values; bool: 0 or 1).
    TestBuffer &randomize(unsigned seed) {
        std::mt19937_64 random(seed);
        for (Storage &value : data) {
            if constexpr (std::is_same_v<T, bool>) {
                value = random() & 1;
            } else if constexpr (std::is_integral_v<T>) {
                value = static_cast<T>(random());
            } else {
                value = static_cast<T>(std::uniform_real_distribution<float>(-100, 100)(random));
            }
        }
        return *this;
    }
    Region region() const {
        Region region;
        for (const fluorite_dimension_t &dim : dims_) {
            region.min.push_back(dim.min);
            region.extent.push_back(dim.extent);
        }
        return region;
    }

    std::vector<Storage> data;

  private:
    std::vector<fluorite_dimension_t> dims_;
    fluorite_buffer_t buffer_;
};

inline Expr i32(int64_t value) { return ir::make_int(Int(32), value); }
inline Expr f32(double value) { return ir::make_float(Float(32), value); }

/// A loop variable and the expression that reads it.
struct Var {
    ir::Symbol symbol;
    Expr expr;
    explicit Var(const std::string &name, ir::SymbolKind kind = ir::SymbolKind::Var)
        : symbol(kind, name), expr(ir::make_var(Int(32), symbol)) {}
    operator Expr() const { return expr; } // NOLINT(google-explicit-constructor)
};

struct RVar : Var {
    Expr min, extent;
    RVar(const std::string &name, const Expr &min, const Expr &extent)
        : Var(name, ir::SymbolKind::RVar), min(min), extent(extent) {}
    RVar(const std::string &name, int32_t min, int32_t extent) : RVar(name, i32(min), i32(extent)) {}
};

/// A graph under construction; the last Func is the output.
class TestGraph {
  public:
    ir::Graph graph;

    /// A Func with a pure definition; returns its index.
    size_t func(const std::string &name, const std::vector<Var> &vars, const std::vector<Expr> &values) {
        ir::FuncDef def;
        const size_t index = graph.funcs.size();
        def.symbol = ir::Symbol(ir::SymbolKind::Func, name, owner_func(index));
        ir::Stage stage;
        for (const Var &var : vars) {
            def.args.push_back(var.symbol);
            stage.args.push_back(var);
        }
        for (const Expr &value : values) {
            def.types.push_back(value.type());
        }
        stage.values = values;
        def.stages.push_back(stage);
        graph.funcs.push_back(def);
        graph.outputs = {FuncId(index)};
        return index;
    }

    void update(size_t func, const std::vector<Expr> &args, const std::vector<Expr> &values,
                const std::vector<RVar> &rvars = {}, const Expr &predicate = Expr()) {
        ir::Stage stage;
        stage.args = args;
        stage.values = values;
        stage.predicate = predicate;
        for (const RVar &rvar : rvars) {
            ir::ReductionVar reduction;
            reduction.var = rvar.symbol;
            reduction.min = rvar.min;
            reduction.extent = rvar.extent;
            stage.rvars.push_back(reduction);
        }
        graph.funcs[func].stages.push_back(stage);
    }

    Expr call(size_t func, const std::vector<Expr> &args, int element = 0) const {
        const ir::FuncDef &def = graph.funcs[func];
        return ir::make_call(def.types[static_cast<size_t>(element)], def.symbol, element, args);
    }

    template <typename T> size_t input(const std::string &name, TestBuffer<T> &buffer) {
        ir::InputDef def;
        const size_t index = graph.inputs.size();
        def.type = type_of<T>();
        def.dimensions = buffer.raw()->dimensions;
        def.parameter = new ir::Parameter;
        def.parameter->name = name;
        def.parameter->type = def.type;
        def.parameter->is_buffer = true;
        def.parameter->dimensions = def.dimensions;
        def.parameter->buffer = buffer.raw();
        ir::SymbolOwner owner;
        owner.input = InputId(index);
        def.symbol = ir::Symbol(ir::SymbolKind::Buffer, name, owner, def.parameter.get());
        graph.inputs.push_back(def);
        return index;
    }
    Expr image(size_t input, const std::vector<Expr> &args) const {
        return ir::make_image(graph.inputs[input].type, graph.inputs[input].symbol, args);
    }

    /// A scalar parameter that has no value yet.
    ir::Parameter *param(const std::string &name, Type type) {
        ir::ParamDef def;
        def.type = type;
        def.parameter = new ir::Parameter;
        def.parameter->name = name;
        def.parameter->type = type;
        def.symbol = ir::Symbol(ir::SymbolKind::Param, name, {}, def.parameter.get());
        graph.params.push_back(def);
        return def.parameter.get();
    }
    Expr param_value(const ir::Parameter *parameter) const {
        for (const ir::ParamDef &def : graph.params) {
            if (def.parameter.get() == parameter) {
                return ir::make_var(def.type, def.symbol);
            }
        }
        return {};
    }

    /// Evaluates the output over the box of a buffer.
    template <typename T> void run(TestBuffer<T> &out) { evaluate(graph, 0, out.region(), {out.raw()}); }

  private:
    static ir::SymbolOwner owner_func(size_t index) {
        ir::SymbolOwner owner;
        owner.func = FuncId(index);
        return owner;
    }
};

template <typename T> void set_param(ir::Parameter *parameter, T value) {
    parameter->value_bits = 0;
    std::memcpy(&parameter->value_bits, &value, sizeof(T));
    parameter->has_value = true;
}

} // namespace fluorite::interpret::test
