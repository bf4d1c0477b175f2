#include "language/serialize/read_expression.h"

#include "fluorite/buffer.h"
#include "ir/expr_traits.h"
#include "ir/node_types.h"
#include "support/check.h"

#include <algorithm>
#include <bit>
#include <map>

namespace fluorite::language {

using ir::ExprKind;
using ir::Field;
using ir::MathOp;
using ir::Symbol;
using ir::SymbolKind;

namespace {

/// The kinds that definitions of a program consist of.
bool is_of_programs(ExprKind kind) {
    switch (ir::class_of(kind)) {
    case ir::ExprClass::Vector:
    case ir::ExprClass::Binding:
        return false;
    default: // all kinds of scalar values, but loads, which come of flattening
        return kind != ExprKind::Load;
    }
}

const std::map<std::string, ExprKind> &kinds() {
    static const std::map<std::string, ExprKind> table = {
#define FLUORITE_EXPR(kind, name, ...) {name, ExprKind::kind},
#include "ir/expr_kinds.def"
#undef FLUORITE_EXPR
    };
    return table;
}

const std::map<std::string, MathOp> &math_ops() {
    static const std::map<std::string, MathOp> table = {
#define FLUORITE_MATH(op, name, ...) {name, MathOp::op},
#include "ir/math_ops.def"
#undef FLUORITE_MATH
    };
    return table;
}

class ExpressionReader {
  public:
    ExpressionReader(ByteReader &in, const ReadObjects &objects) : in_(in), objects_(objects) {}

    Expr run() {
        const std::string &word = read_one_of(in_, objects_.words, "a word");
        const auto kind = kinds().find(word);
        if (kind == kinds().end() || !is_of_programs(kind->second)) {
            in_.fail("definitions have no nodes of the kind '" + word + "'");
        }
        const Type type = read_type(in_);
        ir::Payload payload = this->payload(kind->second, type);
        std::vector<Expr> args;
        for (size_t left = in_.count("operands"); left > 0; left--) {
            args.push_back(read_one_of(in_, objects_.exprs, "an expression"));
        }
        if (!ir::is_arity_of(kind->second, args.size())) {
            in_.fail(concat("'", word, "' has ", args.size(), " operands"));
        }
        const Expr expr = ir::ExprNode::create(kind->second, type, args, std::move(payload));
        if (const auto violation = ir::type_violation(*expr)) {
            in_.fail("'" + word + "': " + *violation);
        }
        access(expr);
        return expr;
    }

  private:
    ByteReader &in_;
    const ReadObjects &objects_;

    ir::Payload payload(ExprKind kind, Type type) {
        switch (ir::traits_of(kind).payload) {
        case ir::PayloadTrait::None:
            return {};
        case ir::PayloadTrait::Int:
            return in_.signed_number();
        case ir::PayloadTrait::UInt:
            return in_.number();
        case ir::PayloadTrait::Float:
            return std::bit_cast<double>(in_.fixed());
        case ir::PayloadTrait::Text: {
            std::string text = in_.text();
            if (kind == ExprKind::Extern && !is_c_name(text)) {
                in_.fail("the C function '" + text + "' has a name that C has not");
            }
            return text;
        }
        case ir::PayloadTrait::Math: {
            const std::string &word = read_one_of(in_, objects_.words, "a word");
            const auto op = math_ops().find(word);
            if (op == math_ops().end()) {
                in_.fail("there is no function '" + word + "'");
            }
            return op->second;
        }
        case ir::PayloadTrait::Symbol:
            return symbol(kind, type);
        case ir::PayloadTrait::Member: {
            ir::Member member;
            member.symbol = symbol(kind, type);
            member.index = in_.int32("a position");
            member.field = static_cast<Field>(in_.index(4, "a field of a buffer"));
            return member;
        }
        case ir::PayloadTrait::Reduce:
        case ir::PayloadTrait::Indices:
            break;
        }
        unreachable("kinds with vectors are refused above");
    }

    static bool is_c_name(const std::string &text) {
        const auto is_good = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
        return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
               std::all_of(text.begin(), text.end(), is_good);
    }

    void require(bool holds, const char *seen) const {
        if (!holds) {
            in_.fail(seen);
        }
    }

    Symbol symbol(ExprKind node, Type type) {
        const auto kind = static_cast<SymbolKind>(in_.index(static_cast<size_t>(SymbolKind::Func) + 1, "a symbol"));
        const bool is_variable = node == ExprKind::Variable;
        switch (kind) {
        case SymbolKind::Var:
            require(is_variable && type == Int(32), "a Var is no variable of int32");
            return {kind, read_one_of(in_, objects_.names, "a name")};
        case SymbolKind::RVar: {
            require(is_variable && type == Int(32), "an RVar is no variable of int32");
            const RefPtr<ReductionDomain> &domain = read_one_of(in_, objects_.domains, "an RDom");
            return domain->symbol(static_cast<int>(in_.index(domain->dims.size(), "a dimension of an RDom")));
        }
        case SymbolKind::Let:
            require(is_variable && type == Int(32), "a random number is numbered by no int32");
            return read_one_of(in_, objects_.random, "a random number");
        case SymbolKind::Param: {
            const RefPtr<ir::Parameter> &its = read_one_of(in_, objects_.parameters, "a parameter");
            require(is_variable && !its->is_buffer && its->type == type, "a Param is read with another type");
            return {kind, its->name, {}, its.get()};
        }
        case SymbolKind::Buffer: {
            const RefPtr<ir::Parameter> &its = read_one_of(in_, objects_.parameters, "a parameter");
            require((node == ExprKind::Image || node == ExprKind::BufferField) && its->is_buffer,
                    "a buffer is read as a number");
            return {kind, its->name, {}, its.get()};
        }
        case SymbolKind::Func:
            require(node == ExprKind::Call, "a Func is read as a number");
            return read_one_of(in_, objects_.functions, "a Func")->strong_symbol();
        case SymbolKind::Loop:
        case SymbolKind::Bound:
            break;
        }
        in_.fail("definitions have no loops");
    }

    void access(const Expr &expr) const {
        if (expr->kind() == ExprKind::Call) {
            require(expr->symbol().kind() == SymbolKind::Func, "a call is of no Func");
            const ir::FuncDef &def = function_of(expr->symbol())->def;
            require(!def.stages.empty(), "a Func is called before it is defined");
            require(expr->member().index >= 0 && expr->member().position() < def.types.size() &&
                        def.types[expr->member().position()] == expr.type(),
                    "a call reads a value that its Func does not have");
            coordinates(expr, def.args.size());
        } else if (expr->kind() == ExprKind::Image) {
            require(expr->symbol().kind() == SymbolKind::Buffer, "an access is of no image");
            const ir::Parameter &its = *ir::parameter_of(expr->symbol());
            require(its.type == expr.type(), "an image is read with another type");
            coordinates(expr, static_cast<size_t>(its.dimensions));
        } else if (expr->kind() == ExprKind::BufferField) {
            require(expr->symbol().kind() == SymbolKind::Buffer, "a field is of no buffer");
            const ir::Parameter &its = *ir::parameter_of(expr->symbol());
            require(expr->member().index >= 0 && expr->member().index < std::max(its.dimensions, 1),
                    "a field of a dimension is read that a buffer does not have");
        }
    }

    void coordinates(const Expr &expr, size_t dimensions) const {
        require(expr->arg_count() == dimensions, "an access has another number of coordinates");
        for (const Expr &arg : expr->args()) {
            require(arg.type() == Int(32), "a coordinate is no int32");
        }
    }
};

} // namespace

Type read_type(ByteReader &in) {
    const auto code = static_cast<fluorite_type_code_t>(in.index(fluorite_type_bfloat + 1, "a kind of type"));
    const Type type(code, static_cast<int>(in.index(65, "the bits of a type")));
    if (!buffer_detail::is_element_type(type)) {
        in.fail("a type is none of values");
    }
    return type;
}

Expr read_expression(ByteReader &in, const ReadObjects &objects) { return ExpressionReader(in, objects).run(); }

} // namespace fluorite::language
