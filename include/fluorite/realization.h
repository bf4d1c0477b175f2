#pragma once
// Realization: the buffers that a run of a pipeline has written. RealizationArg: the destination of a run.

#include "fluorite/require_cxx17.h"

#include "fluorite/buffer.h"

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace fluorite {

namespace detail {
class ImageOfRanks; // the driver's
}

/// One buffer for each value of each output, in order.
class Realization {
  public:
    Realization() = default;
    /// Of these buffers, whose types and ranks may differ.
    explicit Realization(std::vector<Buffer<>> images) : images_(std::move(images)) {}
    explicit Realization(std::initializer_list<Buffer<>> images) : images_(images) {}
    template <typename T, int Dims, typename... Rest>
    explicit Realization(const Buffer<T, Dims> &first, const Rest &...rest)
        : images_{Buffer<>(first), Buffer<>(rest)...} {}

    size_t size() const { return images_.size(); }
    /// Throws RuntimeError if there is no such buffer.
    const Buffer<> &operator[](const LocatedIndex &i) const { return images_[checked(i)]; }
    Buffer<> &operator[](const LocatedIndex &i) { return images_[checked(i)]; }
    auto begin() const { return images_.begin(); }
    auto end() const { return images_.end(); }
    const std::vector<Buffer<>> &buffers() const { return images_; }
    /// Waits for what devices compute for each of them; returns 0, or the code of the first that fails.
    int device_sync(void *context = nullptr) {
        for (Buffer<> &image : images_) {
            if (const int code = image.device_sync(context)) {
                return code;
            }
        }
        return 0;
    }

    /// The buffer of a run with one value; throws RuntimeError for several. The conversion of a Realization to a Buffer
    /// uses it.
    const Buffer<> &single(const Location &location = Location::current()) const {
        if (images_.size() != 1) {
            throw RuntimeError("realization-size",
                               "in a Realization: it has " + std::to_string(images_.size()) +
                                   " buffers; only a Realization of one converts to a Buffer; index it, r[0]",
                               location);
        }
        return images_[0];
    }

  private:
    size_t checked(const LocatedIndex &i) const {
        if (i.value < 0 || static_cast<size_t>(i.value) >= images_.size()) {
            throw RuntimeError("realization-size",
                               "in a Realization: buffer " + std::to_string(i.value) + " is named; it has " +
                                   std::to_string(images_.size()) + ", numbered from 0; name one of them",
                               i.location);
        }
        return static_cast<size_t>(i.value);
    }
    std::vector<Buffer<>> images_;
};

/// The destination of realize and infer_input_bounds: a Realization, one or several Buffers, or ABI structs.
class RealizationArg {
  public:
    /// The buffers of a run, one buffer, or one for each value of each output.
    RealizationArg(const Realization &realization) : buffers_(realization.buffers()) {} // NOLINT
    template <typename T, int Dims>
    RealizationArg(const Buffer<T, Dims> &buffer) : buffers_{Buffer<>(buffer)} {} // NOLINT
    RealizationArg(const std::vector<Buffer<>> &buffers) : buffers_(buffers) {}   // NOLINT
    /// Buffers whose types and ranks may differ.
    template <typename T, int Dims, typename T2, int Dims2, typename... Rest>
    RealizationArg(const Buffer<T, Dims> &first, const Buffer<T2, Dims2> &second, const Rest &...rest)
        : buffers_{Buffer<>(first), Buffer<>(second), Buffer<>(rest)...} {}
    /// Borrows an ABI struct.
    template <typename T, std::enable_if_t<std::is_same_v<T, fluorite_buffer_t>, int> = 0>
    RealizationArg(T *buffer) : raw_{buffer} {} // NOLINT(google-explicit-constructor)

    /// One or several DistributedImages.
    template <typename Image, typename... Rest,
              std::enable_if_t<Image::is_distributed_image && (Rest::is_distributed_image && ...), int> = 0>
    RealizationArg(const Image &first, const Rest &...rest) // NOLINT(google-explicit-constructor)
        : images_{first.image(), rest.image()...} {}

    /// The images of which it was made; they are null if they are undefined.
    const std::vector<std::shared_ptr<detail::ImageOfRanks>> &images() const { return images_; }

    /// The number of destinations.
    size_t size() const { return buffers_.size() + raw_.size() + images_.size(); }
    /// The ABI structs, one for each value of each output, valid as long as this object and its sources. Throws
    /// RuntimeError for an undefined Buffer.
    std::vector<fluorite_buffer_t *> raw_buffers(const Location &location = Location::current()) const {
        std::vector<fluorite_buffer_t *> result = raw_;
        for (size_t i = 0; i < buffers_.size(); i++) {
            if (!buffers_[i].defined()) {
                throw RuntimeError("undefined-buffer",
                                   "in a run: output buffer " + std::to_string(i) +
                                       " is undefined; a run writes into memory that there is; give the buffer a size, "
                                       "or realize by sizes",
                                   location);
            }
            result.push_back(buffers_[i].raw_buffer());
        }
        return result;
    }
    /// The Buffers of which it was made (empty for ABI structs).
    const std::vector<Buffer<>> &buffers() const { return buffers_; }

  private:
    std::vector<Buffer<>> buffers_;
    std::vector<fluorite_buffer_t *> raw_;
    std::vector<std::shared_ptr<detail::ImageOfRanks>> images_;
};

} // namespace fluorite
