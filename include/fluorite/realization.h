#pragma once
// Realization: the buffers that a run of a pipeline has written. RealizationArg: where a run shall write.

#include "fluorite/buffer.h"

#include <concepts>
#include <initializer_list>
#include <utility>
#include <vector>

namespace fluorite {

/// One buffer for each value of each output, in order.
class Realization {
  public:
    Realization() = default;
    explicit Realization(std::vector<Buffer<>> images) : images_(std::move(images)) {}
    explicit Realization(std::initializer_list<Buffer<>> images) : images_(images) {}
    template <typename T, int Dims, typename... Rest>
    explicit Realization(const Buffer<T, Dims> &first, const Rest &...rest)
        : images_{Buffer<>(first), Buffer<>(rest)...} {}

    size_t size() const { return images_.size(); }
    const Buffer<> &operator[](detail::Integer i) const { return images_.at(static_cast<size_t>(int{i})); }
    Buffer<> &operator[](detail::Integer i) { return images_.at(static_cast<size_t>(int{i})); }
    auto begin() const { return images_.begin(); }
    auto end() const { return images_.end(); }
    const std::vector<Buffer<>> &buffers() const { return images_; }

    /// The buffer of a run with one value; throws RuntimeError for several, or for another element type or rank.
    template <typename T, int Dims> operator Buffer<T, Dims>() const { // NOLINT(google-explicit-constructor)
        check_single();
        return Buffer<T, Dims>(images_[0]);
    }

  private:
    void check_single() const {
        if (images_.size() != 1) {
            throw RuntimeError("realization-size",
                               "in a Realization: it has " + std::to_string(images_.size()) +
                                   " buffers; only a Realization of one converts to a Buffer; index it, r[0]");
        }
    }
    std::vector<Buffer<>> images_;
};

/// What realize and infer_input_bounds write into: a Realization, one or several Buffers, or ABI structs.
class RealizationArg {
  public:
    RealizationArg(const Realization &realization) : buffers_(realization.buffers()) {} // NOLINT
    template <typename T, int Dims>
    RealizationArg(const Buffer<T, Dims> &buffer) : buffers_{Buffer<>(buffer)} {} // NOLINT
    RealizationArg(const std::vector<Buffer<>> &buffers) : buffers_(buffers) {}   // NOLINT
    /// Types and ranks may differ.
    template <typename T, int Dims, typename T2, int Dims2, typename... Rest>
    RealizationArg(const Buffer<T, Dims> &first, const Buffer<T2, Dims2> &second, const Rest &...rest)
        : buffers_{Buffer<>(first), Buffer<>(second), Buffer<>(rest)...} {}
    /// Borrowed.
    template <typename T>
        requires std::same_as<T, fluorite_buffer_t>
    RealizationArg(T *buffer) : raw_{buffer} {} // NOLINT(google-explicit-constructor)

    /// The ABI structs, one for each value of each output; they live as long as this object and its sources.
    std::vector<fluorite_buffer_t *> raw_buffers() const {
        std::vector<fluorite_buffer_t *> result = raw_;
        for (const Buffer<> &buffer : buffers_) {
            result.push_back(buffer.raw_buffer());
        }
        return result;
    }
    /// The Buffers, where it was made of them (empty for ABI structs).
    const std::vector<Buffer<>> &buffers() const { return buffers_; }

  private:
    std::vector<Buffer<>> buffers_;
    std::vector<fluorite_buffer_t *> raw_;
};

} // namespace fluorite
