// Calls by name: operations of operations.def, functions of the runtime, and C functions of the program.
//
// What: an operation is an instruction of its own; every other name is a C function, whose signature is known only now,
// so libffi makes the call. A vector calls the function once for each lane. Functions of the module that C calls by
// pointer are libffi closures.
//
// Relies on cells in the layout of interpret/scalar.h: the first bytes of a cell are the value as C passes it.

#include "backends/executor/calls.h"

#include "interpret/extern_call.h"
#include "interpret/scalar.h"
#include "ir/c_abi.h"
#include "support/check.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <ffi.h>

namespace fluorite::backends::executor {

using interpret::CFunction;
using ir::ExprKind;
using ir::ExprNode;

// ---- Messages.

namespace {

char *append(char *at, char *end, Cell cell, ir::TextForm form) {
    switch (form) {
    case ir::TextForm::Text:
        return fluorite_append_text(at, end, reinterpret_cast<const char *>(cell));
    case ir::TextForm::Pointer:
        return fluorite_append_pointer(at, end, reinterpret_cast<const void *>(cell));
    case ir::TextForm::Bool:
        return fluorite_append_bool(at, end, cell);
    case ir::TextForm::Int64:
        return fluorite_append_int64(at, end, static_cast<int64_t>(cell));
    case ir::TextForm::UInt64:
        return fluorite_append_uint64(at, end, cell);
    case ir::TextForm::Float:
        return fluorite_append_float(at, end, std::bit_cast<float>(static_cast<uint32_t>(cell)));
    case ir::TextForm::Double:
        return fluorite_append_double(at, end, std::bit_cast<double>(cell));
    }
    unreachable("a text of no form");
}

/// The conversion of an operand; null if there is none.
interpret::Unary conversion(Type from, Type to) { return from == to ? nullptr : interpret::find_cast(from, to); }

} // namespace

Text::Text(std::span<const Expr> parts, FunctionBuilder &builder) {
    for (const Expr &part : parts) {
        const ir::TextForm form = ir::text_form(part);
        parts_.push_back({compile(part, builder), form, conversion(part.type().element_of(), ir::appended_type(form))});
    }
}

std::string Text::in(Frame &frame) const {
    char text[ir::text_bytes] = {};
    char *at = text, *const end = text + ir::text_bytes - 1;
    for (const Part &part : parts_) {
        for (int i = 0; i < part.slot.lanes; i++) {
            const Cell cell = frame.cell(part.slot, i);
            at = i > 0 ? fluorite_append_text(at, end, ir::lane_separator) : at;
            at = append(at, end, part.convert ? part.convert(cell) : cell, part.form);
        }
    }
    return text;
}

// ---- C functions.

namespace {

void *find_address(const Program &program, const std::string &name) {
    for (const ExternSymbol &symbol : program.externs) {
        if (symbol.name == name) {
            return symbol.address;
        }
    }
    void *address = interpret::find_c_function(name);
    if (address == nullptr) {
        throw CompileError("missing-extern",
                           concat("in ", program.functions.front().name, ": the process has no C function '", name,
                                  "'; every extern function must be known to the process or given to the compiler; "
                                  "link it, export it, or pass its address"));
    }
    return address;
}

/// An operand as the function takes it.
struct Operand {
    Slot slot;
    interpret::Unary convert = nullptr;
};

class CallCompiler {
  public:
    CallCompiler(const ExprNode &node, FunctionBuilder &builder)
        : node_(node), b_(builder), operation_(ir::find_operation(node.text())) {}

    Slot compile_call();

  private:
    Slot operand(size_t i) { return compile(node_.arg(i), b_); }
    Slot in_place();
    Slot function(const std::string &name, size_t first);
    Slot extern_header();
    Slot extern_dim();
    Slot with_doubles();
    Slot with_pointers();
    Slot text();
    Slot trace();
    Slot address_of_function();
    Slot profile_operation();
    Slot memory_operation();
    std::function<void(Frame &, uint8_t *)> device_operation();
    std::function<Cell(Frame &, fluorite_buffer_t *)> header_operation();

    const ExprNode &node_;
    FunctionBuilder &b_;
    const ir::Operation *operation_;
};

Slot CallCompiler::compile_call() {
    const std::string &name = node_.text();
    if (operation_ && operation_->kind == ir::Operation::Kind::InPlace) {
        return in_place();
    }
    switch (ir::passing_of(name)) {
    case ir::Passing::Each:
        return function(name, 0);
    case ir::Passing::Doubles:
        return with_doubles();
    case ir::Passing::Pointers:
        return with_pointers();
    }
    unreachable("operands are passed in one of the ways");
}

/// Calls a function for the operands from `first` on. Those that operations.def marks are passed in 64 bits or as
/// doubles.
Slot CallCompiler::function(const std::string &name, size_t first) {
    std::vector<Operand> operands;
    std::vector<Type> params;
    const bool takes_context = operation_ && operation_->takes_context;
    if (takes_context) {
        params.push_back(Handle());
    }
    for (size_t i = first; i < node_.arg_count(); i++) {
        const Type type = node_.arg(i).type().element_of();
        const Type wanted = ir::passed_type(operation_, i, type);
        operands.push_back({operand(i), conversion(type, wanted)});
        params.push_back(wanted);
    }
    b_.function().calls_the_program |= first == 0 && ir::is_of_program(name);
    const auto callee =
        std::make_shared<const CFunction>(find_address(b_.program(), name), params, node_.type().element_of());
    const Slot dest = b_.new_slot(std::max(node_.type().lanes(), 1));
    b_.emit([=](Frame &frame) {
        for (int lane = 0; lane < dest.lanes; lane++) {
            std::vector<Cell> args;
            if (takes_context) {
                args.push_back(reinterpret_cast<Cell>(frame.context()));
            }
            for (const Operand &each : operands) {
                const Cell cell = frame.cell(each.slot, each.slot.lanes == 1 ? 0 : lane);
                args.push_back(each.convert ? each.convert(cell) : cell);
            }
            frame.cell(dest, lane) = (*callee)(args.data());
        }
    });
    return dest;
}

/// function(first, arguments...), whose arguments are passed as an array of doubles.
Slot CallCompiler::with_doubles() {
    std::vector<Operand> operands;
    for (size_t i = 1; i < node_.arg_count(); i++) {
        operands.push_back({operand(i), conversion(node_.arg(i).type(), Float(64))});
    }
    const auto callee = std::make_shared<const CFunction>(find_address(b_.program(), node_.text()),
                                                          std::vector{Handle(), Handle(), Handle(), Int(32)}, Int(32));
    const Slot ranges = operand(0), dest = b_.new_slot(1);
    b_.emit([=](Frame &frame) {
        std::vector<Cell> numbers;
        for (const Operand &each : operands) {
            numbers.push_back(each.convert ? each.convert(frame.cell(each.slot)) : frame.cell(each.slot));
        }
        Cell args[] = {reinterpret_cast<Cell>(frame.context()), frame.cell(ranges),
                       reinterpret_cast<Cell>(numbers.data()), numbers.size()};
        frame.cell(dest) = (*callee)(args);
    });
    return dest;
}

/// function(text, operands...), whose operands are passed as an array of pointers.
Slot CallCompiler::with_pointers() {
    std::vector<std::pair<Slot, bool>> operands; // whether it is a handle
    for (size_t i = 1; i < node_.arg_count(); i++) {
        operands.emplace_back(operand(i), node_.arg(i).type().is_handle());
    }
    const auto callee = std::make_shared<const CFunction>(find_address(b_.program(), node_.text()),
                                                          std::vector{Handle(), Handle(), Handle()}, Int(32));
    const Slot text = operand(0), dest = b_.new_slot(1);
    b_.emit([=](Frame &frame) {
        std::vector<void *> pointers;
        for (const auto &[slot, is_handle] : operands) {
            Cell &cell = frame.cell(slot);
            pointers.push_back(is_handle ? reinterpret_cast<void *>(cell) : &cell);
        }
        Cell args[] = {reinterpret_cast<Cell>(frame.context()), frame.cell(text),
                       reinterpret_cast<Cell>(pointers.data())};
        frame.cell(dest) = (*callee)(args);
    });
    return dest;
}

// ---- Operations.

Slot CallCompiler::in_place() {
    const std::string &name = node_.text();
    return name == "text.concat"        ? text()
           : name == "trace"            ? trace()
           : name == "function.address" ? address_of_function()
           : name == "extern.header"    ? extern_header()
           : name == "extern.dim"       ? extern_dim()
           : name == "extern.call"      ? function(node_.arg(0)->text(), 1)
           : name == "profile.set"      ? profile_operation()
           : name == "profile.add"      ? profile_operation()
                                        : memory_operation();
}

/// The text is valid until the instruction runs again.
Slot CallCompiler::text() {
    const Text parts(ir::message_parts(node_), b_);
    const Slot dest = b_.new_slot(1);
    const size_t number = b_.function().text_count++;
    b_.emit([=](Frame &frame) {
        frame.text(number) = parts.in(frame);
        frame.cell(dest) = reinterpret_cast<Cell>(frame.text(number).c_str());
    });
    return dest;
}

/// The header is valid until the instruction runs again.
Slot CallCompiler::extern_header() {
    constexpr size_t first_dim = 4;
    const Slot address = operand(1), dest = b_.new_slot(1);
    std::vector<Slot> fields;
    for (size_t i = first_dim; i < node_.arg_count(); i++) {
        fields.push_back(operand(i));
    }
    const uint64_t bits = node_.arg(2)->uint_value();
    const fluorite_type_t type(static_cast<fluorite_type_code_t>(bits & 255), static_cast<uint8_t>(bits >> 8 & 255), 1);
    const size_t number = b_.function().text_count++;
    b_.emit([=](Frame &frame) {
        std::string &memory = frame.text(number); // 56 bytes or more: on the heap, and so aligned
        const size_t dimensions = fields.size() / 3;
        memory.assign(sizeof(fluorite_buffer_t) + dimensions * sizeof(fluorite_dimension_t), '\0');
        auto *dims = reinterpret_cast<fluorite_dimension_t *>(memory.data() + sizeof(fluorite_buffer_t));
        for (size_t d = 0; d < dimensions; d++) {
            const auto field = [&](size_t i) { return static_cast<int32_t>(frame.cell(fields[3 * d + i])); };
            dims[d] = fluorite_dimension_t(field(0), field(1), field(2));
        }
        auto *header = reinterpret_cast<fluorite_buffer_t *>(memory.data());
        header->host = reinterpret_cast<uint8_t *>(frame.cell(address));
        header->type = type;
        header->dimensions = static_cast<int32_t>(dimensions);
        header->dim = dims;
        frame.cell(dest) = reinterpret_cast<Cell>(header);
    });
    return dest;
}

Slot CallCompiler::extern_dim() {
    const Slot header = operand(0), dest = b_.new_slot(1);
    const auto dim = static_cast<size_t>(node_.arg(1)->int_value());
    const bool is_min = node_.arg(2)->int_value() == 0;
    b_.emit([=](Frame &frame) {
        const fluorite_dimension_t &asked = reinterpret_cast<const fluorite_buffer_t *>(frame.cell(header))->dim[dim];
        frame.cell(dest) = interpret::cell_of_int(Int(32), is_min ? asked.min : asked.extent);
    });
    return dest;
}

Slot CallCompiler::address_of_function() {
    const Slot dest = b_.new_slot(1);
    b_.emit([dest, name = node_.arg(0)->text()](Frame &frame) {
        frame.cell(dest) = reinterpret_cast<Cell>(frame.program().argv_forms.at(name));
    });
    return dest;
}

/// Sets the Func of a profiler's block, or adds to a counter.
Slot CallCompiler::profile_operation() {
    const Slot block = operand(0), dest = b_.new_slot(1);
    const int64_t number = node_.arg(1)->int_value();
    if (node_.text() == "profile.set") {
        b_.emit([=](Frame &frame) {
            auto *func = reinterpret_cast<int32_t *>(frame.cell(block));
            std::atomic_ref<int32_t>(*func).store(static_cast<int32_t>(number), std::memory_order_relaxed);
        });
        return dest;
    }
    const Slot count = operand(2);
    b_.emit([=](Frame &frame) {
        auto *counter = reinterpret_cast<int64_t *>(reinterpret_cast<uint8_t *>(frame.cell(block)) + number);
        *counter += static_cast<int64_t>(frame.cell(count));
    });
    return dest;
}

Slot CallCompiler::memory_operation() {
    const std::string &name = node_.text();
    const Slot dest = b_.new_slot(1);
    if (name == "memory.prefetch") { // only a hint
        return dest;
    }
    const size_t buffer = b_.buffer(node_.arg(0)->symbol());
    if (name.starts_with("device.")) {
        b_.emit([=, run = device_operation()](Frame &frame) {
            const Memory &memory = frame.buffer(buffer);
            if (memory.header == nullptr) {
                run(frame, memory.host);
            }
        });
        return dest;
    }
    if (name == "memory.address") {
        b_.emit([=](Frame &frame) { frame.cell(dest) = reinterpret_cast<Cell>(frame.accessed(buffer).host); });
        return dest;
    }
    b_.emit(
        [=, run = header_operation()](Frame &frame) { frame.cell(dest) = run(frame, frame.buffer(buffer).header); });
    return dest;
}

/// What an operation does with memory of a device.
std::function<void(Frame &, uint8_t *)> CallCompiler::device_operation() {
    const std::string &name = node_.text();
    if (name == "device.attach") {
        return [host = b_.buffer(node_.arg(1)->symbol())](Frame &frame, uint8_t *memory) {
            frame.program().device.attach(memory, frame.buffer(host).host);
        };
    }
    if (name == "device.need") {
        return [](Frame &frame, uint8_t *memory) { frame.program().device.copy_in(memory); };
    }
    if (name == "device.need_host") {
        return [](Frame &frame, uint8_t *memory) { frame.program().device.copy_out(memory); };
    }
    const bool by_device = name == "device.wrote";
    check(by_device || name == "device.host_wrote", concat("'", name, "' is an operation of operations.def"));
    return [=](Frame &frame, uint8_t *memory) { frame.program().device.note_store(memory, by_device); };
}

/// What an operation does with the header of a buffer, and its value.
std::function<Cell(Frame &, fluorite_buffer_t *)> CallCompiler::header_operation() {
    using Header = fluorite_buffer_t *;
    const std::string &name = node_.text();
    if (name == "buffer.is_null") {
        return [](Frame &, Header header) { return Cell{header == nullptr}; };
    }
    if (name == "buffer.is_query") {
        return [](Frame &, Header header) { return Cell{header->host == nullptr && header->device == 0}; };
    }
    if (name == "buffer.host") {
        return [](Frame &, Header header) { return reinterpret_cast<Cell>(header->host); };
    }
    if (name == "buffer.has_dims") {
        return [](Frame &, Header header) { return Cell{header->dim != nullptr}; };
    }
    if (name == "buffer.type") {
        return [](Frame &, Header header) { return Cell{header->type.as_u32()}; };
    }
    if (name == "buffer.dimensions") {
        return [](Frame &, Header header) { return interpret::cell_of_int(Int(32), header->dimensions); };
    }
    if (name == "buffer.host_dirty" || name == "buffer.device_dirty") {
        const uint64_t flag =
            name == "buffer.host_dirty" ? fluorite_buffer_flag_host_dirty : fluorite_buffer_flag_device_dirty;
        return [flag](Frame &, Header header) { return Cell{(header->flags & flag) != 0}; };
    }
    if (name == "buffer.set_dim") {
        const auto dim = static_cast<size_t>(node_.arg(1)->int_value());
        return [dim, min = operand(2), extent = operand(3), stride = operand(4)](Frame &frame, Header header) {
            header->dim[dim].min = static_cast<int32_t>(frame.cell(min));
            header->dim[dim].extent = static_cast<int32_t>(frame.cell(extent));
            header->dim[dim].stride = static_cast<int32_t>(frame.cell(stride));
            return Cell{0};
        };
    }
    if (name == "buffer.set_type") {
        return [type = operand(1), dimensions = operand(2)](Frame &frame, Header header) {
            const auto bits = static_cast<uint32_t>(frame.cell(type));
            std::memcpy(&header->type, &bits, sizeof(bits));
            header->dimensions = static_cast<int32_t>(frame.cell(dimensions));
            return Cell{0};
        };
    }
    check(name == "buffer.set_host_dirty", concat("'", name, "' is an operation of operations.def"));
    return [dirty = operand(1)](Frame &frame, Header header) {
        header->flags &= ~static_cast<uint64_t>(fluorite_buffer_flag_host_dirty);
        header->flags |= frame.cell(dirty) ? static_cast<uint64_t>(fluorite_buffer_flag_host_dirty) : 0;
        return Cell{0};
    };
}

Slot CallCompiler::trace() {
    const ir::TraceEvent event = ir::trace_event(node_);
    const Slot func = compile(event.func, b_), kind = compile(event.event, b_), parent = compile(event.parent_id, b_),
               index = compile(event.value_index, b_), tag = compile(event.tag, b_), type = compile(event.type, b_),
               value = compile(event.value, b_), dest = b_.new_slot(1);
    std::vector<Slot> coordinates;
    for (const Expr &coordinate : event.coordinates) {
        coordinates.push_back(compile(coordinate, b_));
    }
    b_.emit([=, element = event.value.type().element_of(), has_value = event.has_value, lanes = event.lanes,
             type_lanes = event.type_lanes()](Frame &frame) {
        const auto bytes = static_cast<size_t>(element.bytes());
        std::vector<uint8_t> values(bytes * static_cast<size_t>(lanes));
        std::vector<int32_t> places; // of each dimension, those of all lanes
        for (int lane = 0; has_value && lane < lanes; lane++) {
            interpret::store_element(&values[bytes * static_cast<size_t>(lane)], element, frame.cell(value, lane));
        }
        for (const Slot &each : coordinates) {
            for (int lane = 0; lane < lanes; lane++) {
                places.push_back(static_cast<int32_t>(frame.cell(each, each.lanes == 1 ? 0 : lane)));
            }
        }
        fluorite_trace_event_t made = {};
        const uint32_t type_bits = (static_cast<uint32_t>(frame.cell(type)) & ir::TraceEvent::type_mask) | type_lanes;
        made.func = reinterpret_cast<const char *>(frame.cell(func));
        made.value = has_value ? values.data() : nullptr;
        made.coordinates = places.data();
        made.trace_tag = reinterpret_cast<const char *>(frame.cell(tag));
        std::memcpy(&made.type, &type_bits, sizeof(type_bits));
        made.event = static_cast<decltype(made.event)>(frame.cell(kind));
        made.parent_id = static_cast<int32_t>(frame.cell(parent));
        made.value_index = static_cast<int32_t>(frame.cell(index));
        made.dimensions = static_cast<int32_t>(places.size());
        frame.cell(dest) = interpret::cell_of_int(Int(32), fluorite_trace(frame.context(), &made));
    });
    return dest;
}

} // namespace

Slot compile_call(const ExprNode &node, FunctionBuilder &builder) { return CallCompiler(node, builder).compile_call(); }

// ---- Functions of the module that C calls.

class ArgvForm {
  public:
    explicit ArgvForm(const Function &function) : function_(function) {
        closure_ = static_cast<ffi_closure *>(ffi_closure_alloc(sizeof(ffi_closure), &address_));
        params_[0] = &ffi_type_pointer;
        const bool is_ready = closure_ &&
                              ffi_prep_cif(&cif_, FFI_DEFAULT_ABI, 1, &ffi_type_sint32, params_) == FFI_OK &&
                              ffi_prep_closure_loc(closure_, &cif_, run, this, address_) == FFI_OK;
        check(is_ready, "libffi makes a function of one pointer");
    }
    ~ArgvForm() { ffi_closure_free(closure_); }
    ArgvForm(const ArgvForm &) = delete;
    ArgvForm &operator=(const ArgvForm &) = delete;

    void *address() const { return address_; }

  private:
    static void run(ffi_cif *, void *result, void **args, void *self) {
        const auto &form = *static_cast<const ArgvForm *>(self);
        const int32_t code = run_with_arguments(form.function_, *static_cast<void ***>(args[0]));
        *static_cast<ffi_sarg *>(result) = code;
    }

    const Function &function_;
    void *address_ = nullptr;
    ffi_closure *closure_ = nullptr;
    ffi_cif cif_ = {};
    ffi_type *params_[1] = {};
};

void *make_argv_form(Program &program, const Function &function) {
    program.forms.push_back(std::make_shared<ArgvForm>(function));
    return program.forms.back()->address();
}

} // namespace fluorite::backends::executor
