// Compiles expressions to flat code.
//
// Before: a list of expressions (a directed graph of shared nodes). After: instructions, at most one per distinct node.
//
// Method.
// 1. Lets are replaced by their values. Undef becomes 0, with a second expression that tells whether the value is
//    defined.
// 2. Nodes are interned: equal nodes become one, and operands precede their users in the list.
// 3. Each node is assigned to the innermost block that contains all its uses. The top block is always computed. Its
//    nested blocks hold the nodes that a Select computes only if chosen, and a Require or Print only if it fires. So a
//    value that both operands of a Select use is computed once, before it, and a value that only one operand uses is
//    computed only if that operand is chosen. A Select of cheap values that cannot fail computes both, without a jump.
// 4. Blocks are emitted in order, with jumps around the nested ones.
//
// Steps 2 to 4 are one class over one list of nodes, in which each step fills in what the next reads (operands, block,
// register); about a third of the file is the emission of the kinds of instructions, one short function each.
//
// Relies on: expressions as ir/expr_node.h defines them, scalar. Does not do: folding, reuse of registers. Cost: linear
// in distinct nodes (times the depth of nested blocks where values are shared between them).

#include "interpret/program.h"

#include "interpret/extern_call.h"
#include "ir/expr_cases.h"
#include "ir/expr_traits.h"
#include "support/check.h"

#include <algorithm>
#include <bit>

namespace fluorite::interpret {

using ir::ExprKind;
using ir::ExprNode;

namespace {

// ---- Step 1: Let and Undef.

bool contains(const Expr &expr, ExprKind kind) {
    bool found = false;
    ir::for_each_node(expr, [&](const Expr &node) { found = found || node->kind() == kind; });
    return found;
}

Expr without_lets(const Expr &expr) {
    if (!contains(expr, ExprKind::Let)) {
        return expr;
    }
    ir::ExprMap<Expr> done;
    // Operands are visited before the node, so both operands of a Let are already free of Lets.
    ir::for_each_node(expr, [&](const Expr &node) {
        Expr result = ir::map_operands(node, [&](const Expr &operand) { return done.at(operand); });
        if (result->kind() == ExprKind::Let) {
            result = ir::substitute(result->arg(1), result->symbol(), result->arg(0));
        }
        done[node] = result;
    });
    return done.at(expr);
}

/// An expression that tells whether the value is defined; `values` maps the same nodes to those with Undef replaced by
/// 0.
Expr definedness(const Expr &node, const ir::ExprMap<Expr> &defined, const ir::ExprMap<Expr> &values) {
    if (node->kind() == ExprKind::Undef) {
        return ir::make_bool(false);
    }
    if (node->kind() == ExprKind::Select) {
        const Expr chosen =
            ir::make_select(values.at(node->arg(0)), defined.at(node->arg(1)), defined.at(node->arg(2)));
        return ir::logical_and(defined.at(node->arg(0)), chosen);
    }
    Expr all = ir::make_bool(true);
    for (const Expr &operand : node->args()) {
        const Expr &part = defined.at(operand);
        all = ir::is_true(all) ? part : (ir::is_true(part) ? all : ir::logical_and(all, part));
    }
    return all;
}

struct ValueAndDefined {
    Expr value, defined; // `defined` is null where the value is always defined
};

ValueAndDefined split_undef(const Expr &expr) {
    if (!contains(expr, ExprKind::Undef)) {
        return {expr, Expr()};
    }
    ir::ExprMap<Expr> values, defined;
    ir::for_each_node(expr, [&](const Expr &node) {
        values[node] = node->kind() == ExprKind::Undef
                           ? ir::make_zero(node->type())
                           : ir::map_operands(node, [&](const Expr &operand) { return values.at(operand); });
        defined[node] = definedness(node, defined, values);
    });
    const Expr &condition = defined.at(expr);
    return {values.at(expr), ir::is_true(condition) ? Expr() : condition};
}

// ---- Steps 2 to 4.

constexpr uint32_t none = UINT32_MAX;

struct Node {
    const ExprNode *expr = nullptr;
    std::vector<uint32_t> operands;
    bool can_fail = false; // reads or calls something
    uint32_t block = none;
    uint32_t inner_a = none, inner_b = none; // blocks of the guarded operands
    bool placed = false;                     // has its register
    Register result = 0;
};

struct Block {
    uint32_t parent = none;
    uint32_t depth = 0;
    std::vector<uint32_t> nodes;
};

bool is_leaf(ExprKind kind) {
    return ir::class_of(kind) == ir::ExprClass::Constant || ir::class_of(kind) == ir::ExprClass::Name;
}

/// Whether a node must be evaluated exactly where the expression says: it may fail, or others see that it is evaluated.
bool is_observable_itself(ExprKind kind) { return ir::may_fail(kind) || ir::may_have_effect(kind); }

/// Whether payloads are equal and floats have the same bits.
bool same_payload(const ExprNode &a, const ExprNode &b) {
    if (a.kind() == ExprKind::FloatImm) {
        return std::bit_cast<uint64_t>(a.float_value()) == std::bit_cast<uint64_t>(b.float_value());
    }
    return a.payload() == b.payload();
}

void check_signature(const ExprNode &call) {
    std::vector<Type> types;
    for (const Expr &argument : call.args()) {
        types.push_back(argument.type());
    }
    if (!is_callable(types, call.type())) {
        throw RuntimeError(
            "extern-signature",
            concat("in ", call.text(), ": the C function is called with ", types.size(), " arguments for a ",
                   to_string(call.type()),
                   "; the interpreter passes integers, bools, float32, float64 and pointers; cast 16-bit floats to "
                   "float32"));
    }
}

} // namespace

/// Emits the code for one list of expressions.
class CodeBuilder {
  public:
    CodeBuilder(ProgramBuilder &builder, Instructions &code)
        : builder_(builder), program_(builder.program_), code_(code) {}

    std::vector<Register> compile(const std::vector<Expr> &roots) {
        std::vector<uint32_t> ids;
        for (const Expr &root : roots) {
            intern(root);
            ids.push_back(id_of_.at(root.get()));
        }
        assign_blocks(ids);
        emit_block(0);
        std::vector<Register> results;
        for (uint32_t id : ids) {
            results.push_back(nodes_[id].result);
        }
        return results;
    }

  private:
    void intern(const Expr &root);
    void intern_node(const Expr &expr);
    void place_leaf(Node &node);
    uint32_t new_block(uint32_t parent);
    uint32_t common_block(uint32_t a, uint32_t b) const;
    void use(uint32_t id, uint32_t block);
    bool is_guarded(const Node &node) const;
    void assign_blocks(const std::vector<uint32_t> &roots);

    void emit_block(uint32_t block);
    void emit(Node &node);
    void emit_plain(Node &node);
    void emit_lazy_select(Node &node);
    void emit_require(Node &node);
    void emit_print(Node &node);
    void emit_reference(Node &node, Code code, Reference reference);
    void emit_call(Node &node);
    size_t text_reference(const Node &node);
    Register operand(const Node &node, size_t i) const { return nodes_[node.operands[i]].result; }
    Type operand_type(const Node &node, size_t i) const { return node.expr->arg(i).type(); }
    size_t emit_jump(Code code, Register condition = 0);
    void land(size_t jump) { code_[jump].target = code_.size(); }
    Register new_register() {
        program_.registers.push_back(0);
        return static_cast<Register>(program_.registers.size() - 1);
    }

    ProgramBuilder &builder_;
    Program &program_;
    Instructions &code_;
    std::vector<Node> nodes_; // operands before users
    std::vector<Block> blocks_;
    std::unordered_map<const ExprNode *, uint32_t> id_of_;
    std::unordered_multimap<uint64_t, uint32_t> by_hash_;
};

/// Interns all nodes below root, operands first, without recursion, because expressions may be deep.
void CodeBuilder::intern(const Expr &root) {
    std::vector<std::pair<const Expr *, size_t>> stack = {{&root, 0}};
    while (!stack.empty()) {
        auto &[expr, next] = stack.back();
        if (id_of_.count(expr->get()) != 0) {
            stack.pop_back();
        } else if (next < ((*expr)->kind() == ExprKind::MemoizeTag ? 1 : (*expr)->arg_count())) {
            const Expr *child = &(*expr)->arg(next++);
            stack.emplace_back(child, 0);
        } else {
            intern_node(*expr);
            stack.pop_back();
        }
    }
}

void CodeBuilder::intern_node(const Expr &expr) {
    if (expr->kind() == ExprKind::MemoizeTag) {
        id_of_[expr.get()] = id_of_.at(expr->arg(0).get());
        return;
    }
    Node node;
    node.expr = expr.get();
    node.can_fail = is_observable_itself(expr->kind());
    for (const Expr &operand : expr->args()) {
        const uint32_t id = id_of_.at(operand.get());
        node.operands.push_back(id);
        node.can_fail = node.can_fail || nodes_[id].can_fail;
    }
    const auto [first, last] = by_hash_.equal_range(expr->hash());
    for (auto it = first; it != last; ++it) {
        const Node &other = nodes_[it->second];
        if (other.expr->kind() == expr->kind() && other.expr->type() == expr->type() &&
            other.operands == node.operands && same_payload(*other.expr, *expr)) {
            id_of_[expr.get()] = it->second;
            return;
        }
    }
    check(expr.type().is_scalar() || expr.type().is_void() || expr.type().is_handle(),
          "the interpreter meets scalars only");
    if (is_leaf(expr->kind())) {
        place_leaf(node);
    }
    const uint32_t id = static_cast<uint32_t>(nodes_.size());
    id_of_[expr.get()] = id;
    by_hash_.emplace(expr->hash(), id);
    nodes_.push_back(std::move(node));
}

void CodeBuilder::place_leaf(Node &node) {
    const ExprNode &expr = *node.expr;
    node.placed = true;
    switch (expr.kind()) {
    case ExprKind::IntImm:
        node.result = builder_.constant(cell_of_int(expr.type(), expr.int_value()));
        return;
    case ExprKind::UIntImm:
        node.result = builder_.constant(cell_of_uint(expr.type(), expr.uint_value()));
        return;
    case ExprKind::FloatImm:
        node.result = builder_.constant(cell_of_float(expr.type(), expr.float_value()));
        return;
    case ExprKind::StringImm:
        program_.kept.emplace_back(&expr);
        node.result = builder_.constant(reinterpret_cast<uint64_t>(expr.text().c_str()));
        return;
    case ExprKind::BufferField:
        node.result = builder_.constant(builder_.bindings_.field(expr.member()));
        return;
    case ExprKind::Variable: {
        const auto it = builder_.variables_.find(expr.symbol());
        node.result = it != builder_.variables_.end()
                          ? it->second
                          : builder_.constant(builder_.bindings_.param(expr.symbol(), expr.type()));
        return;
    }
    default: // is_leaf selects by the class of the kind
        unreachable("a leaf");
    }
}

// ---- Blocks.

uint32_t CodeBuilder::new_block(uint32_t parent) {
    blocks_.push_back({parent, parent == none ? 0 : blocks_[parent].depth + 1, {}});
    return static_cast<uint32_t>(blocks_.size() - 1);
}

uint32_t CodeBuilder::common_block(uint32_t a, uint32_t b) const {
    while (a != b) {
        if (blocks_[a].depth >= blocks_[b].depth) {
            a = blocks_[a].parent;
        } else {
            b = blocks_[b].parent;
        }
    }
    return a;
}

void CodeBuilder::use(uint32_t id, uint32_t block) {
    uint32_t &home = nodes_[id].block;
    home = home == none ? block : common_block(home, block);
}

/// Whether some operands are computed only on demand.
bool CodeBuilder::is_guarded(const Node &node) const {
    switch (node.expr->kind()) {
    case ExprKind::Select:
        return nodes_[node.operands[1]].can_fail || nodes_[node.operands[2]].can_fail;
    case FLUORITE_EFFECTS:
        return true;
    default: // all operands are computed
        return false;
    }
}

void CodeBuilder::assign_blocks(const std::vector<uint32_t> &roots) {
    new_block(none);
    for (uint32_t root : roots) {
        use(root, 0);
    }
    for (uint32_t id = static_cast<uint32_t>(nodes_.size()); id-- > 0;) {
        if (nodes_[id].placed) {
            continue;
        }
        const uint32_t home = nodes_[id].block;
        blocks_[home].nodes.push_back(id);
        const bool guarded = is_guarded(nodes_[id]);
        if (guarded) {
            nodes_[id].inner_a = new_block(home);
            nodes_[id].inner_b = new_block(home);
        }
        for (size_t i = 0; i < nodes_[id].operands.size(); i++) {
            uint32_t block = home;
            if (guarded && i > 0) {
                // Select has value a and value b; Require and Print have the value, then the texts.
                block = i == 1 ? nodes_[id].inner_a : nodes_[id].inner_b;
            }
            use(nodes_[id].operands[i], block);
        }
    }
    for (Block &block : blocks_) {
        std::reverse(block.nodes.begin(), block.nodes.end());
    }
}

// ---- Code.

void CodeBuilder::emit_block(uint32_t block) {
    for (uint32_t id : blocks_[block].nodes) {
        nodes_[id].result = new_register();
        nodes_[id].placed = true;
        emit(nodes_[id]);
    }
}

size_t CodeBuilder::emit_jump(Code code, Register condition) {
    Instruction instruction{code, 0, condition, 0, 0, {}};
    code_.push_back(instruction);
    return code_.size() - 1;
}

void CodeBuilder::emit_lazy_select(Node &node) {
    const size_t to_else = emit_jump(Code::JumpIfFalse, operand(node, 0));
    emit_block(node.inner_a);
    code_.push_back({Code::Copy, node.result, operand(node, 1), 0, 0, {}});
    const size_t to_end = emit_jump(Code::Jump);
    land(to_else);
    emit_block(node.inner_b);
    code_.push_back({Code::Copy, node.result, operand(node, 2), 0, 0, {}});
    land(to_end);
}

/// A reference to the texts of a Require or Print.
size_t CodeBuilder::text_reference(const Node &node) {
    Reference reference;
    const bool is_require = node.expr->kind() == ExprKind::Require;
    for (size_t i = is_require ? 3 : 2; i < node.operands.size(); i++) {
        reference.operands.push_back(operand(node, i));
        reference.types.push_back(operand_type(node, i));
        reference.literal.push_back(node.expr->arg(i)->kind() == ExprKind::StringImm);
    }
    reference.text = is_require ? node.expr->arg(2)->text() : std::string();
    program_.references.push_back(std::move(reference));
    return program_.references.size() - 1;
}

void CodeBuilder::emit_require(Node &node) {
    const size_t to_value = emit_jump(Code::JumpIfTrue, operand(node, 0));
    emit_block(node.inner_b);
    code_.push_back({Code::Fail, 0, 0, 0, 0, {}});
    code_.back().reference = text_reference(node);
    land(to_value);
    emit_block(node.inner_a);
    code_.push_back({Code::Copy, node.result, operand(node, 1), 0, 0, {}});
}

void CodeBuilder::emit_print(Node &node) {
    emit_block(node.inner_a);
    code_.push_back({Code::Copy, node.result, operand(node, 1), 0, 0, {}});
    const size_t to_end = emit_jump(Code::JumpIfFalse, operand(node, 0));
    emit_block(node.inner_b);
    code_.push_back({Code::Print, 0, 0, 0, 0, {}});
    code_.back().reference = text_reference(node);
    land(to_end);
}

/// Emits an instruction that takes all operands of the node.
void CodeBuilder::emit_reference(Node &node, Code code, Reference reference) {
    for (size_t i = 0; i < node.operands.size(); i++) {
        reference.operands.push_back(operand(node, i));
        reference.types.push_back(operand_type(node, i));
    }
    reference.type = node.expr->type();
    reference.point.resize(node.operands.size());
    program_.references.push_back(std::move(reference));
    code_.push_back({code, node.result, 0, 0, 0, {}});
    code_.back().reference = program_.references.size() - 1;
}

void CodeBuilder::emit_call(Node &node) {
    const ir::Graph &graph = builder_.bindings_.graph();
    const FuncId func = node.expr->symbol().owner().func;
    check(func.is_below(graph.funcs.size()), "a call names a Func of the graph");
    const ir::FuncDef &def = graph.func(func);
    check(node.operands.size() == def.dimensions(), "a call has a coordinate for each dimension");
    const size_t element = node.expr->member().position();
    check(element < def.types.size(), "a call names an element of its Func");
    Reference reference;
    reference.func = func.index();
    reference.element = element;
    reference.row.resize(row_width_of(def.types.size()));
    emit_reference(node, reference.func == builder_.self_ ? Code::CallSelf : Code::CallFunc, std::move(reference));
}

void CodeBuilder::emit(Node &node) {
    switch (node.expr->kind()) {
    case ExprKind::Select:
        if (node.inner_a != none) {
            emit_lazy_select(node);
        } else {
            code_.push_back({Code::Select, node.result, operand(node, 0), operand(node, 1), operand(node, 2), {}});
        }
        return;
    case ExprKind::Require:
        emit_require(node);
        return;
    case ExprKind::Print:
        emit_print(node);
        return;
    case ExprKind::Call:
        emit_call(node);
        return;
    case ExprKind::Random:
        emit_reference(node, Code::Random, {});
        return;
    case ExprKind::Image: {
        Reference reference;
        reference.input = builder_.bindings_.input(node.expr->symbol());
        check(node.operands.size() == static_cast<size_t>(reference.input.buffer->dimensions),
              "an image has a coordinate for each dimension");
        emit_reference(node, Code::Image, std::move(reference));
        return;
    }
    case ExprKind::Undef:
        unreachable("compile_values takes Undef apart");
    case ExprKind::Extern: {
        check_signature(*node.expr);
        Reference reference;
        reference.text = node.expr->text();
        std::vector<Type> types;
        for (size_t k = 0; k < node.operands.size(); k++) {
            types.push_back(operand_type(node, k));
        }
        reference.function =
            std::make_shared<CFunction>(builder_.bindings_.extern_address(reference.text), types, node.expr->type());
        emit_reference(node, Code::Extern, std::move(reference));
        return;
    }
    default: // scalar functions of their operands, which emit_plain finds or refuses
        emit_plain(node);
        return;
    }
}

/// Emits a scalar function of one to three operands.
void CodeBuilder::emit_plain(Node &node) {
    const ExprKind kind = node.expr->kind();
    const Type type = operand_type(node, 0);
    Instruction instruction{Code::Unary, node.result, operand(node, 0), 0, 0, {}};
    const size_t count = node.operands.size();
    instruction.b = count > 1 ? operand(node, 1) : 0;
    instruction.c = count > 2 ? operand(node, 2) : 0;
    bool found = false;
    if (count == 1) {
        switch (kind) {
        case ExprKind::Cast:
            instruction.unary = find_cast(type, node.expr->type());
            break;
        case ExprKind::SaturatingCast:
            instruction.unary = find_saturating_cast(type, node.expr->type());
            break;
        case ExprKind::Reinterpret:
            instruction.unary = find_reinterpret(type, node.expr->type());
            break;
        case ExprKind::Math:
            instruction.unary = find_math_unary(node.expr->math_op(), type);
            break;
        default: // operators without a payload, found or refused by find_unary
            instruction.unary = find_unary(kind, type);
            break;
        }
        found = instruction.unary != nullptr;
    } else if (count == 2) {
        instruction.code = Code::Binary;
        const bool is_shift = kind == ExprKind::ShiftLeft || kind == ExprKind::ShiftRight;
        instruction.binary = kind == ExprKind::Math ? find_math_binary(node.expr->math_op(), type)
                             : is_shift             ? find_shift(kind, type, operand_type(node, 1))
                                                    : find_binary(kind, type);
        found = instruction.binary != nullptr;
    } else if (count == 3 && kind == ExprKind::Fma) {
        instruction.code = Code::Ternary;
        instruction.ternary = find_fma(type);
        found = instruction.ternary != nullptr;
    }
    check(found,
          concat("the operator ", ir::kind_name(kind), " has no meaning for ", to_string(type), " in a definition"));
    code_.push_back(instruction);
}

// ---- The builder.

ProgramBuilder::ProgramBuilder(Bindings &bindings, Program &program, size_t self)
    : bindings_(bindings), program_(program), self_(self) {}

Register ProgramBuilder::constant(Cell value) {
    program_.registers.push_back(value);
    return static_cast<Register>(program_.registers.size() - 1);
}

Register ProgramBuilder::declare(const ir::Symbol &variable) {
    const Register at = constant(0);
    variables_[variable] = at;
    return at;
}

std::vector<Register> ProgramBuilder::compile(const std::vector<Expr> &roots, Instructions &code) {
    std::vector<Expr> plain;
    for (const Expr &root : roots) {
        plain.push_back(without_lets(root));
    }
    return CodeBuilder(*this, code).compile(plain);
}

std::vector<Root> ProgramBuilder::compile_values(const std::vector<Expr> &roots, Instructions &code) {
    std::vector<Root> results(roots.size());
    std::vector<Expr> parts;
    for (size_t i = 0; i < roots.size(); i++) {
        const ValueAndDefined split = split_undef(without_lets(roots[i]));
        parts.push_back(split.value);
        if (split.defined.defined()) {
            results[i].always_defined = false;
            parts.push_back(split.defined);
        }
    }
    const std::vector<Register> registers = CodeBuilder(*this, code).compile(parts);
    size_t next = 0;
    for (Root &result : results) {
        result.value = registers[next++];
        if (!result.always_defined) {
            result.defined = registers[next++];
        }
    }
    return results;
}

std::string text_of(Cell value, Type type) {
    char text[64] = "";
    char *const end = text + sizeof(text);
    if (type.is_handle()) {
        fluorite_append_pointer(text, end, reinterpret_cast<const void *>(value));
    } else if (type.is_bool()) {
        fluorite_append_bool(text, end, value);
    } else if (type.is_int()) {
        fluorite_append_int64(text, end, static_cast<int64_t>(value));
    } else if (type.is_uint()) {
        fluorite_append_uint64(text, end, value);
    } else if (type == Float(64)) {
        fluorite_append_double(text, end, std::bit_cast<double>(value));
    } else {
        const Cell narrow = find_cast(type, Float(32))(value);
        fluorite_append_float(text, end, std::bit_cast<float>(static_cast<uint32_t>(narrow)));
    }
    return text;
}

std::string text_of(const Program &program, const Reference &reference) {
    std::string text;
    for (size_t i = 0; i < reference.operands.size(); i++) {
        const Cell value = program.registers[reference.operands[i]];
        text += reference.literal[i] ? reinterpret_cast<const char *>(value) : text_of(value, reference.types[i]);
    }
    return text;
}

} // namespace fluorite::interpret
