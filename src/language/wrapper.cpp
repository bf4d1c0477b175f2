// Wrappers: f.in(g) inserts a Func with the values of f between f and its consumer g, which is scheduled separately;
// f.clone_in(g) gives g a copy of f with all its definitions and its current schedule. An ImageParam has wrappers too.
//
// Definitions stay as the user wrote them; freezing substitutes the wrapper for f where g calls it. The wrappers of an
// ImageParam belong to a Function image(args), which the parameter owns and no pipeline contains.

#include "fluorite/func.h"
#include "fluorite/image_param.h"
#include "language/function.h"

#include <algorithm>
#include <map>

namespace fluorite {

namespace language {

namespace {

bool lists(const Wrapper &wrapper, const Function &consumer) {
    return std::find(wrapper.consumers.begin(), wrapper.consumers.end(), consumer.def.symbol) !=
           wrapper.consumers.end();
}

std::string wrapper_name(const Function &function, const std::vector<Function *> &consumers, WrapperKind kind) {
    std::string name = shown_name(function.name);
    const char *link = kind == WrapperKind::Clone ? "_clone_in_" : "_in_";
    for (const Function *consumer : consumers) {
        name += (consumer == consumers.front() ? link : "_") + shown_name(consumer->name);
    }
    return consumers.empty() ? name + "_global_wrapper" : name;
}

RefPtr<Function> make_wrapper(const Function &function, const std::vector<Function *> &consumers,
                              const Location &location) {
    RefPtr<Function> wrapper = make_function(wrapper_name(function, consumers, WrapperKind::Copy));
    std::vector<Expr> args;
    for (const ir::Symbol &arg : function.def.args) {
        args.push_back(ir::make_var(Int(32), arg));
    }
    ir::Stage stage;
    stage.args = args;
    stage.location = location;
    if (function.is_image) {
        stage.values = function.def.stages[0].values;
        wrapper->images = function.images;
    } else {
        for (size_t i = 0; i < function.def.types.size(); i++) {
            stage.values.push_back(
                ir::make_call(function.def.types[i], function.def.symbol, static_cast<int>(i), args));
        }
        wrapper->callees.push_back(const_cast<Function *>(&function));
    }
    ir::FuncDef &def = wrapper->def;
    def.args = function.def.args;
    def.arg_names = function.def.arg_names;
    def.types = function.def.types;
    def.location = location;
    wrapper->schedule.stages.push_back(schedule::default_stage_schedule(def, stage, false));
    def.stages.push_back(std::move(stage));
    return wrapper;
}

/// The expression with calls of one Func redirected to another.
Expr retarget(const Expr &expr, const ir::Symbol &from, const ir::Symbol &to) {
    if (!expr.defined()) {
        return expr;
    }
    return ir::transform(expr, [&](const Expr &node) {
        return node->kind() == ir::ExprKind::Call && node->symbol() == from
                   ? ir::make_call(node->type(), to, node->member().index, node->args())
                   : node;
    });
}

RefPtr<Function> make_clone(const Function &function, const std::vector<Function *> &consumers,
                            const Location &location) {
    RefPtr<Function> clone = make_function(wrapper_name(function, consumers, WrapperKind::Clone));
    const ir::Symbol symbol = clone->def.symbol;
    clone->def = function.def;
    clone->def.symbol = symbol;
    clone->def.location = location;
    clone->algorithm = function.algorithm;
    std::vector<ir::Stage *> stages;
    for (ir::Stage &stage : clone->def.stages) {
        stages.push_back(&stage);
    }
    for (auto &[index, stage] : clone->algorithm) {
        stages.push_back(&stage);
    }
    for (ir::Stage *changed : stages) {
        ir::Stage &stage = *changed;
        for (std::vector<Expr> *list : {&stage.args, &stage.values}) {
            for (Expr &expr : *list) {
                expr = retarget(expr, function.def.symbol, symbol);
            }
        }
        stage.predicate = retarget(stage.predicate, function.def.symbol, symbol);
    }
    clone->schedule = function.schedule;
    clone->schedule.is_copy = true;
    clone->compute_level = function.compute_level;
    clone->store_level = function.store_level;
    clone->hoist_level = function.hoist_level;
    clone->callees = function.callees;
    clone->images = function.images;
    clone->self_domains = function.self_domains;
    return clone;
}

} // namespace

const Wrapper *Function::wrapper_before(const Function &consumer) const {
    const Wrapper *for_all = nullptr;
    for (const Wrapper &wrapper : wrappers) {
        if (wrapper.function.get() == &consumer || &consumer == this) {
            return nullptr;
        }
        for_all = wrapper.consumers.empty() ? &wrapper : for_all;
    }
    for (const Wrapper &wrapper : wrappers) {
        if (lists(wrapper, consumer)) {
            return &wrapper;
        }
    }
    if (!for_all && consumer.partial_of && consumer.partial_of != this) {
        return wrapper_before(*consumer.partial_of); // it took over the consumer's update
    }
    return for_all;
}

const Function *Function::as_called_by(const Function &consumer) const {
    const Function *called = this;
    while (const Wrapper *wrapper = called->wrapper_before(consumer)) {
        called = wrapper->function.get(); // which may itself have wrappers
    }
    return called;
}

namespace {

/// Whether a call of `called` may resolve to the function: itself, or through wrappers.
bool leads_to(const Function *called, const Function &function) {
    return called && (called == &function ||
                      std::any_of(called->wrappers.begin(), called->wrappers.end(),
                                  [&](const Wrapper &wrapper) { return leads_to(wrapper.function.get(), function); }));
}

/// Whether a Func as currently defined, or the partial results of its updates, calls the function.
bool calls_now(const Function &consumer, const Function &function) {
    return std::any_of(consumer.images.begin(), consumer.images.end(),
                       [&](const ir::Parameter *image) { return leads_to(image_function(*image), function); }) ||
           std::any_of(consumer.callees.begin(), consumer.callees.end(), [&](const Function *callee) {
               return leads_to(callee, function) || (callee->partial_of == &consumer && calls_now(*callee, function));
           });
}

} // namespace

RefPtr<Function> wrapper_for(Function &function, const std::vector<Function *> &consumers, WrapperKind kind,
                             const Location &location) {
    const std::string directive = kind == WrapperKind::Clone ? "clone_in()" : "in()";
    if (!function.defined()) {
        fail("undefined-func", function, -1,
             directive +
                 " is called but it has no definition; a wrapper has the values of a definition; define it first",
             location);
    }
    for (const Wrapper &wrapper : function.wrappers) {
        size_t listed = 0;
        for (const Function *consumer : consumers) {
            listed += lists(wrapper, *consumer) ? 1 : 0;
        }
        if (listed == consumers.size() && listed == wrapper.consumers.size() && kind == wrapper.kind) {
            return wrapper.function;
        }
        if (listed != 0) {
            fail("wrapper-exists", function, -1,
                 directive + " names a consumer that has the wrapper " + shown_name(wrapper.function->name) +
                     " already; a consumer calls one wrapper of a Func; call " +
                     (wrapper.kind == WrapperKind::Clone ? "clone_in()" : "in()") +
                     " with the same consumers again to get it",
                 location);
        }
    }
    for (const Function *consumer : consumers) {
        if (consumer->defined() && !calls_now(*consumer, function)) {
            const std::string name = shown_name(consumer->name);
            fail("wrapper-unused", function, -1,
                 directive.substr(0, directive.size() - 1) + name + ") is called, but " + name +
                     " does not call it; a wrapper stands before a Func that calls what it wraps; name one that does, "
                     "and make all its definitions before",
                 location);
        }
    }
    Wrapper wrapper;
    for (Function *consumer : consumers) {
        wrapper.consumers.push_back(consumer->def.symbol);
        if (!consumer->defined()) {
            consumer->self = consumer->self ? consumer->self : std::make_shared<const Function *>(consumer);
            wrapper.undefined.push_back(consumer->self);
        }
    }
    wrapper.kind = kind;
    wrapper.function = kind == WrapperKind::Clone ? make_clone(function, consumers, location)
                                                  : make_wrapper(function, consumers, location);
    wrapper.function->stands_for = directive + " of " + shown_name(function.name);
    function.wrappers.push_back(wrapper);
    function.edits++;
    return wrapper.function;
}

void check_wrappers(const std::vector<Function *> &functions) {
    std::vector<const Function *> called; // in order of first call
    std::map<const Function *, std::vector<const Function *>> callers;
    const auto call = [&](const Function *function, const Function &caller) {
        while (function) {
            std::vector<const Function *> &its = callers[function];
            if (its.empty()) {
                called.push_back(function);
            }
            its.push_back(&caller);
            const Wrapper *wrapper = function->wrapper_before(caller);
            function = wrapper ? wrapper->function.get() : nullptr;
        }
    };
    for (const Function *caller : functions) {
        for (const Function *callee : caller->callees) {
            call(callee, *caller);
        }
        for (const ir::Parameter *image : caller->images) {
            call(image_function(*image), *caller);
        }
    }
    const auto calls = [&](const Function *function, const Function *consumer) {
        return std::any_of(callers[function].begin(), callers[function].end(), [&](const Function *caller) {
            while (caller && caller != consumer) {
                caller = caller->partial_of; // partial results took over the callees of its update
            }
            return caller != nullptr;
        });
    };
    for (const Function *function : called) {
        for (const Wrapper &wrapper : function->wrappers) {
            const char *directive = wrapper.kind == WrapperKind::Clone ? "clone_in(" : "in(";
            for (const std::shared_ptr<const Function *> &consumer : wrapper.undefined) {
                if (*consumer && !(*consumer)->defined()) {
                    const std::string name = shown_name((*consumer)->name);
                    fail("wrapper-unused", *function, -1,
                         directive + name + ") is called, but " + name +
                             " has no definition; a wrapper stands before a Func that calls what it wraps; define it "
                             "before the pipeline is compiled",
                         wrapper.function->def.location);
                }
            }
            for (const Function *consumer : functions) {
                if (!lists(wrapper, *consumer) || calls(function, consumer)) {
                    continue;
                }
                const std::string name = shown_name(consumer->name);
                std::string others;
                for (const Function *caller : callers[function]) {
                    others += (others.empty() ? "" : ", ") + shown_name(caller->name);
                }
                fail("wrapper-unused", *function, -1,
                     directive + name + ") is called, but " + name +
                         " does not call it; a wrapper stands before a Func that calls what it wraps; name one of "
                         "these: " +
                         others,
                     wrapper.function->def.location);
            }
        }
    }
}

const Function *image_function(const ir::Parameter &parameter) {
    return static_cast<const Function *>(parameter.function.get());
}

// It does not own the parameter that it reads, because the parameter owns it.
Function &needed_image_function(ir::Parameter &parameter, const Location &location) {
    if (!parameter.function) {
        RefPtr<Function> function = make_function(shown_name(parameter.name));
        ir::FuncDef &def = function->def;
        std::vector<Expr> args;
        for (int d = 0; d < parameter.dimensions; d++) {
            args.push_back(Var::implicit(d));
            def.args.push_back(args.back()->symbol());
            def.arg_names.push_back(args.back()->symbol().name());
        }
        const ir::Symbol weak(ir::SymbolKind::Buffer, parameter.name, {}, &parameter, true);
        ir::Stage stage;
        stage.args = args;
        stage.values = {ir::make_image(parameter.type, weak, args)};
        stage.location = location;
        def.types = {parameter.type};
        def.stages.push_back(std::move(stage));
        function->images = {&parameter};
        function->is_image = true;
        parameter.function = function;
    }
    return *const_cast<Function *>(image_function(parameter));
}

const Function *image_as_read_by(const ir::Parameter &parameter, const Function &consumer) {
    const Function *function = consumer.is_resolved ? nullptr : image_function(parameter);
    const Function *read = function ? function->as_called_by(consumer) : nullptr;
    return read == function ? nullptr : read;
}

} // namespace language

using namespace language;

namespace {

Func as_func(const RefPtr<Function> &function) { return Func(detail::Ref<Function>(function.get())); }

Func wrap(Function &function, const std::vector<Func> &consumers, WrapperKind kind, const Location &location) {
    std::vector<Function *> functions;
    for (const Func &consumer : consumers) {
        functions.push_back(consumer.function().get());
    }
    if (functions.empty()) {
        fail("no-outputs", function, -1,
             kind == WrapperKind::Clone
                 ? "clone_in() is given no consumers; a clone is what one or more call; name them"
                 : "in() is given no consumers; a wrapper stands before one or more; name them, or use in() for all",
             location);
    }
    return as_func(wrapper_for(function, functions, kind, location));
}

} // namespace

Func Func::in(const Func &consumer, const Location &location) { return in(std::vector<Func>{consumer}, location); }
Func Func::in(const std::vector<Func> &consumers, const Location &location) {
    return wrap(*function_, consumers, WrapperKind::Copy, location);
}
Func Func::in(const Location &location) { return as_func(wrapper_for(*function_, {}, WrapperKind::Copy, location)); }
Func Func::clone_in(const Func &consumer, const Location &location) {
    return clone_in(std::vector<Func>{consumer}, location);
}
Func Func::clone_in(const std::vector<Func> &consumers, const Location &location) {
    return wrap(*function_, consumers, WrapperKind::Clone, location);
}

Func ImageParam::in(const Func &consumer, const Location &location) {
    return in(std::vector<Func>{consumer}, location);
}
Func ImageParam::in(const std::vector<Func> &consumers, const Location &location) {
    check_defined("in() is called", location);
    return wrap(needed_image_function(*parameter_, location), consumers, WrapperKind::Copy, location);
}
Func ImageParam::in(const Location &location) {
    check_defined("in() is called", location);
    return as_func(wrapper_for(needed_image_function(*parameter_, location), {}, WrapperKind::Copy, location));
}

} // namespace fluorite
