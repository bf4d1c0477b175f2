#pragma once
// For tests: runs the kernels of a module on the first OpenCL device, PoCL in most cases.

#include "backends/opencl/opencl_source.h"
#include "fluorite/runtime/device.h"
#include "fluorite/runtime_device.h"
#include "support/check.h"

#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace fluorite::backends::opencl {

/// A dense buffer of one dimension, from 0 on.
class Row {
  public:
    Row(Type type, size_t count) : bytes(count * static_cast<size_t>(type.bytes())) {
        dim_ = fluorite_dimension_t(0, static_cast<int32_t>(count), 1);
        header.host = bytes.data();
        header.type =
            fluorite_type_t(static_cast<fluorite_type_code_t>(type.code()), static_cast<uint8_t>(type.bits()));
        header.dimensions = 1;
        header.dim = &dim_;
    }
    Row(const Row &) = delete;
    ~Row() { fluorite_device_free(nullptr, &header); }
    template <typename T> T *data() { return reinterpret_cast<T *>(bytes.data()); }

    std::vector<uint8_t> bytes;
    fluorite_buffer_t header{};

  private:
    fluorite_dimension_t dim_;
};

/// An argument of a kernel: a row, or the bytes of a scalar.
struct Argument {
    Row *row = nullptr;
    uint64_t value = 0;
    Argument(Row &row) : row(&row) {} // NOLINT(google-explicit-constructor)
    template <typename T> explicit Argument(T scalar) { std::memcpy(&value, &scalar, sizeof(scalar)); }
};

struct Grid {
    std::array<int64_t, 3> blocks{1, 1, 1};
    std::array<int32_t, 3> threads{1, 1, 1};
    int64_t shared_bytes = 0;
};

class OnOpenCl : public testing::Test {
  protected:
    OnOpenCl() : printed_(fluorite_print_errors(0)) {}
    ~OnOpenCl() override {
        fluorite_print_errors(printed_);
        fluorite_clear_error();
    }
    void SetUp() override {
        if (fluorite_device_sync_global(nullptr, device_) != 0) {
            GTEST_SKIP() << fluorite_last_error_message();
        }
    }

    /// Runs the kernel with the arguments in their order; rows of output are then on the host. The code of the runtime.
    int run(const ir::LoweredFunc &kernel, const std::vector<Argument> &arguments, const Grid &grid) {
        const ir::LoweredModule module{{kernel}};
        const ir::DeviceCode code = opencl_code(module, Target());
        const ir::DeviceKernel &described = code.kernels.front();
        std::vector<const char *> failures;
        for (const std::string &text : described.failures) {
            failures.push_back(text.c_str());
        }
        const uint32_t flags = (described.packs_scalars ? fluorite_device_kernel_packs_scalars : 0U) |
                               (failures.empty() ? 0U : fluorite_device_kernel_reports_failures) |
                               (described.uses_shared ? fluorite_device_kernel_uses_shared : 0U);
        const fluorite_device_kernel_t entry{described.name.c_str(), kernel.name.c_str(), flags,
                                             static_cast<int32_t>(failures.size()), failures.data()};
        const fluorite_device_module_t built{code.bytes.data(), code.bytes.size(), code.options.c_str(), &entry, 1};
        void *slot = nullptr;
        int result = fluorite_device_load_module(nullptr, device_, &slot, &built);
        result = result != 0 ? result : launch(kernel, arguments, grid, slot);
        fluorite_device_unload_module(&slot);
        return result;
    }

    const fluorite_device_interface_t *device() const { return device_; }

  private:
    int launch(const ir::LoweredFunc &kernel, const std::vector<Argument> &arguments, const Grid &grid, void *slot) {
        std::vector<fluorite_device_argument_t> passed;
        for (size_t i = 0; i < arguments.size(); i++) {
            const ir::LoweredArg &arg = kernel.args[i];
            if (arguments[i].row == nullptr) {
                passed.push_back({fluorite_device_argument_scalar, arg.type.bytes(), arguments[i].value, 0});
                continue;
            }
            fluorite_buffer_t *header = &arguments[i].row->header;
            header->set_host_dirty(true);
            fluorite_device_need_input(nullptr, device_, arg.symbol.name().c_str(), header);
            passed.push_back({fluorite_device_argument_buffer, 0, reinterpret_cast<uintptr_t>(header), 0});
        }
        int result = fluorite_device_launch(nullptr, device_, slot, 0, grid.blocks.data(), grid.threads.data(),
                                            grid.shared_bytes, passed.data(), static_cast<int32_t>(passed.size()));
        for (size_t i = 0; i < arguments.size() && result == 0; i++) {
            if (kernel.args[i].kind == ir::LoweredArg::Kind::OutputBuffer) {
                fluorite_device_mark_written(&arguments[i].row->header);
                result = fluorite_copy_to_host(nullptr, &arguments[i].row->header);
            }
        }
        const int waited = fluorite_device_sync_global(nullptr, device_);
        return result != 0 ? result : waited;
    }

    const fluorite_device_interface_t *device_ = fluorite_opencl_device_interface();
    int printed_;
};

} // namespace fluorite::backends::opencl
