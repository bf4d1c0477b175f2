#pragma once
// Symbols: what Variable, Let, Call, Image and Load refer to. A symbol's kind and owner define what it denotes; its
// name is for printing, and no code may parse it. Within one frozen pipeline every symbol has its own name.

#include "support/ref_counted.h"
#include "support/typed_id.h"

#include <cstdint>
#include <string>

namespace fluorite::ir {

enum class SymbolKind : uint8_t {
    Var,    // a pure variable of a definition
    RVar,   // a reduction variable of an update
    Loop,   // a loop of the loop IR
    Let,    // a value bound by Let or LetStmt
    Bound,  // min or max of a dimension of a stage's region; see SymbolOwner
    Param,  // a scalar parameter
    Buffer, // an input, output or allocated buffer
    Func,   // a function of the pipeline
};

enum class Side : uint8_t { Min, Max };

/// What a frozen symbol belongs to. Fields are -1, and ids invalid, where they do not apply.
///   Func: func. Var/RVar: func, stage (RVar), dim. Loop: func, stage, dim (index in the stage's list of loops, innermost 0).
///   Let: level 1 if its value depends on memory (ExprNode::reads_memory), else -1.
///   Bound: func, stage, dim, side, level. Buffer: func (internal, output) and dim (tuple element), or input.
struct SymbolOwner {
    FuncId func;
    int32_t stage = -1;
    DimId dim;
    InputId input;
    int32_t level = -1;
    Side side = Side::Min;
    bool operator==(const SymbolOwner &) const = default;
    /// Of RVars, loops and bounds.
    StageId stage_id() const { return {func, stage}; }
    /// Of loops.
    LoopId loop() const { return LoopId(dim.value); }
};

struct SymbolData : RefCounted {
    SymbolKind kind = SymbolKind::Let;
    std::string name;
    SymbolOwner owner;
    uint64_t hash = 0; // of kind and name; the same in every run
    /// The user's object behind a Param, Buffer, RVar or (before freezing) Func; owned unless `weak`.
    const RefCounted *object = nullptr;
    bool weak = false;

    SymbolData(SymbolKind kind, std::string name, SymbolOwner owner, const RefCounted *object, bool weak);
    ~SymbolData() override;
    SymbolData(const SymbolData &) = delete;
    SymbolData &operator=(const SymbolData &) = delete;
};

/// A shared handle to a symbol. Symbols are equal if they are the same object, or agree in kind, name, owner and user's
/// object.
class Symbol {
  public:
    Symbol() = default;
    Symbol(SymbolKind kind, std::string name, SymbolOwner owner = {}, const RefCounted *object = nullptr,
           bool weak = false)
        : data_(new SymbolData(kind, std::move(name), owner, object, weak)) {}

    bool defined() const { return static_cast<bool>(data_); }
    SymbolKind kind() const { return data_->kind; }
    const std::string &name() const { return data_->name; }
    const SymbolOwner &owner() const { return data_->owner; }
    const RefCounted *object() const { return data_->object; }
    uint64_t hash() const { return data_ ? data_->hash : 0; }

    bool operator==(const Symbol &other) const {
        if (data_ == other.data_) {
            return true;
        }
        return data_ && other.data_ && data_->hash == other.data_->hash && data_->kind == other.data_->kind &&
               data_->name == other.data_->name && data_->owner == other.data_->owner &&
               data_->object == other.data_->object;
    }
    /// Orders by name, then kind: the same in every run for symbols of one frozen pipeline.
    bool operator<(const Symbol &other) const {
        int order = data_->name.compare(other.data_->name);
        return order != 0 ? order < 0 : data_->kind < other.data_->kind;
    }

  private:
    RefPtr<const SymbolData> data_;
};

struct SymbolHash {
    size_t operator()(const Symbol &symbol) const { return symbol.hash(); }
};

} // namespace fluorite::ir
