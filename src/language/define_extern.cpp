// Extern stages: Funcs that C functions define.
//
// The definition is one stage whose values are extern.stage nodes (ir/extern_stage.h). What is passed as a buffer
// becomes an access at extern.anywhere coordinates, so that whoever looks for what a definition reads finds it.
//
// C++ names are mangled as the Itanium ABI says, which Linux, macOS and MinGW follow: N...E around nested names, and
// S_, S0_, ... for what occurred before. Cost: linear in the arguments.

#include "fluorite/image_param.h"
#include "fluorite/param.h"
#include "ir/extern_stage.h"
#include "language/function.h"

#include <algorithm>
#include <optional>

namespace fluorite {

using namespace language;
using ir::ExprKind;

ExternFuncArgument::ExternFuncArgument(const Func &func) : arg_type(FuncArg), function_(func.function()) {}
ExternFuncArgument::ExternFuncArgument(const OutputImageParam &image)
    : arg_type(ImageParamArg), image_param(image.parameter()) {}
ExternFuncArgument::ExternFuncArgument(const Parameter &parameter) {
    if (parameter.is_buffer()) {
        arg_type = ImageParamArg;
        image_param = parameter;
    } else {
        arg_type = ExprArg;
        expr = Param<>(parameter);
    }
}

namespace {

std::vector<Expr> anywhere(int operand, size_t dimensions) {
    std::vector<Expr> coordinates;
    for (size_t d = 0; d < dimensions; d++) {
        coordinates.push_back(ir::make_anywhere(operand, static_cast<int>(d)));
    }
    return coordinates;
}

/// Names of symbols of C++ functions.
class Mangler {
  public:
    std::string run(const std::string &name, const std::vector<std::optional<Type>> &arguments) {
        text_ = "_Z";
        append_name(name);
        for (const std::optional<Type> &type : arguments) {
            type ? append_type(*type) : append_pointer("15halide_buffer_t");
        }
        text_ += arguments.empty() ? "v" : "";
        return text_;
    }

  private:
    std::string text_;
    std::vector<std::string> known_; // what S_, S0_, ... stand for

    static std::string source_name(const std::string &part) { return std::to_string(part.size()) + part; }

    void append_name(const std::string &name) {
        std::vector<std::string> parts;
        size_t begin = 0;
        for (size_t end = name.find("::"); end != std::string::npos; end = name.find("::", begin)) {
            parts.push_back(name.substr(begin, end - begin));
            begin = end + 2;
        }
        std::string prefix;
        for (const std::string &part : parts) {
            prefix += source_name(part);
            known_.push_back(prefix);
        }
        text_ += parts.empty() ? source_name(name) : "N" + prefix + source_name(name.substr(begin)) + "E";
    }

    /// Appends what is known by its number; returns whether it is.
    bool append_known(const std::string &what) {
        const auto found = std::find(known_.begin(), known_.end(), what);
        if (found == known_.end()) {
            known_.push_back(what);
            return false;
        }
        constexpr const char *digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        std::string number;
        for (size_t n = static_cast<size_t>(found - known_.begin()); n > 0; n = (n - 1) / 36) {
            number.insert(number.begin(), digits[(n - 1) % 36]);
        }
        text_ += "S" + number + "_";
        return true;
    }

    void append_pointer(const std::string &type) {
        const std::string pointer = "P" + type;
        if (std::find(known_.begin(), known_.end(), pointer) != known_.end()) {
            append_known(pointer);
            return;
        }
        text_ += "P";
        if (type == "v") {
            text_ += type; // builtin types have no numbers
        } else if (!append_known(type)) {
            text_ += type;
        }
        known_.push_back(pointer);
    }

    void append_type(Type type) {
        if (type.is_handle()) {
            append_pointer("v");
        } else if (type.is_float()) {
            text_ += type.bits() == 64 ? "d" : "f";
        } else if (type.is_bool()) {
            text_ += "b";
        } else {
            constexpr const char *of_int = "asil", *const of_uint = "htjm";
            const size_t width = type.bits() == 8 ? 0 : type.bits() == 16 ? 1 : type.bits() == 32 ? 2 : 3;
            text_ += (type.is_int() ? of_int : of_uint)[width];
        }
    }
};

std::string symbol_of(const std::string &function, NameMangling mangling, const std::vector<Expr> &operands,
                      size_t outputs) {
    if (mangling != NameMangling::CPlusPlus) {
        return function;
    }
    std::vector<std::optional<Type>> arguments;
    for (const Expr &operand : operands) {
        arguments.push_back(ir::extern_access(operand).defined() ? std::nullopt : std::optional(operand.type()));
    }
    arguments.resize(arguments.size() + outputs);
    return Mangler().run(function, arguments);
}

class ExternDefinition {
  public:
    ExternDefinition(Function &function, const Location &location) : function_(function), location_(location) {}

    std::vector<Expr> operands(const std::vector<ExternFuncArgument> &arguments) const {
        std::vector<Expr> all;
        for (size_t i = 0; i < arguments.size(); i++) {
            const Function *func = arguments[i].function().get();
            if (func && !func->defined()) {
                refuse(i, func->name + ", a Func without a definition", "define it first");
            }
            const std::vector<Expr> its = arguments[i].operands(static_cast<int>(all.size()));
            if (its.empty()) {
                refuse(i, "undefined", "give it a value");
            }
            for (const Expr &operand : its) {
                check_operand(i, operand);
                all.push_back(operand);
            }
        }
        return all;
    }

    void check_types(const std::vector<Type> &types, DeviceAPI device) const {
        if (types.empty()) {
            refuse("no type is given; an extern function computes at least one value for each point; name its type");
        }
        for (const Type type : types) {
            if (!type.is_scalar() || type.is_handle() || type.is_void()) {
                refuse("type " + to_string(type) +
                       " is given; an extern function computes numbers, one buffer for each type; name their types");
            }
        }
        if (device != DeviceAPI::Host) {
            refuse(
                "a device is given; an extern function runs on the host and accesses its memory; leave the device out");
        }
    }

  private:
    const Function &function_;
    const Location &location_;

    [[noreturn]] void refuse(const std::string &text) const { fail("extern-argument", function_, 0, text, location_); }
    [[noreturn]] void refuse(size_t argument, const std::string &seen, const std::string &fix) const {
        refuse(
            concat("argument ", argument, " of its extern function is ", seen,
                   "; an argument is a value that is the same for all points, or a buffer: a Func that is defined, an "
                   "ImageParam or a Buffer; ",
                   fix));
    }

    void check_operand(size_t argument, const Expr &operand) const {
        if (ir::extern_access(operand).defined()) {
            return;
        }
        ir::for_each_node(operand, [&](const Expr &node) {
            const bool reads = node->kind() == ExprKind::Call || node->kind() == ExprKind::Image;
            const bool is_var = node->kind() == ExprKind::Variable && node->symbol().kind() != ir::SymbolKind::Param;
            if (reads || is_var) {
                refuse(argument, user_text(operand) + ", whose value depends on " + (reads ? "elements" : "a Var"),
                       reads ? "pass the Func or the image itself" : "pass a number or a Param");
            }
        });
    }
};

} // namespace

std::vector<Expr> ExternFuncArgument::operands(int first) const {
    const auto whole = [&](const Expr &element) {
        return ir::make_address(
            ir::make_image(element.type(), element->symbol(), anywhere(first, element->arg_count())));
    };
    switch (arg_type) {
    case UndefinedArg:
        return {};
    case FuncArg: {
        std::vector<Expr> all;
        const ir::FuncDef &def = function_->def;
        for (size_t k = 0; k < def.types.size(); k++) {
            const int operand = first + static_cast<int>(k);
            all.push_back(ir::make_address(ir::make_call(def.types[k], function_->strong_symbol(), static_cast<int>(k),
                                                         anywhere(operand, def.args.size()))));
        }
        return all;
    }
    case BufferArg:
        return {whole(buffer(std::vector<Expr>(static_cast<size_t>(buffer.dimensions()), Expr(0))))};
    case ImageParamArg: {
        if (!image_param.defined()) {
            return {};
        }
        const ir::Parameter &its = *image_param.contents();
        const ir::Symbol symbol(ir::SymbolKind::Buffer, its.name, {}, &its);
        return {
            ir::make_address(ir::make_image(its.type, symbol, anywhere(first, static_cast<size_t>(its.dimensions))))};
    }
    case ExprArg:
        break;
    }
    return expr.defined() ? std::vector<Expr>{expr} : std::vector<Expr>();
}

void Func::define_extern(const std::string &function, const std::vector<ExternFuncArgument> &arguments,
                         const std::vector<Type> &types, const std::vector<Var> &vars, NameMangling mangling,
                         DeviceAPI device, const Location &location) {
    const ExternDefinition definition(*function_, location);
    definition.check_types(types, device);
    if (function_->defined()) {
        fail("extern-argument", *function_, 0,
             "it has a definition, and define_extern gives it another one; a Func has one; use another Func", location);
    }
    const std::vector<Expr> operands = definition.operands(arguments);
    const std::string symbol = symbol_of(function, mangling, operands, types.size());
    std::vector<Expr> values;
    for (size_t k = 0; k < types.size(); k++) {
        values.push_back(ir::make_extern_stage(types[k], symbol, static_cast<int>(k), operands));
    }
    define_pure(*function_, std::vector<Expr>(vars.begin(), vars.end()), std::move(values), location);
}

void Func::define_extern(const std::string &function, const std::vector<ExternFuncArgument> &arguments,
                         const std::vector<Type> &types, int dimensions, NameMangling mangling, DeviceAPI device,
                         const Location &location) {
    std::vector<Var> vars;
    for (int d = 0; d < dimensions; d++) {
        vars.push_back(Var::implicit(d));
    }
    define_extern(function, arguments, types, vars, mangling, device, location);
}

bool Func::is_extern() const { return ir::is_extern(function_->def); }

std::string Func::extern_function_name() const {
    const ir::ExprNode *stage = ir::find_extern_stage(function_->def);
    return stage ? ir::extern_function(*stage) : std::string();
}

} // namespace fluorite
