// What the arguments of a function that is compiled from a pipeline may be, in C or as a Callable.

#include "driver/argument_checks.h"

#include "fluorite/buffer.h"
#include "support/check.h"

namespace fluorite::driver {

using ir::LoweredArg;

void check_argument(const std::string &name, const Argument &wanted) {
    const auto refuse = [&](const char *slug, const std::string &text) {
        throw CompileError(slug, concat("in ", name, ": the argument '", wanted.name, "' ", text));
    };
    if (wanted.kind != Argument::InputScalar && wanted.kind != Argument::InputBuffer &&
        wanted.kind != Argument::OutputBuffer) {
        refuse("no-such-value", concat("has the kind ", static_cast<int>(wanted.kind),
                                       ", which is none; use one of Argument::Kind's names"));
    }
    if (wanted.kind == Argument::OutputBuffer) {
        refuse("argument-mismatch", "is declared as an output; the list is of inputs, and the outputs follow by "
                                    "themselves; leave it out");
    }
    if (!buffer_detail::is_element_type(wanted.type)) {
        refuse("bad-type",
               concat("has the type ", wanted.type.is_void() ? std::string("without bits") : to_string(wanted.type),
                      "; integers have 8, 16, 32 or 64 bits, floats 16, 32 or 64, a bool 1; use one of these"));
    }
    if (wanted.is_buffer() && wanted.dimensions < 0) {
        refuse("negative-rank",
               concat("has ", wanted.dimensions, " dimensions; a rank is 0 or more; give the number of dimensions"));
    }
    if (!wanted.is_buffer() && wanted.dimensions != 0) {
        refuse("argument-mismatch",
               concat("is declared as a number with ", wanted.dimensions,
                      " dimensions; only buffers have dimensions; declare it as an InputBuffer, or "
                      "with 0 dimensions"));
    }
    if (wanted.name.empty() && !wanted.parameter) {
        refuse("argument-mismatch",
               "has no name; inputs are found by their names; give it the name of one, or pass the "
               "Param or ImageParam itself");
    }
}

void check_distinct(const std::string &name, const std::vector<Argument> &args) {
    for (size_t i = 0; i < args.size(); i++) {
        for (size_t k = 0; k < i; k++) {
            const bool is_same = args[i].parameter && args[k].parameter
                                     ? args[i].parameter.get() == args[k].parameter.get()
                                     : args[i].name == args[k].name;
            if (is_same) {
                throw CompileError("duplicate-argument",
                                   concat("in ", name, ": '", args[i].name,
                                          "' stands twice among the arguments; a function takes each once; name it "
                                          "once"));
            }
        }
    }
}

void check_declared(const std::string &name, const Argument &wanted, const LoweredArg &arg) {
    const bool is_buffer = arg.kind == LoweredArg::Kind::InputBuffer;
    const bool fits = wanted.is_buffer() == is_buffer && wanted.type == arg.type &&
                      (!is_buffer || static_cast<int>(wanted.dimensions) == arg.dimensions);
    if (!fits && !is_user_context(wanted.name)) {
        const auto text = [](bool buffer, Type type, int dimensions) {
            return buffer ? concat("a buffer of ", type, " with ", dimensions, " dimensions") : concat("a ", type);
        };
        throw CompileError("argument-mismatch",
                           concat("in ", name, ": the argument '", wanted.name, "' is declared as ",
                                  text(wanted.is_buffer(), wanted.type, static_cast<int>(wanted.dimensions)),
                                  "; the pipeline reads ", text(is_buffer, arg.type, arg.dimensions),
                                  " of that name; declare it so, or pass the Param or ImageParam itself"));
    }
}

} // namespace fluorite::driver
