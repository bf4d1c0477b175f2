// C source of a module.
//
// The file has, in this order: fluorite/runtime_c.h, declarations of the program's functions, embedded buffers, locks,
// the types and functions of vectors and operators that it uses, closures, and the functions of the module. It is C99
// and C++17 at once.

#include "backends/c/c_source.h"

#include "backends/c/metadata.h"
#include "backends/c/statements.h"
#include "backends/c/words.h"
#include "backends/c_text/c_text.h"
#include "backends/x86_features.h"
#include "ir/c_abi.h"
#include "ir/memory.h"
#include "support/check.h"

#include <set>

namespace fluorite::backends::c {

using ir::LoweredArg;
using ir::LoweredFunc;
using Part = ir::ClosureField::Part;

namespace {

class FunctionWriter {
  public:
    FunctionWriter(const LoweredFunc &func, FileText &file, c_text::Operators &operators, Vectors &vectors,
                   const std::map<std::string, TaskText> &tasks)
        : func_(func), vectors_(vectors), expressions_(f_, vectors, operators, file), statements_(expressions_, tasks) {
        expressions_.leave = [this](const std::string &code) { statements_.leave(code); };
    }

    std::string task(const TaskText &task);
    std::string entry(bool is_public);
    static std::string argv(const LoweredFunc &func);

  private:
    std::string body(const std::string &head);
    void bind_scalar(const ir::Symbol &symbol, Type type, const std::string &text);
    std::string local(const std::string &type, const ir::Symbol &symbol, const std::string &text);
    std::string host_pointer(const LoweredArg &arg, const std::string &address);

    const LoweredFunc &func_;
    c_text::FunctionText f_;
    Vectors &vectors_;
    Expressions expressions_;
    Statements statements_;
};

void FunctionWriter::bind_scalar(const ir::Symbol &symbol, Type type, const std::string &text) {
    f_.bind(symbol, Value{type.is_vector() ? held_as(type) : type, {text}});
}

/// The text of the function whose beginning has been written: what holds memory, the body, and the end.
std::string FunctionWriter::body(const std::string &head) {
    f_.open("");
    statements_.write(func_.body);
    f_.close();
    std::string begin = head + " {\n    int32_t code = 0;\n", end;
    const auto frees = [&](const std::string &pointer) {
        begin += concat("    void *", pointer, " = NULL;\n");
        end += concat("    if (", pointer, ") {\n        fluorite_free(", expressions_.context, ", ", pointer,
                      ");\n    }\n");
    };
    for (const std::string &pointer : statements_.blocks()) {
        frees(pointer);
    }
    for (int slot = 0; slot < ir::slot_count(func_.body); slot++) {
        frees(concat("slot_", slot));
        begin += concat("    uint64_t slot_bytes_", slot, " = 0;\n");
    }
    const std::string status = expressions_.calls_the_program ? "    code = fluorite_extern_function_status();\n" : "";
    return concat(begin, f_.text(), status, statements_.leaves() ? "done:\n" : "", end, "    return code;\n}\n\n");
}

std::string parameter_type(const LoweredArg &arg) {
    return arg.kind != LoweredArg::Kind::Scalar ? "fluorite_buffer_t *"
           : arg.type.is_handle()               ? "void *"
                                                : scalar_type(arg.type) + " ";
}

std::string parameters_of(const LoweredFunc &func, const std::vector<std::string> &names) {
    std::string list;
    for (size_t i = 0; i < func.args.size(); i++) {
        list += (list.empty() ? "" : ", ") + parameter_type(func.args[i]) + names[i];
    }
    return list.empty() ? "void" : list;
}

/// A variable of the function. What headers and closures hold is read once, as a byte that is stored may be theirs.
std::string FunctionWriter::local(const std::string &type, const ir::Symbol &symbol, const std::string &text) {
    const std::string name = f_.fresh(symbol.name());
    f_.line(concat("    ", type, " const ", name, " = ", text, ";"));
    f_.line(concat("    (void)", name, ";"));
    return name;
}

std::string FunctionWriter::host_pointer(const LoweredArg &arg, const std::string &address) {
    const std::string element = element_type(arg.type);
    return local(element + " *FLUORITE_RESTRICT", arg.symbol, concat("(", element, " *)(", address, ")"));
}

std::string FunctionWriter::entry(bool is_public) {
    std::vector<std::string> names;
    f_.open("");
    for (const LoweredArg &arg : func_.args) {
        names.push_back(f_.fresh(arg.symbol.name()));
        f_.line(concat("(void)", names.back(), ";"));
        if (arg.kind == LoweredArg::Kind::Scalar) {
            bind_scalar(arg.symbol, arg.type, names.back());
        }
    }
    f_.close();
    for (size_t i = 0; i < func_.args.size(); i++) {
        const LoweredArg &arg = func_.args[i];
        if (arg.kind != LoweredArg::Kind::Scalar) {
            expressions_.bind_buffer(arg.symbol,
                                     {names[i], host_pointer(arg, concat(names[i], " ? ", names[i], "->host : NULL"))});
        }
    }
    if (const std::optional<size_t> context = ir::context_argument(func_)) {
        expressions_.context = names[*context];
    }
    return body(
        concat(is_public ? "FLUORITE_PUBLIC int " : "static int ", func_.name, "(", parameters_of(func_, names), ")"));
}

std::string FunctionWriter::argv(const LoweredFunc &func) {
    std::string list;
    for (size_t i = 0; i < func.args.size(); i++) {
        const LoweredArg &arg = func.args[i];
        const std::string given = concat("args[", i, "]");
        list += list.empty() ? "" : ", ";
        list += arg.kind != LoweredArg::Kind::Scalar ? concat("(fluorite_buffer_t *)", given)
                : arg.type.is_bool()                 ? concat("*(const uint8_t *)", given, " != 0")
                : arg.type.is_handle()               ? concat("*(void *const *)", given)
                                                     : concat("*(const ", scalar_type(arg.type), " *)", given);
    }
    const bool is_public = func.kind == LoweredFunc::Kind::Entry;
    return concat(is_public ? "FLUORITE_PUBLIC int " : "static int ", ir::argv_name(func.name),
                  "(void **args) {\n    (void)args;\n    return ", func.name, "(", list, ");\n}\n\n");
}

std::string FunctionWriter::task(const TaskText &task) {
    f_.open("");
    f_.line("(void)context;");
    f_.line("(void)closure;");
    f_.close();
    expressions_.context = "context";
    ir::SymbolMap<BufferText> buffers;
    for (size_t i = 0; i < task.layout.fields.size(); i++) {
        const ir::ClosureField &field = task.layout.fields[i];
        const LoweredArg &arg = func_.args[field.arg];
        const std::string at = concat("closure->f", i);
        switch (field.part) {
        case Part::Host:
            buffers[arg.symbol].host = at;
            break;
        case Part::Header:
            buffers[arg.symbol].header = at;
            break;
        case Part::Value:
            bind_scalar(arg.symbol, arg.type,
                        local(arg.type.is_vector() ? vectors_.type_name(held_as(arg.type)) : scalar_type(arg.type),
                              arg.symbol, at));
            break;
        case Part::Wide: {
            const std::string wide = local("int64_t", arg.symbol, at);
            f_.bind(arg.symbol, Value{Int(32), {"(int32_t)" + wide}});
            f_.bind_coordinate(arg.symbol, Value{Int(64), {wide}});
            break;
        }
        case Part::Last:
            unreachable("C source does not check accesses");
        }
    }
    for (const LoweredArg &arg : func_.args) {
        if (const auto found = buffers.find(arg.symbol); found != buffers.end()) {
            found->second.host = host_pointer(arg, found->second.host);
            expressions_.bind_buffer(arg.symbol, found->second);
        }
    }
    if (func_.index.defined()) {
        f_.bind(func_.index, Value{Int(32), {"index"}});
    }
    const std::string head = concat("static int ", task.name, "(void *context, ",
                                    func_.index.defined() ? "int index, " : "", "uint8_t *given)");
    std::string text = body(head);
    const std::string opening = " {\n    int32_t code = 0;\n";
    const size_t at = text.find(opening) + opening.size();
    return text.insert(at, concat("    const struct ", task.closure, " *const closure = (const struct ", task.closure,
                                  " *)given;\n", func_.index.defined() ? "    (void)index;\n" : ""));
}

/// The struct of a closure.
std::string closure_struct(const TaskText &task, const LoweredFunc &func, Vectors &vectors) {
    std::string fields;
    for (size_t i = 0; i < task.layout.fields.size(); i++) {
        const ir::ClosureField &field = task.layout.fields[i];
        const Type type = func.args[field.arg].type;
        std::string c_type;
        switch (field.part) {
        case Part::Host:
            c_type = element_type(type) + " *";
            break;
        case Part::Header:
            c_type = "fluorite_buffer_t *";
            break;
        case Part::Wide:
        case Part::Last:
            c_type = "int64_t ";
            break;
        case Part::Value:
            c_type = (type.is_vector() ? vectors.type_name(held_as(type)) : scalar_type(type)) + " ";
            break;
        }
        fields += concat("    ", c_type, "f", i, ";\n");
    }
    return concat("struct ", task.closure, " {\n", fields.empty() ? "    char unused;\n" : fields, "};\n");
}

/// Each `fluorite_` function of the runtime that a text calls.
std::set<std::string> runtime_calls(const std::string &text, const std::set<std::string> &known) {
    std::set<std::string> found;
    for (size_t at = text.find("fluorite_"); at != std::string::npos; at = text.find("fluorite_", at + 1)) {
        size_t end = at;
        while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) {
            end++;
        }
        const std::string name = text.substr(at, end - at);
        if ((at == 0 || (std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0 && text[at - 1] != '_')) &&
            known.contains(name)) {
            found.insert(name);
        }
    }
    return found;
}

/// The begin and the end of a file, between which the compiler may use the instructions of the target.
std::pair<std::string, std::string> instructions(const Target &target) {
    std::string names;
    for (const std::string_view name : x86_features(target)) {
        names += concat(names.empty() ? "" : ",", name);
    }
    if (names.empty()) {
        return {};
    }
    const std::string quoted = concat("\"", names, "\"");
    return {concat("#if defined(__x86_64__) && defined(__clang__)\n#pragma clang attribute push(__attribute__((target(",
                   quoted, "))), apply_to = function)\n#elif defined(__x86_64__)\n#pragma GCC target(", quoted,
                   ")\n#endif\n"),
            "#if defined(__x86_64__) && defined(__clang__)\n#pragma clang attribute pop\n#endif\n"};
}

} // namespace

Source c_source(const ir::LoweredModule &module, const Target &target, Use use) {
    if (target.has_feature(Target::Checked)) {
        throw CompileError("not-built", concat("in ", module.entry().name,
                                               ": the target has checked, and C source is asked for; it does not check "
                                               "accesses; leave the feature out, or compile to an object"));
    }
    c_text::Helpers helpers(function_in_c);
    c_text::Operators operators(helpers);
    Vectors vectors(operators, machine::machine_model(target));
    FileText file{helpers, module};
    std::map<std::string, TaskText> tasks;
    std::string closures, declarations, functions;
    for (const LoweredFunc &func : module.funcs) {
        if (func.kind == LoweredFunc::Kind::Task) {
            const std::string name = concat("task_", tasks.size(), "_", c_text::letters_of(func.name));
            TaskText &task = tasks[func.name] = {name, concat("closure_", tasks.size()),
                                                 ir::closure_layout(func, /*is_checked=*/false), func.index.defined()};
            closures += closure_struct(task, func, vectors);
            declarations += concat("static int ", name, "(void *context, ", task.has_index ? "int index, " : "",
                                   "uint8_t *given);\n");
        } else if (func.kind == LoweredFunc::Kind::Callee) {
            declarations += concat("static int ", ir::argv_name(func.name), "(void **args);\n");
        }
    }
    for (const LoweredFunc &func : module.funcs) {
        if (func.kind == LoweredFunc::Kind::Kernel) {
            continue; // a Launch of it is refused
        }
        FunctionWriter writer(func, file, operators, vectors, tasks);
        functions += func.kind == LoweredFunc::Kind::Task
                         ? writer.task(tasks.at(func.name))
                         : writer.entry(func.kind == LoweredFunc::Kind::Entry) + FunctionWriter::argv(func);
    }
    std::string externs, constants, locks, prototypes;
    std::vector<std::string> symbols;
    for (const auto &[name, text] : file.declared) {
        if (!text.empty()) {
            externs += text + "\n";
            symbols.push_back(name);
        }
    }
    for (const std::string &text : file.constants) {
        constants += text + "\n";
    }
    for (const auto &[func, name] : file.locks) {
        locks += concat("static int32_t ", name, ";\n");
    }
    const LoweredFunc &entry = module.entry();
    if (use == Use::File) {
        functions += metadata_text(entry, target);
        prototypes +=
            concat("FLUORITE_PUBLIC const fluorite_filter_metadata_t *", ir::metadata_name(entry.name), "(void);\n");
    }
    const std::vector<std::string> unnamed(entry.args.size());
    prototypes += concat("FLUORITE_PUBLIC int ", entry.name, "(", parameters_of(entry, unnamed), ");\n",
                         "FLUORITE_PUBLIC int ", ir::argv_name(entry.name), "(void **);\n");
    std::string table;
    if (use == Use::Process) {
        std::set<std::string> known;
        size_t count = 0;
        const fluorite_symbol_t *all = fluorite_runtime_symbols(&count);
        for (size_t i = 0; i < count; i++) {
            known.insert(all[i].name);
        }
        for (const std::string &name : runtime_calls(functions, known)) {
            symbols.push_back(name);
        }
        table = concat("FLUORITE_EXTERN void *fluorite_symbols[", symbols.size() + 1, "];\nvoid *fluorite_symbols[",
                       symbols.size() + 1, "];\n");
        for (size_t i = 0; i < symbols.size(); i++) {
            table += concat("#define ", symbols[i], " (*(__typeof__(&", symbols[i], "))fluorite_symbols[", i, "])\n");
        }
    }
    const auto [begin, end] = instructions(target);
    return {concat("/* ", entry.name, ": written by Fluorite for ", target.to_string(), ". */\n\n", begin,
                   "#include \"fluorite/runtime_c.h\"\n\n", externs, table, prototypes, "\n", helpers.text(), "\n",
                   closures, locks, constants, declarations, "\n", functions, end),
            std::move(symbols)};
}

} // namespace fluorite::backends::c
