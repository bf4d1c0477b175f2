#pragma once
// A call of a compiled function whose arguments are texts: files, or descriptions of made images, and numbers.

#include "Halide.h"
#include "halide_benchmark.h"
#include "halide_image_io.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace fluorite_run {

using fluorite::Buffer;
using fluorite::Type;

struct Filter {
    int (*call)(void **args) = nullptr;
    const fluorite_filter_metadata_t *metadata = nullptr;
};

/// The functions that have registered themselves.
inline std::vector<Filter> &filters() {
    static std::vector<Filter> all;
    return all;
}

struct Options {
    std::map<std::string, std::string> values; // of inputs and outputs
    std::string name, output_extents, default_buffer, default_scalar;
    bool describes = false, benchmarks = false, parsable = false, quiet = false, verbose = false, says_success = false;
    double least_seconds = 0.1;
};

[[noreturn]] inline void fail(const std::string &text) { throw std::runtime_error(text); }

inline std::vector<fluorite_filter_argument_t> arguments_of(const fluorite_filter_metadata_t &filter) {
    return {filter.arguments, filter.arguments + filter.num_arguments};
}
inline Type type_of_argument(const fluorite_filter_argument_t &argument) {
    return {static_cast<fluorite::TypeCode>(argument.type.code), argument.type.bits};
}

/// Calls `use` with a null pointer of the C++ type that elements of a Type have.
template <typename Use> void with_type(Type type, Use &&use) {
    const int bits = type.bits();
    if (type.is_float() && bits == 16) {
        type.is_bfloat() ? use(static_cast<fluorite::bfloat16_t *>(nullptr))
                         : use(static_cast<fluorite::float16_t *>(nullptr));
    } else if (type.is_float()) {
        bits == 32 ? use(static_cast<float *>(nullptr)) : use(static_cast<double *>(nullptr));
    } else if (type.is_bool()) {
        use(static_cast<bool *>(nullptr));
    } else if (type.is_int()) {
        bits == 8    ? use(static_cast<int8_t *>(nullptr))
        : bits == 16 ? use(static_cast<int16_t *>(nullptr))
        : bits == 32 ? use(static_cast<int32_t *>(nullptr))
                     : use(static_cast<int64_t *>(nullptr));
    } else {
        bits == 8    ? use(static_cast<uint8_t *>(nullptr))
        : bits == 16 ? use(static_cast<uint16_t *>(nullptr))
        : bits == 32 ? use(static_cast<uint32_t *>(nullptr))
                     : use(static_cast<uint64_t *>(nullptr));
    }
}

/// `[w,h,...]` as numbers.
inline std::vector<int> parse_extents(const std::string &text) {
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
        fail("the extents '" + text + "' are not of the form [w,h,...]");
    }
    std::vector<int> extents;
    for (size_t begin = 1; begin + 1 < text.size();) {
        const size_t end = std::min(text.find(',', begin), text.size() - 1);
        size_t used = 0;
        const std::string number = text.substr(begin, end - begin);
        int value = -1;
        try {
            value = std::stoi(number, &used);
        } catch (const std::exception &) {
            used = 0;
        }
        if (used != number.size() || value < 0) {
            fail("the extent '" + number + "' in " + text + " is no number from 0 on");
        }
        extents.push_back(value);
        begin = end + 1;
    }
    return extents;
}

/// The region of a buffer; the form in which functions are asked and buffers are made.
struct Shape {
    std::vector<fluorite_dimension_t> dims;

    explicit Shape(size_t rank = 0) : dims(rank) {}
    /// Dense, dimension 0 first, of these extents from 0 on.
    static Shape of(const std::vector<int> &extents) {
        Shape shape(extents.size());
        int32_t stride = 1;
        for (size_t d = 0; d < extents.size(); d++) {
            shape.dims[d].extent = extents[d];
            shape.dims[d].stride = stride;
            stride *= std::max(extents[d], 1);
        }
        return shape;
    }
    std::vector<int> extents() const {
        std::vector<int> all;
        for (const fluorite_dimension_t &dim : dims) {
            all.push_back(dim.extent);
        }
        return all;
    }
    /// The dimensions by their strides, the least one first.
    std::vector<int> order() const {
        std::vector<int> all;
        for (size_t d = 0; d < dims.size(); d++) {
            all.push_back(static_cast<int>(d));
        }
        std::sort(all.begin(), all.end(), [&](int a, int b) {
            const int at_a = std::abs(dims[static_cast<size_t>(a)].stride);
            const int at_b = std::abs(dims[static_cast<size_t>(b)].stride);
            return at_a != at_b ? at_a < at_b : a < b;
        });
        return all;
    }
    Buffer<> buffer(Type type) const {
        Buffer<> made(type, extents(), order());
        std::vector<int> mins;
        for (const fluorite_dimension_t &dim : dims) {
            mins.push_back(dim.min);
        }
        made.set_min(mins);
        return made;
    }
};

/// An argument that is a buffer: where its pixels come from, or go to, and what is known of its region.
struct Image {
    fluorite_filter_argument_t argument = {};
    std::string kind, value, extents; // of a made image; a file has the kind "file" and its path as the value
    bool is_output = false, is_known = false;
    Shape shape;
    Buffer<> pixels;
    fluorite_buffer_t header = {};

    Type type() const { return type_of_argument(argument); }
    size_t rank() const { return static_cast<size_t>(argument.dimensions); }

    /// The estimated shape; false where an extent is not estimated.
    bool take_estimates() {
        Shape estimated(rank());
        if (!argument.buffer_estimates && rank() > 0) {
            return false;
        }
        int32_t stride = 1;
        for (size_t d = 0; d < rank(); d++) {
            const int64_t *min = argument.buffer_estimates[2 * d], *extent = argument.buffer_estimates[2 * d + 1];
            if (!extent) {
                return false;
            }
            estimated.dims[d].min = min ? static_cast<int32_t>(*min) : 0;
            estimated.dims[d].extent = static_cast<int32_t>(*extent);
            estimated.dims[d].stride = stride;
            stride *= estimated.dims[d].extent;
        }
        shape = estimated;
        return is_known = true;
    }
    /// The header of a buffer without memory, to ask the function with.
    fluorite_buffer_t *query() {
        header = {};
        header.type = argument.type;
        header.dimensions = argument.dimensions;
        header.dim = shape.dims.data();
        return &header;
    }
};

class Run {
  public:
    Run(const Filter &filter, const Options &options) : filter_(filter), options_(options) {
        const std::vector<fluorite_filter_argument_t> arguments = arguments_of(*filter.metadata);
        scalars_.resize(arguments.size());
        images_.resize(arguments.size());
        check_names(arguments);
        for (size_t i = 0; i < arguments.size(); i++) {
            if (arguments[i].kind == fluorite_argument_kind_input_scalar) {
                set_scalar(i, arguments[i]);
            } else {
                set_image(images_[i], arguments[i]);
            }
        }
    }

    std::string name() const { return filter_.metadata->name; }
    /// Finds all regions, makes or loads the inputs, and allocates the outputs.
    void prepare() {
        set_output_shapes();
        ask();
        for (Image &image : images_) {
            if (image.argument.name == nullptr) {
                continue;
            }
            if (!image.pixels.defined()) {
                image.pixels = image.shape.buffer(image.type());
                fill(image);
            }
            if (options_.verbose) {
                std::cout << image.argument.name << ":";
                for (int d = 0; d < image.pixels.dimensions(); d++) {
                    std::cout << " [" << image.pixels.dim(d).min() << ", +" << image.pixels.dim(d).extent() << "]";
                }
                std::cout << "\n";
            }
        }
    }
    void call() {
        std::vector<void *> args = pointers([](Image &image) { return image.pixels.raw_buffer(); });
        const int code = filter_.call(args.data());
        if (code != 0) {
            fail(name() + " returns the error " + std::to_string(code));
        }
    }
    /// How many calls take about so long.
    uint64_t iterations_for(double seconds) {
        const double once = fluorite::Tools::benchmark(1, 1, [&] { call(); });
        return static_cast<uint64_t>(std::clamp(seconds / std::max(once, 1e-9), 1.0, 1e7));
    }
    double output_pixels() const {
        double most = 0;
        for (const Image &image : images_) {
            if (image.is_output) {
                const double rows = image.rank() > 1 ? image.pixels.dim(1).extent() : 1;
                most = std::max(most, image.rank() > 0 ? rows * image.pixels.dim(0).extent() : 1.0);
            }
        }
        return most;
    }
    void save_outputs() {
        for (Image &image : images_) {
            if (!image.is_output || image.value.empty()) {
                continue;
            }
            const Type stored = fluorite::storable_image_type(image.value, image.type());
            if (stored != image.type()) {
                warn(std::string("output ") + image.argument.name + " is of type " + to_string(image.type()) +
                     " and is saved as " + to_string(stored));
            }
            fluorite::save_image(fluorite::convert_image(image.pixels, stored), image.value);
        }
    }

  private:
    void warn(const std::string &text) const {
        if (!options_.quiet) {
            std::cerr << "Warning: " << text << "\n";
        }
    }

    void check_names(const std::vector<fluorite_filter_argument_t> &arguments) const {
        for (const auto &value : options_.values) {
            const bool is_there = std::any_of(arguments.begin(), arguments.end(),
                                              [&](const auto &argument) { return value.first == argument.name; });
            if (!is_there) {
                fail("'" + value.first + "' is no input or output of " + name() + "; --describe prints them");
            }
        }
    }

    // ---- Numbers.

    void set_scalar(size_t i, const fluorite_filter_argument_t &argument) {
        const auto given = options_.values.find(argument.name);
        const std::string text = given == options_.values.end() ? options_.default_scalar : given->second;
        const bool is_default = given == options_.values.end();
        if (text.empty()) {
            fail(std::string("the input ") + argument.name + " is not given");
        }
        if (text == "estimate" || text == "default") {
            const fluorite_scalar_value_t *value = text == "estimate" ? argument.scalar_estimate : argument.scalar_def;
            value = !value && is_default ? argument.scalar_def : value;
            if (!value && !is_default) {
                fail(std::string("the input ") + argument.name + " has no " + text);
            }
            scalars_[i] = value ? *value : fluorite_scalar_value_t{};
            return;
        }
        with_type(type_of_argument(argument), [&](auto *null) {
            using T = std::remove_pointer_t<decltype(null)>;
            const T value = parse<T>(argument.name, text);
            std::memcpy(&scalars_[i], &value, sizeof(T));
        });
    }

    template <typename T> T parse(const std::string &name, const std::string &text) const {
        size_t used = 0;
        T value{};
        try {
            if constexpr (std::is_same_v<T, bool>) {
                used = text == "true" || text == "false" || text == "0" || text == "1" ? text.size() : 0;
                value = text == "true" || text == "1";
            } else if constexpr (std::is_integral_v<T>) {
                const auto wide =
                    std::is_signed_v<T> ? std::stoll(text, &used) : static_cast<long long>(std::stoull(text, &used));
                value = static_cast<T>(wide);
                used = static_cast<long long>(value) == wide ? used : 0;
            } else {
                value = T(static_cast<float>(std::stod(text, &used)));
                if constexpr (std::is_same_v<T, double>) {
                    value = std::stod(text);
                }
            }
        } catch (const std::exception &) {
            used = 0;
        }
        if (used != text.size()) {
            fail(name + " is '" + text + "', which is no value of its type");
        }
        return value;
    }

    // ---- Buffers.

    void set_image(Image &image, const fluorite_filter_argument_t &argument) {
        image.argument = argument;
        image.shape = Shape(static_cast<size_t>(argument.dimensions));
        image.is_output = argument.kind == fluorite_argument_kind_output_buffer;
        const auto given = options_.values.find(argument.name);
        std::string text = given == options_.values.end() ? "" : given->second;
        if (image.is_output) {
            image.value = text; // empty: not saved
            return;
        }
        text = text.empty() ? options_.default_buffer : text;
        if (text.empty()) {
            fail(std::string("the input ") + argument.name + " is not given");
        }
        image.kind = text.substr(0, text.find(':'));
        if (image.kind != "zero" && image.kind != "constant" && image.kind != "identity" && image.kind != "random") {
            image.kind = "file";
            image.value = text;
            image.pixels = loaded(image);
            image.shape = Shape(image.rank());
            std::copy(image.pixels.raw_buffer()->dim, image.pixels.raw_buffer()->dim + image.rank(),
                      image.shape.dims.begin());
            image.is_known = true;
            return;
        }
        const size_t last = text.rfind(':');
        image.extents = last == image.kind.size() && (image.kind == "constant" || image.kind == "random")
                            ? "auto"
                            : text.substr(std::min(last + 1, text.size()));
        image.value = last > image.kind.size() ? text.substr(image.kind.size() + 1, last - image.kind.size() - 1)
                                               : text.substr(std::min(last + 1, text.size()));
        set_made_shape(image);
    }

    void set_made_shape(Image &image) {
        if (image.extents == "auto") {
            return;
        }
        if (image.extents == "estimate" || image.extents == "estimate_then_auto") {
            if (!image.take_estimates() && image.extents == "estimate") {
                fail(std::string("the input ") + image.argument.name + " has no estimates");
            }
            return;
        }
        const std::vector<int> extents = parse_extents(image.extents);
        if (extents.size() != image.rank()) {
            fail(std::string("the input ") + image.argument.name + " has " + std::to_string(image.rank()) +
                 " dimensions, and is given " + image.extents);
        }
        image.shape = Shape::of(extents);
        image.is_known = true;
    }

    /// A file, with the type and rank of the argument.
    Buffer<> loaded(const Image &image) const {
        Buffer<> pixels = fluorite::load_image(image.value);
        const std::string name = image.argument.name;
        if (pixels.type() != image.type()) {
            warn("the image for " + name + " is of type " + to_string(pixels.type()) + " and is converted to " +
                 to_string(image.type()));
            pixels = fluorite::convert_image(pixels, image.type());
        }
        while (pixels.dimensions() < static_cast<int>(image.rank())) {
            warn("the image for " + name + " gets one more dimension, of extent 1");
            pixels = pixels.embedded(pixels.dimensions(), 0);
        }
        while (pixels.dimensions() > static_cast<int>(image.rank())) {
            const int last = pixels.dimensions() - 1;
            warn("the image for " + name + " loses its last dimension, of extent " +
                 std::to_string(pixels.dim(last).extent()));
            pixels = pixels.sliced(last, pixels.dim(last).min());
        }
        return pixels;
    }

    void fill(Image &image) const {
        if (image.is_output || image.kind == "zero") {
            std::memset(image.pixels.data(), 0, image.pixels.size_in_bytes());
            return;
        }
        with_type(image.type(), [&](auto *null) {
            using T = std::remove_pointer_t<decltype(null)>;
            Buffer<T> pixels(image.pixels);
            std::mt19937_64 noise(image.kind == "random" && !image.value.empty() ? std::stoull(image.value) : 0);
            const T constant = image.kind == "constant" ? parse<T>(image.argument.name, image.value) : T();
            pixels.for_each_element([&](const int *at) {
                if (image.kind == "constant") {
                    pixels(at) = constant;
                } else if (image.kind == "identity") {
                    pixels(at) = T(static_cast<int8_t>(image.rank() < 2 || at[0] == at[1] ? 1 : 0));
                } else if constexpr (std::is_integral_v<T>) {
                    pixels(at) = static_cast<T>(noise());
                } else {
                    pixels(at) = T(static_cast<float>(noise() >> 40) / 16777216.0f);
                }
            });
        });
    }

    // ---- Regions.

    void set_output_shapes() {
        for (Image &image : images_) {
            if (!image.is_output) {
                continue;
            }
            if (options_.output_extents == "estimate") {
                if (!image.take_estimates()) {
                    fail(std::string("the output ") + image.argument.name + " has no estimates");
                }
            } else if (!options_.output_extents.empty()) {
                std::vector<int> extents = parse_extents(options_.output_extents);
                extents.resize(image.rank(), 1);
                image.shape = Shape::of(extents);
            } else {
                image.shape = Shape::of(guessed_extents(image));
            }
            image.is_known = true;
        }
    }

    /// Those of the first input whose region is known; else estimates; else 1.
    std::vector<int> guessed_extents(Image &output) const {
        std::vector<int> extents(output.rank(), 1);
        const bool has_estimates = Image(output).take_estimates();
        const auto known = std::find_if(images_.begin(), images_.end(), [](const Image &image) {
            return image.argument.name != nullptr && !image.is_output && image.is_known;
        });
        for (size_t d = 0; d < extents.size(); d++) {
            if (known != images_.end() && d < known->rank()) {
                extents[d] = known->shape.dims[d].extent;
            } else if (has_estimates) {
                extents[d] = static_cast<int>(*output.argument.buffer_estimates[2 * d + 1]);
            }
        }
        return extents;
    }

    /// Asks the function for the regions and the order of the dimensions of all buffers.
    void ask() {
        std::vector<Shape> before;
        for (Image &image : images_) {
            before.push_back(image.shape);
        }
        std::vector<void *> args = pointers([](Image &image) { return image.query(); });
        if (const int code = filter_.call(args.data())) {
            fail(name() + " returns the error " + std::to_string(code) + " where it is asked for its regions");
        }
        for (size_t i = 0; i < images_.size(); i++) {
            Image &image = images_[i];
            if (image.argument.name == nullptr) {
                continue;
            }
            const std::vector<int> order = image.shape.order();
            if (image.is_known && !image.is_output) { // only the order of its dimensions is the function's
                const Shape wanted = image.shape;
                image.shape = before[i];
                if (order != image.shape.order() && image.rank() > 0) {
                    for (size_t d = 0; d < image.rank(); d++) {
                        image.shape.dims[d].stride = wanted.dims[d].stride;
                    }
                    if (image.pixels.defined()) {
                        Buffer<> copied = image.shape.buffer(image.type());
                        copied.copy_from(image.pixels);
                        image.pixels = copied;
                    }
                }
            }
        }
    }

    template <typename Pointer> std::vector<void *> pointers(Pointer &&of_image) {
        std::vector<void *> args;
        for (size_t i = 0; i < images_.size(); i++) {
            args.push_back(images_[i].argument.name == nullptr ? static_cast<void *>(&scalars_[i])
                                                               : static_cast<void *>(of_image(images_[i])));
        }
        return args;
    }

    Filter filter_;
    Options options_;
    std::vector<fluorite_scalar_value_t> scalars_; // by argument; those of buffers are not used
    std::vector<Image> images_;                    // by argument; those of numbers have no name
};

} // namespace fluorite_run
