// Copies between buffers, on the host and on devices.
//
// What: the elements at the target's coordinates are copied from the source's newest copy to the target's host memory
// or to its memory on a device. The target's copy is then its newest.
//
// Method: host to host, host to device, device to host and within one device are one copy of boxes each. Between two
// devices, or contexts that do not share memory, the elements pass through host memory of the target's shape, densely.
//
// Relies on: copy_plan.cpp for the boxes. Does not do: conversions of elements; copies of what the source does not
// hold. Cost: one call of the driver for nearly every copy; two and host memory between devices.

#include "runtime/device/buffer_layout.h"
#include "runtime/device/device.h"
#include "runtime/text.h"

#include <cstring>
#include <vector>

namespace fluorite_runtime {

namespace {

int check_shapes(void *context, const fluorite_buffer_t &source, const fluorite_buffer_t &target) {
    if (source.dimensions != target.dimensions || !(source.type == target.type)) {
        return copy_refused(context,
                            to_text(int64_t{source.dimensions}) + " dimensions of " + to_text(source.type) + " into " +
                                to_text(int64_t{target.dimensions}) + " of " + to_text(target.type),
                            "a copy needs equal types and ranks", "convert the elements or slice the buffer first");
    }
    for (int d = 0; d < target.dimensions && !target.is_empty(); d++) {
        const fluorite_dimension_t &from = source.dim[d], &to = target.dim[d];
        if (to.min < from.min || int64_t{to.min} + to.extent > int64_t{from.min} + from.extent) {
            const auto range = [](const fluorite_dimension_t &dim) {
                return dim.extent <= 0
                           ? std::string("nothing")
                           : "[" + to_text(int64_t{dim.min}) + ", " + to_text(int64_t{dim.min} + dim.extent - 1) + "]";
            };
            return copy_refused(context,
                                "the target holds " + range(to) + " along dimension " + to_text(int64_t{d}) +
                                    ", and the source " + range(from),
                                "the source holds all coordinates of the target", "crop the target");
        }
    }
    return 0;
}

/// Whether the source's newest copy is read on the host: it is there, and not also on the device that it is copied to.
bool reads_host(const fluorite_buffer_t &source, const fluorite_device_interface_t *to) {
    const bool is_beside_target = source.device_interface == to && !source.host_dirty();
    return source.device == 0 || (source.host != nullptr && !source.device_dirty() && !is_beside_target);
}

void copy_on_host(const BufferSide &from, const BufferSide &to) {
    const CopyPlan plan = plan_buffer_copy(from, to);
    static_cast<void>(for_each_box(plan, [&](const Box &box) {
        for (uint64_t plane = 0; plane < box.planes; plane++) {
            for (uint64_t row = 0; row < box.rows; row++) {
                const auto at = [&](const BoxSide &side) {
                    return static_cast<ptrdiff_t>(side.offset + plane * side.plane_pitch + row * side.row_pitch);
                };
                std::memmove(to.buffer->host + at(box.to), from.buffer->host + at(box.from), box.row_bytes);
            }
        }
        return Status{};
    }));
}

/// One side on a device, found and checked for a copy.
struct DeviceEnd {
    Device *device = nullptr;
    DeviceRecord record;
    const fluorite_buffer_t *buffer = nullptr;

    int find(void *context, const fluorite_buffer_t &its_buffer) {
        buffer = &its_buffer;
        device = device_of(buffer->device_interface);
        if (device == nullptr) {
            return on_other_device(context, nullptr, "a device of the program", "a device of the runtime");
        }
        return device->find(buffer->device, record) ? 0 : dead_handle(context, nullptr, device->name(), buffer->device);
    }
    BufferSide side() const { return device_side(*buffer, record.offset); }
};

/// Runs `copy(driver)` in the context of the end's memory, in whose queue its last work is.
template <typename Copy> int copy_with(void *context, const DeviceEnd &end, const CopyPlan &plan, const Copy &copy) {
    const std::shared_ptr<DeviceContext> &in = end.record.memory->context;
    Status status = end.record.memory->use_in(in);
    if (!status.failed()) {
        status = for_each_box(plan, [&](const Box &box) { return copy(in->driver(), box); });
    }
    return status.failed() ? driver_failed(context, fluorite_error_code_device_buffer_copy_failed,
                                           device_text(end.device->name(), in->limits().device), status)
                           : 0;
}

int write_to(void *context, const fluorite_buffer_t &source, const DeviceEnd &target) {
    const CopyPlan plan = plan_buffer_copy(host_side(source), target.side());
    return copy_with(context, target, plan, [&](DriverContext &driver, const Box &box) {
        return driver.write(target.record.memory->native, source.host, box);
    });
}

int read_from(void *context, const DeviceEnd &source, const fluorite_buffer_t &target) {
    const CopyPlan plan = plan_buffer_copy(source.side(), host_side(target));
    const int code = copy_with(context, source, plan, [&](DriverContext &driver, const Box &box) {
        return driver.read(source.record.memory->native, target.host, box);
    });
    return code != 0 ? code
                     : report_kernel_failures(context, *source.record.memory->context,
                                              fluorite_error_code_device_buffer_copy_failed);
}

/// Host memory of a buffer's shape, dense.
class HostShape {
  public:
    explicit HostShape(const fluorite_buffer_t &shape) : dims_(shape.dim, shape.dim + shape.dimensions), raw_(shape) {
        int64_t stride = 1;
        for (fluorite_dimension_t &dim : dims_) {
            dim.stride = static_cast<int32_t>(stride);
            stride *= dim.extent;
        }
        bytes_ = static_cast<uint64_t>(stride) * static_cast<uint64_t>(shape.type.bytes());
        raw_.dim = dims_.data();
        raw_.device = 0;
        raw_.device_interface = nullptr;
        raw_.flags = 0;
    }
    ~HostShape() { fluorite_free(nullptr, memory_); }
    HostShape(const HostShape &) = delete;
    HostShape &operator=(const HostShape &) = delete;

    int allocate(void *context) {
        memory_ = fluorite_malloc(nullptr, bytes_);
        raw_.host = static_cast<uint8_t *>(memory_);
        return memory_ != nullptr ? 0 : fluorite_error_out_of_memory(context, "a buffer", bytes_);
    }
    const fluorite_buffer_t &buffer() const { return raw_; }

  private:
    std::vector<fluorite_dimension_t> dims_;
    fluorite_buffer_t raw_;
    uint64_t bytes_ = 0;
    void *memory_ = nullptr;
};

int copy_through_host(void *context, const DeviceEnd &source, const DeviceEnd &target) {
    HostShape between(*target.buffer);
    int code = between.allocate(context);
    code = code == 0 ? read_from(context, source, between.buffer()) : code;
    return code == 0 ? write_to(context, between.buffer(), target) : code;
}

int copy_on_devices(void *context, const DeviceEnd &source, const DeviceEnd &target) {
    const auto &from = source.record.memory, &to = target.record.memory;
    if (source.device != target.device || !from->context->shares_memory_with(*to->context)) {
        return copy_through_host(context, source, target);
    }
    if (const Status status = from->use_in(to->context); status.failed()) {
        return driver_failed(context, fluorite_error_code_device_buffer_copy_failed, source.device->name(), status);
    }
    const CopyPlan plan = plan_buffer_copy(source.side(), target.side());
    return copy_with(context, target, plan,
                     [&](DriverContext &driver, const Box &box) { return driver.copy(from->native, to->native, box); });
}

int copy_to_target(void *context, const fluorite_buffer_t &source, const fluorite_device_interface_t *on,
                   const fluorite_buffer_t &target) {
    const bool to_device = on != nullptr, from_host = reads_host(source, on);
    if (from_host && !to_device) {
        copy_on_host(host_side(source), host_side(target));
        return 0;
    }
    DeviceEnd from, to;
    int code = from_host ? 0 : from.find(context, source);
    code = code == 0 && to_device ? to.find(context, target) : code;
    if (code != 0) {
        return code;
    }
    return from_host    ? write_to(context, source, to)
           : !to_device ? read_from(context, from, target)
                        : copy_on_devices(context, from, to);
}

} // namespace

int copy_between_buffers(void *context, fluorite_buffer_t *source, const fluorite_device_interface_t *interface,
                         fluorite_buffer_t *target) {
    int code = check_device_fields(context, nullptr, source);
    code = code == 0 ? check_device_fields(context, nullptr, target) : code;
    code = code == 0 ? check_shapes(context, *source, *target) : code;
    if (code != 0) {
        return code;
    }
    const bool has_source = source->device != 0 || source->host != nullptr;
    if ((!has_source || (interface == nullptr && target->host == nullptr)) && !target->is_empty()) {
        return fluorite_error_host_is_null(context, "a buffer");
    }
    const bool is_new = interface != nullptr && target->device == 0;
    code = interface != nullptr ? malloc_buffer(context, nullptr, target, interface) : 0;
    code = code == 0 && !target->is_empty() ? copy_to_target(context, *source, interface, *target) : code;
    if (code == 0) {
        target->set_host_dirty(interface == nullptr);
        target->set_device_dirty(interface != nullptr);
    } else if (is_new && target->device != 0) {
        static_cast<void>(target->device_interface->device_free(context, target)); // the first failure is returned
    }
    return code;
}

} // namespace fluorite_runtime
