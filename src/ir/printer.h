#pragma once
// The state of printing one text: output, name table, budget, indentation. Internal to print*.cpp.

#include "ir/print.h"
#include "ir/text_names.h"

namespace fluorite::ir {

class Printer {
  public:
    explicit Printer(const PrintOptions &options) : options_(options), left_(options.max_nodes) {}

    void expr(const Expr &expr, int least_precedence = 0);
    void stmt(const Stmt &stmt);
    void lowered(const LoweredFunc &func);
    void module(const LoweredModule &module);
    void graph(const Graph &graph);
    std::string take() { return std::move(out_); }

  private:
    // Expressions.
    void node(const Expr &expr, int least_precedence);
    void infix(const Expr &expr, int least_precedence);
    void constant(const Expr &expr);
    void let_head(const Symbol &bound, const Expr &value);
    void let(const Expr &expr, int least_precedence);
    void access(const Expr &expr);
    void load(const Expr &expr);
    void named_operands(const Expr &expr);
    /// `name(a, b)`.
    void operands(std::span<const Expr> args);
    /// Writes the type if it differs from the expected one.
    void type_suffix(Type type, Type expected);

    // Statements.
    void let_stmt(const LetStmt &let);
    void for_stmt(const For &loop);
    void provide(const Provide &provide);
    void realize(const Realize &realize);
    void allocate(const Allocate &allocate);
    void store(const Store &store);
    void block(const Block &block);
    void if_stmt(const IfThenElse &branch);
    void braces(const Stmt &body);
    void ranges(const std::vector<Range> &bounds);
    void where(const Expr &predicate, int lanes);
    void memory(MemoryType memory);
    void comma_separated(const std::vector<Expr> &exprs);
    void lowered_arg(const LoweredArg &arg);
    void index(const Symbol &index);
    void indices(const char *word, const std::vector<Symbol> &indices);

    // Graphs.
    void trace_tags(const std::vector<std::string> &tags);
    void func_def(const FuncDef &func);
    void stage(const FuncDef &func, const Stage &stage, bool is_update);
    void types(const std::vector<Type> &types);
    /// ` as name`, if the symbol's name differs.
    void user_name(const Symbol &symbol, const std::string &name);
    /// Prints one line of promises about a parameter, or about a dimension (unless -1) of a buffer's value; nothing if
    /// there are none.
    void promise(const Symbol &symbol, int value, int dim,
                 std::initializer_list<std::pair<const char *, Expr>> promises);
    void promises(const Symbol &symbol, int value, const std::vector<DimConstraint> &dims);

    // Symbols.
    enum class Position { Use, Binder };
    KnownSymbol &symbol(const Symbol &symbol, SymbolKind expected, Position position = Position::Use);
    KnownSymbol &introduce(const Symbol &symbol, SymbolKind expected);
    void owner(const SymbolOwner &owner);

    void text(std::string_view text) { out_ += text; }
    void number(int64_t value) { out_ += std::to_string(value); }
    void new_line();
    bool spend();

    PrintOptions options_;
    size_t left_;
    std::string out_;
    NameTable names_;
    int indent_ = 0;
    int depth_ = 0;
};

} // namespace fluorite::ir
