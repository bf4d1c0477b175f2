#pragma once
// Expressions as variables of C: one for each distinct node of a statement.

#include "backends/c/vectors.h"
#include "backends/c_text/function_text.h"
#include "ir/lowered.h"

#include <functional>
#include <map>

namespace fluorite::backends::c {

using c_text::Value;

/// What functions of a file share: declarations of what they call, and where the buffers that are data are.
struct FileText {
    c_text::Helpers &helpers;
    const ir::LoweredModule &module;
    std::map<std::string, std::string> declared = {}; // of the program's functions, by name
    std::map<std::string, std::string> locks = {};    // by Func
    std::vector<std::string> constants = {};          // definitions of embedded buffers
};

/// A buffer of the function: the text of its header, if it has one, and of its first element.
struct BufferText {
    std::string header, host;
};

class Expressions {
  public:
    Expressions(c_text::FunctionText &function, Vectors &vectors, c_text::Operators &operators, FileText &file)
        : f_(function), vectors_(vectors), operators_(operators), file_(file) {}

    /// The name or constant of a scalar, and a vector.
    std::string scalar(const Expr &expr) { return value(expr).lanes[0]; }
    Vector vector(const Expr &expr);
    Value value(const Expr &expr) { return compute(expr, c_text::Overflow::Wraps); }
    /// A scalar index or bound, in 64 bits.
    std::string coordinate(const Expr &expr) { return compute(expr, c_text::Overflow::Never).lanes[0]; }
    /// The index of a lane of an access; those of ramps are computed from the first.
    std::function<std::string(int)> lane_indices(const Expr &index);
    /// The address of an element, of the type of the buffer.
    std::string address(const ir::Symbol &buffer, const std::string &index);
    /// A text made of parts, as the name of an array of characters.
    std::string message(std::span<const Expr> parts);
    /// Lane i of a value of the type, which may be a scalar's.
    std::string lane_of(const Value &whole, Type type, int i);

    BufferText &buffer(const ir::Symbol &symbol);
    void bind_buffer(const ir::Symbol &symbol, BufferText text);
    /// Leaves the function with the code if it is not 0.
    std::function<void(const std::string &code)> leave;
    std::string context = "NULL"; // of the user
    bool calls_the_program = false;

    c_text::FunctionText &function() { return f_; }
    Vectors &vectors() { return vectors_; }
    FileText &file() { return file_; }

  private:
    Value compute(const Expr &expr, c_text::Overflow overflow);
    Value new_value(const Expr &expr, c_text::Overflow overflow);
    Value scalar_node(const ir::ExprNode &node);
    Value exact(const Expr &expr);
    Value vector_node(const Expr &expr);
    Vector new_vector(const ir::ExprNode &node);
    Vector binary_vector(const ir::ExprNode &node);
    Vector ramp(const ir::ExprNode &node);
    Vector broadcast(const ir::ExprNode &node);
    Vector shuffle(const ir::ExprNode &node);
    Value reduce(const ir::ExprNode &node);
    Value load(const ir::ExprNode &node);
    Vector random(const ir::ExprNode &node);
    Value let(const ir::ExprNode &node, c_text::Overflow overflow);
    Value named(Type type, const std::string &text);
    Value named(const Vector &vector);
    // calls.cpp
    Value host_node(const ir::ExprNode &node);
    Value call(const ir::ExprNode &node);
    Value function_call(const std::string &name, const ir::ExprNode &node, size_t first);
    Value array_call(const ir::ExprNode &node, bool of_doubles);
    std::string in_place(const ir::ExprNode &node);
    std::string extern_operation(const ir::ExprNode &node);
    std::string profile_operation(const ir::ExprNode &node);
    std::string new_header(const ir::ExprNode &node);
    std::string buffer_operation(const ir::ExprNode &node);
    std::string field(const ir::ExprNode &node);
    Value print(const ir::ExprNode &node);
    Value require(const ir::ExprNode &node);
    std::string trace(const ir::ExprNode &node);
    std::string joined_lanes(Type type, const Value &condition, const char *sign);
    std::string embedded(const ir::Symbol &symbol);

    c_text::FunctionText &f_;
    Vectors &vectors_;
    c_text::Operators &operators_;
    FileText &file_;
    ir::SymbolMap<BufferText> buffers_;
};

} // namespace fluorite::backends::c
