#pragma once
// For tests: a machine that runs statements of the loop IR, in any phase, on memory in which every address has a value.
//
// Memory of arguments is unbounded: an element that was not written has a value derived from the buffer's name and the
// address. So two statements can be compared on inputs that no test specifies. Allocations are bounded, and an access
// outside throws. Free variables and fields of buffers have small values derived from their names and a seed. The
// machine records which elements of arguments were loaded, to check that no pass makes a program load more than before,
// and logs events and prints. It is one interpreter, with a case for each kind of expression and statement.

#include "fluorite/runtime/math.h"
#include "ir/lowered.h"
#include "ir/print.h"
#include "support/numeric.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace fluorite::lowering {

class TestMachine {
  public:
    /// One lane: integers in `i` (wrapped to the type), floats in `f`.
    struct Lane {
        int64_t i = 0;
        double f = 0;
        bool undefined = false;
        bool operator==(const Lane &other) const {
            return i == other.i && (f == other.f || (f != f && other.f != other.f));
        }
    };
    using Lanes = std::vector<Lane>;
    using Address = std::vector<int64_t>; // an index, or coordinates

    explicit TestMachine(uint64_t seed) : seed_(seed) {}

    std::map<std::string, std::map<Address, Lane>> written;
    std::set<std::pair<std::string, Address>> loaded;
    std::vector<std::string> log;
    std::set<std::string> tuples; // Funcs with several values: value i is stored as `f.i`; those of other Funcs as `f`

    void run(const ir::Stmt &stmt);
    /// Runs the entry and the tasks that it launches.
    void run(const ir::LoweredModule &module) {
        module_ = &module;
        run(module.entry().body);
    }
    Lanes eval(const Expr &expr);

  private:
    uint64_t seed_;
    const ir::LoweredModule *module_ = nullptr;
    ir::SymbolMap<Lanes> variables_;
    ir::SymbolMap<int64_t> sizes_; // of allocations
    ir::SymbolMap<bool> realized_; // of realizations, whose bounds are not checked
    std::map<const ir::ExprNode *, Lanes> memo_;

    uint64_t hash(const std::string &name, const Address &address) const {
        uint64_t result = mix_bits(seed_ + 1);
        for (char c : name) {
            result = mix_bits(result ^ static_cast<uint64_t>(c));
        }
        for (int64_t each : address) {
            result = mix_bits(result ^ static_cast<uint64_t>(each));
        }
        return result;
    }
    static Lane wrapped(Type type, int64_t value) {
        const uint64_t bits = static_cast<uint64_t>(value);
        const bool is_signed = type.is_int();
        return {is_signed ? wrap_signed(value, type.bits()) : static_cast<int64_t>(wrap_unsigned(bits, type.bits())),
                0};
    }
    static Lane rounded(Type type, double value) { return {0, round_to_float(type, value)}; }
    Lane initial(const std::string &name, const Address &address, Type type) const {
        const uint64_t bits = hash(name, address);
        // Small values, so that loaded values may be coordinates.
        return type.is_float() ? rounded(type, static_cast<double>(bits % 1000) / 7)
                               : wrapped(type, static_cast<int64_t>(bits % 23));
    }
    int64_t scalar(const Expr &expr) { return eval(expr).at(0).i; }

    Lanes eval_node(const Expr &expr);
    Lanes eval_binary(const Expr &expr);
    Lane binary(ir::ExprKind kind, Type type, const Lane &a, const Lane &b);
    Lane integer(ir::ExprKind kind, Type type, int64_t a, int64_t b);
    Lane cast(Type to, Type from, const Lane &lane) const;
    Lane reduce(ir::ReduceOp op, Type type, const Lane &a, const Lane &b);
    Lane load(const ir::Symbol &buffer, const Address &address, Type type);
    void store(const ir::Symbol &buffer, const Address &address, const Lane &value);
    void check_bounds(const ir::Symbol &buffer, const Address &address) const;
    std::string value_name(const std::string &func, size_t index) const {
        return tuples.contains(func) ? concat(func, ".", index) : func;
    }
    Lanes eval_access(const Expr &expr, const std::string &name);
    Lanes eval_extern(const Expr &expr);
    void run_allocate(const ir::Allocate &allocate);
    void run_launch(const ir::Launch &launch);
};

inline TestMachine::Lanes TestMachine::eval(const Expr &expr) {
    memo_.clear();
    return eval_node(expr);
}

inline void TestMachine::check_bounds(const ir::Symbol &buffer, const Address &address) const {
    auto size = sizes_.find(buffer);
    if (size != sizes_.end() && (address[0] < 0 || address[0] >= size->second)) {
        throw std::runtime_error(concat("access of ", buffer.name(), "[", address[0], "], which has ", size->second));
    }
}

inline TestMachine::Lane TestMachine::load(const ir::Symbol &buffer, const Address &address, Type type) {
    check_bounds(buffer, address);
    if (!sizes_.contains(buffer) && !realized_.contains(buffer)) {
        loaded.insert({buffer.name(), address});
    }
    const auto memory = written.find(buffer.name());
    if (memory != written.end() && memory->second.contains(address)) {
        return memory->second.at(address);
    }
    return initial(buffer.name(), address, type);
}

inline void TestMachine::store(const ir::Symbol &buffer, const Address &address, const Lane &value) {
    check_bounds(buffer, address);
    if (!value.undefined) {
        written[buffer.name()][address] = value;
    }
}

inline TestMachine::Lane TestMachine::cast(Type to, Type from, const Lane &lane) const {
    if (to.is_float()) {
        return rounded(to, from.is_float() ? lane.f : static_cast<double>(lane.i));
    }
    return wrapped(to, from.is_float() ? static_cast<int64_t>(lane.f) : lane.i);
}

inline TestMachine::Lane TestMachine::integer(ir::ExprKind kind, Type type, int64_t a, int64_t b) {
    using ir::ExprKind;
    const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    auto bit = [](bool value) { return Lane{value ? 1 : 0, 0}; };
    const bool below = type.is_int() ? a < b : x < y;
    switch (kind) {
    case ExprKind::Add:
        return wrapped(type, static_cast<int64_t>(x + y));
    case ExprKind::Sub:
        return wrapped(type, static_cast<int64_t>(x - y));
    case ExprKind::Mul:
        return wrapped(type, static_cast<int64_t>(x * y));
    case ExprKind::Div:
    case ExprKind::Mod: {
        if (b == 0) {
            return {};
        }
        int64_t quotient = type.is_int() ? a / b : static_cast<int64_t>(x / y);
        int64_t rest = type.is_int() ? a % b : static_cast<int64_t>(x % y);
        if (type.is_int() && rest < 0) {
            quotient += b > 0 ? -1 : 1;
            rest += b > 0 ? b : -b;
        }
        return wrapped(type, kind == ExprKind::Div ? quotient : rest);
    }
    case ExprKind::Min:
        return {below ? a : b, 0};
    case ExprKind::Max:
        return {below ? b : a, 0};
    case ExprKind::BitAnd:
        return wrapped(type, a & b);
    case ExprKind::BitOr:
        return wrapped(type, a | b);
    case ExprKind::BitXor:
        return wrapped(type, a ^ b);
    case ExprKind::ShiftRight:
        return wrapped(type, type.is_int() ? a >> b : static_cast<int64_t>(x >> y));
    case ExprKind::ShiftLeft:
        return wrapped(type, static_cast<int64_t>(x << y));
    case ExprKind::And:
        return bit(a && b);
    case ExprKind::Or:
        return bit(a || b);
    case ExprKind::EQ:
        return bit(a == b);
    case ExprKind::NE:
        return bit(a != b);
    case ExprKind::LT:
        return bit(below);
    case ExprKind::LE:
        return bit(below || a == b);
    case ExprKind::GT:
        return bit(!below && a != b);
    case ExprKind::GE:
        return bit(!below);
    default:
        throw std::runtime_error(concat("the machine has no integer '", ir::kind_name(kind), "'"));
    }
}

inline TestMachine::Lane TestMachine::binary(ir::ExprKind kind, Type type, const Lane &a, const Lane &b) {
    using ir::ExprKind;
    if (!type.is_float()) {
        return integer(kind, type, a.i, b.i);
    }
    auto bit = [](bool value) { return Lane{value ? 1 : 0, 0}; };
    switch (kind) {
    case ExprKind::Add:
        return rounded(type, a.f + b.f);
    case ExprKind::Sub:
        return rounded(type, a.f - b.f);
    case ExprKind::Mul:
        return rounded(type, a.f * b.f);
    case ExprKind::Div:
        return rounded(type, a.f / b.f);
    case ExprKind::Min:
        return a.f < b.f ? a : b;
    case ExprKind::Max:
        return a.f > b.f ? a : b;
    case ExprKind::LT:
        return bit(a.f < b.f);
    case ExprKind::LE:
        return bit(a.f <= b.f);
    case ExprKind::GT:
        return bit(a.f > b.f);
    case ExprKind::GE:
        return bit(a.f >= b.f);
    case ExprKind::EQ:
        return bit(a.f == b.f);
    case ExprKind::NE:
        return bit(a.f != b.f);
    default:
        throw std::runtime_error(concat("the machine has no float '", ir::kind_name(kind), "'"));
    }
}

inline TestMachine::Lanes TestMachine::eval_binary(const Expr &expr) {
    if (expr->arg_count() != 2) {
        throw std::runtime_error(concat("the machine has no '", ir::kind_name(expr->kind()), "'"));
    }
    const Lanes a = eval_node(expr->arg(0)), b = eval_node(expr->arg(1));
    Lanes result;
    for (size_t lane = 0; lane < a.size(); lane++) {
        result.push_back(binary(expr->kind(), expr->arg(0).type(), a[lane], b[lane]));
    }
    return result;
}

inline TestMachine::Lane TestMachine::reduce(ir::ReduceOp op, Type type, const Lane &a, const Lane &b) {
    using ir::ExprKind;
    switch (op) {
    case ir::ReduceOp::Add:
        return binary(ExprKind::Add, type, a, b);
    case ir::ReduceOp::Mul:
        return binary(ExprKind::Mul, type, a, b);
    case ir::ReduceOp::Min:
        return binary(ExprKind::Min, type, a, b);
    case ir::ReduceOp::Max:
        return binary(ExprKind::Max, type, a, b);
    case ir::ReduceOp::And:
        return binary(ExprKind::And, type, a, b);
    case ir::ReduceOp::Or:
        return binary(ExprKind::Or, type, a, b);
    case ir::ReduceOp::BitAnd:
        return binary(ExprKind::BitAnd, type, a, b);
    case ir::ReduceOp::BitOr:
        return binary(ExprKind::BitOr, type, a, b);
    case ir::ReduceOp::BitXor:
        return binary(ExprKind::BitXor, type, a, b);
    default:
        throw std::runtime_error("the machine does not know this reduction");
    }
}

inline TestMachine::Lanes TestMachine::eval_access(const Expr &expr, const std::string &name) {
    std::vector<Lanes> at;
    for (const Expr &arg : expr->args()) {
        at.push_back(eval_node(arg));
    }
    Lanes result;
    for (size_t lane = 0; lane < static_cast<size_t>(expr.type().lanes()); lane++) {
        if (expr->kind() == ir::ExprKind::Load) {
            const bool active = at[1][lane].i != 0;
            result.push_back(active ? load(expr->symbol(), {at[0][lane].i}, expr.type()) : Lane());
            continue;
        }
        Address address;
        for (const Lanes &coordinate : at) {
            address.push_back(coordinate[lane].i);
        }
        const ir::Symbol named(expr->symbol().kind(), name, expr->symbol().owner());
        result.push_back(load(named, address, expr.type()));
    }
    return result;
}

inline TestMachine::Lanes TestMachine::eval_extern(const Expr &expr) {
    if (expr->text() == "memory.prefetch") { // neither a load nor an event
        return Lanes(static_cast<size_t>(expr.type().lanes()));
    }
    std::vector<Lanes> args;
    size_t lanes = static_cast<size_t>(expr.type().lanes());
    for (const Expr &arg : expr->args()) {
        args.push_back(eval_node(arg));
        lanes = expr->text() == "trace" ? std::max(lanes, args.back().size()) : lanes;
    }
    Lanes result;
    for (size_t lane = 0; lane < lanes; lane++) {
        std::string text = expr->text();
        Address address;
        for (size_t i = 0; i < args.size(); i++) {
            const Lane &at = args[i][args[i].size() == 1 ? 0 : lane];
            const bool is_text = expr->arg(i)->kind() == ir::ExprKind::StringImm;
            text += is_text ? " " + expr->arg(i)->text() : concat(" ", at.i, "/", at.f);
            address.push_back(at.i);
        }
        if (expr->text() == "trace") {
            log.push_back(text);
        }
        result.push_back(initial(expr->text(), address, expr.type()));
    }
    result.resize(static_cast<size_t>(expr.type().lanes()));
    return result;
}

inline TestMachine::Lanes TestMachine::eval_node(const Expr &expr) {
    using ir::ExprKind;
    auto known = memo_.find(expr.get());
    if (known != memo_.end()) {
        return known->second;
    }
    const Type type = expr.type();
    const auto lanes = static_cast<size_t>(type.lanes());
    Lanes result;
    switch (expr->kind()) {
    case ExprKind::IntImm:
        result = {{expr->int_value(), 0}};
        break;
    case ExprKind::UIntImm:
        result = {{static_cast<int64_t>(expr->uint_value()), 0}};
        break;
    case ExprKind::FloatImm:
        result = {{0, expr->float_value()}};
        break;
    case ExprKind::StringImm:
        result = {{}};
        break;
    case ExprKind::Undef:
        result = {{0, 0, true}};
        break;
    case ExprKind::Variable: {
        auto bound = variables_.find(expr->symbol());
        if (bound != variables_.end()) {
            return bound->second;
        }
        result = {type.is_float() ? initial(expr->symbol().name(), {}, type)
                                  : wrapped(type, 3 + static_cast<int64_t>(hash(expr->symbol().name(), {}) % 30))};
        break;
    }
    case ExprKind::BufferField: {
        const int dim = expr->member().index;
        const int64_t stride = dim == 0 ? 1 : dim * 1000;
        const int64_t min = static_cast<int64_t>(hash(expr->symbol().name(), {dim}) % 5) - 2;
        const int64_t extent = 20 + static_cast<int64_t>(hash(expr->symbol().name(), {dim, 1}) % 20);
        switch (expr->member().field) {
        case ir::Field::Min:
            result = {{min, 0}};
            break;
        case ir::Field::Extent:
            result = {{extent, 0}};
            break;
        case ir::Field::Max:
            result = {{min + extent - 1, 0}};
            break;
        case ir::Field::Stride:
            result = {{stride, 0}};
            break;
        }
        break;
    }
    case ExprKind::Cast:
        for (const Lane &lane : eval_node(expr->arg(0))) {
            result.push_back(cast(type, expr->arg(0).type(), lane));
        }
        break;
    case ExprKind::Reinterpret:
        for (const Lane &lane : eval_node(expr->arg(0))) {
            result.push_back(wrapped(type, lane.i));
        }
        break;
    case ExprKind::Not:
        for (const Lane &lane : eval_node(expr->arg(0))) {
            result.push_back({lane.i ? 0 : 1, 0});
        }
        break;
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
        result = eval_node(expr->arg(0));
        break;
    case ExprKind::Fma: {
        const Lanes a = eval_node(expr->arg(0)), b = eval_node(expr->arg(1)), c = eval_node(expr->arg(2));
        for (size_t lane = 0; lane < lanes; lane++) {
            result.push_back(rounded(type, std::fma(a[lane].f, b[lane].f, c[lane].f)));
        }
        break;
    }
    case ExprKind::Select: {
        const Lanes c = eval_node(expr->arg(0)), a = eval_node(expr->arg(1)), b = eval_node(expr->arg(2));
        for (size_t lane = 0; lane < lanes; lane++) {
            result.push_back(c[c.size() == 1 ? 0 : lane].i ? a[lane] : b[lane]);
        }
        break;
    }
    case ExprKind::Ramp: {
        const Lanes base = eval_node(expr->arg(0)), stride = eval_node(expr->arg(1));
        for (size_t lane = 0; lane < lanes; lane++) {
            const int64_t step = static_cast<int64_t>(lane / base.size());
            result.push_back(wrapped(type, base[lane % base.size()].i + step * stride[lane % base.size()].i));
        }
        break;
    }
    case ExprKind::Broadcast: {
        const Lanes value = eval_node(expr->arg(0));
        for (size_t lane = 0; lane < lanes; lane++) {
            result.push_back(value[lane % value.size()]);
        }
        break;
    }
    case ExprKind::Shuffle: {
        Lanes all;
        for (const Expr &arg : expr->args()) {
            const Lanes part = eval_node(arg);
            all.insert(all.end(), part.begin(), part.end());
        }
        for (int32_t index : expr->indices()) {
            result.push_back(all.at(static_cast<size_t>(index)));
        }
        break;
    }
    case ExprKind::VectorReduce: {
        const Lanes value = eval_node(expr->arg(0));
        const size_t group = value.size() / lanes;
        for (size_t lane = 0; lane < lanes; lane++) {
            Lane sum = value[lane * group];
            for (size_t i = 1; i < group; i++) {
                sum = reduce(expr->reduce_op(), type, sum, value[lane * group + i]);
            }
            result.push_back(sum);
        }
        break;
    }
    case ExprKind::Let: {
        variables_[expr->symbol()] = eval_node(expr->arg(0));
        result = eval_node(expr->arg(1));
        variables_.erase(expr->symbol());
        break;
    }
    case ExprKind::Call:
        result = eval_access(expr, value_name(expr->symbol().name(), expr->member().position()));
        break;
    case ExprKind::Image:
    case ExprKind::Load:
        result = eval_access(expr, expr->symbol().name());
        break;
    case ExprKind::Random: {
        std::vector<Lanes> args;
        for (const Expr &arg : expr->args()) {
            args.push_back(eval_node(arg));
        }
        for (size_t lane = 0; lane < lanes; lane++) {
            std::vector<int32_t> operands;
            for (const Lanes &arg : args) {
                operands.push_back(static_cast<int32_t>(arg[lane].i));
            }
            const uint32_t bits = fluorite_random_u32(operands.data(), static_cast<int32_t>(operands.size()));
            result.push_back(type.is_float() ? rounded(type, static_cast<double>(fluorite_random_to_f32(bits)))
                                             : wrapped(type, static_cast<int64_t>(bits)));
        }
        break;
    }
    case ExprKind::Print: {
        result = eval_node(expr->arg(1));
        if (eval_node(expr->arg(0))[0].i) {
            log.push_back(concat("print ", result[0].i, "/", result[0].f));
        }
        break;
    }
    case ExprKind::Require: {
        result = eval_node(expr->arg(1));
        if (!eval_node(expr->arg(0))[0].i) {
            log.push_back("requirement failed");
        }
        break;
    }
    case ExprKind::Extern:
        result = eval_extern(expr);
        break;
    default:
        result = eval_binary(expr);
        break;
    }
    if (result.size() != lanes) {
        throw std::runtime_error(concat("a node of ", type, " gave ", result.size(), " lanes: ", expr));
    }
    memo_[expr.get()] = result;
    return result;
}

inline void TestMachine::run_allocate(const ir::Allocate &allocate) {
    int64_t size = 1;
    for (const Expr &extent : allocate.extents) {
        size *= std::max<int64_t>(scalar(extent), 0);
    }
    sizes_[allocate.buffer] = size;
    written.erase(allocate.buffer.name());
    run(allocate.body);
    written.erase(allocate.buffer.name());
    sizes_.erase(allocate.buffer);
}

/// A task sees the values in its closure and no others; memory is global, by name.
inline void TestMachine::run_launch(const ir::Launch &launch) {
    const ir::LoweredFunc *task = module_ ? module_->find(launch.task) : nullptr;
    if (!task || task->args.size() != launch.args.size()) {
        throw std::runtime_error(concat("there is no task '", launch.task, "' of that many arguments"));
    }
    ir::SymbolMap<Lanes> closure;
    for (size_t i = 0; i < launch.args.size(); i++) {
        closure[task->args[i].symbol] = eval(launch.args[i]);
    }
    if (task->index.defined()) {
        closure[task->index] = variables_.at(task->index);
    }
    std::swap(closure, variables_);
    run(task->body);
    std::swap(closure, variables_);
}

inline void TestMachine::run(const ir::Stmt &stmt) {
    using namespace ir;
    if (const auto *let = stmt.as<LetStmt>()) {
        variables_[let->symbol] = eval(let->value);
        run(let->body);
        variables_.erase(let->symbol);
    } else if (const auto *assertion = stmt.as<Assert>()) {
        if (!scalar(assertion->condition)) {
            log.push_back(concat("assertion failed: ", scalar(assertion->error)));
        }
    } else if (const auto *node = stmt.as<ProducerConsumer>()) {
        run(node->body);
    } else if (const auto *loop = stmt.as<For>()) {
        const int64_t min = scalar(loop->min), extent = scalar(loop->extent);
        for (int64_t i = 0; i < extent; i++) {
            variables_[loop->var] = {{min + i, 0}};
            run(loop->body);
        }
        variables_.erase(loop->var);
    } else if (const auto *store_node = stmt.as<Store>()) {
        // The predicate of a store guards only the store: its value is computed in any case.
        const Lanes where = eval(store_node->predicate);
        const Lanes value = eval(store_node->value), index = eval(store_node->index);
        for (size_t lane = 0; lane < value.size(); lane++) {
            if (where[lane].i) {
                store(store_node->buffer, {index[lane].i}, value[lane]);
            }
        }
    } else if (const auto *provide = stmt.as<Provide>()) {
        if (!scalar(provide->predicate)) {
            return;
        }
        Address at;
        for (const Expr &arg : provide->args) {
            at.push_back(scalar(arg));
        }
        std::vector<Lanes> values;
        for (const Expr &value : provide->values) {
            values.push_back(eval(value));
        }
        const bool is_func = provide->func.kind() == SymbolKind::Func;
        for (size_t i = 0; i < values.size(); i++) {
            const std::string name = is_func ? value_name(provide->func.name(), i) : provide->func.name();
            store(Symbol(provide->func.kind(), name, provide->func.owner()), at, values[i][0]);
        }
    } else if (const auto *realize = stmt.as<Realize>()) {
        realized_[realize->func] = true;
        run(realize->body);
        realized_.erase(realize->func);
    } else if (const auto *allocate = stmt.as<Allocate>()) {
        run_allocate(*allocate);
    } else if (const auto *block = stmt.as<Block>()) {
        for (const Stmt &each : block->stmts) {
            run(each);
        }
    } else if (const auto *branch = stmt.as<IfThenElse>()) {
        if (scalar(branch->condition)) {
            run(branch->then_case);
        } else if (branch->else_case.defined()) {
            run(branch->else_case);
        }
    } else if (const auto *evaluate = stmt.as<Evaluate>()) {
        eval(evaluate->value);
    } else if (const auto *prefetch = stmt.as<Prefetch>()) {
        run(prefetch->body); // a hint changes nothing
    } else if (stmt.as<Free>()) {
        // The machine's memory ends with its scope.
    } else if (const auto *atomic = stmt.as<Atomic>()) {
        run(atomic->body);
    } else if (const auto *launch = stmt.as<Launch>()) {
        run_launch(*launch);
    } else {
        throw std::runtime_error("the machine does not run this statement");
    }
}

} // namespace fluorite::lowering
