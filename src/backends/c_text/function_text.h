#pragma once
// The function that is being written: its lines, fresh names, and what symbols denote at the place that is written.

#include "ir/expr_node.h"
#include "ir/stmt.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fluorite::backends::c_text {

/// A value: for each lane the name of a variable, or a constant.
struct Value {
    Type type;
    std::vector<std::string> lanes;
    const std::string &lane(size_t i) const { return lanes.size() == 1 ? lanes[0] : lanes[i]; }
};

/// An array of elements.
struct Array {
    std::string name;       // of a pointer to the element with index 0
    Type type;              // of an element
    std::string space = {}; // global or local; empty for memory of the thread
};

class FunctionText {
  public:
    const std::string &text() const { return text_; }
    /// Deep nests are not indented further, so that their text is linear in their lines.
    void line(const std::string &content) {
        constexpr size_t most_columns = 80;
        text_.append(std::min(indent_, most_columns), ' ').append(content).append("\n");
    }
    /// The lines up to the matching `close` are the body of the statement that `head` begins.
    void open(const std::string &head);
    void close(const std::string &tail = "}");

    /// A name that nothing else has, and no keyword, function or macro of the language: `v`, a number, and letters of
    /// `hint`.
    std::string fresh(const std::string &hint = "");
    /// Defines a variable, and returns its name.
    std::string define(const std::string &type, const std::string &value, const std::string &hint = "");

    void bind(const ir::Symbol &symbol, Value value) {
        coordinates_.erase(symbol);
        values_[symbol] = std::move(value);
    }
    const Value &value(const ir::Symbol &symbol) const;
    /// The value as it is computed in coordinates, if that is another variable.
    void bind_coordinate(const ir::Symbol &symbol, Value value) { coordinates_[symbol] = std::move(value); }
    const Value &coordinate(const ir::Symbol &symbol) const;
    void bind(const ir::Symbol &symbol, Array array) { arrays_[symbol] = std::move(array); }
    const Array &array(const ir::Symbol &symbol) const;

    // ---- Values of nodes that have been computed: of the statement, and in the body of a Let.
    /// Within a statement nothing is known of those around: memory may have changed, and so may variables.
    void open_statement() { known_.push_back({{}, true}); }
    void open_let() { known_.push_back({{}, false}); }
    void close_scope() { known_.pop_back(); }
    using Key = std::pair<const ir::ExprNode *, int>; // the node, and how it is computed
    const Value *find_known(const Key &key) const;
    void set_known(const Key &key, const Value &value) { known_.back().values[key] = value; }

  private:
    struct Scope {
        std::map<Key, Value> values;
        bool is_statement = false;
    };

    std::string text_;
    size_t indent_ = 0;
    size_t names_ = 0;
    ir::SymbolMap<Value> values_, coordinates_;
    ir::SymbolMap<Array> arrays_;
    std::vector<Scope> known_;
};

} // namespace fluorite::backends::c_text
