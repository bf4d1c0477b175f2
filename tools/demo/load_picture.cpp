#include "fluorite/image_io.h"
#include "picture.h"

#include <algorithm>

namespace fluorite::demo {
namespace {

std::string shape_of(const Buffer<> &image) {
    std::string text;
    for (int d = 0; d < image.dimensions(); d++) {
        text += (d > 0 ? " x " : "") + std::to_string(image.extent(d));
    }
    return text.empty() ? "a single number" : text;
}

void check_shape(const std::string &path, const Buffer<> &image) {
    if (image.dimensions() != 2 && image.dimensions() != 3) {
        throw BadInput(path + ": not a picture: its shape is " + shape_of(image) +
                       "; a picture is width x height, or width x height x channels");
    }
    if (image.width() < smallest_side || image.height() < smallest_side) {
        throw BadInput(path + ": the picture is too small: " + std::to_string(image.width()) + " x " +
                       std::to_string(image.height()) + " pixels; the demo needs at least " +
                       std::to_string(smallest_side) + " x " + std::to_string(smallest_side));
    }
    if (image.channels() < 1 || image.channels() > 4) {
        throw BadInput(path + ": not a picture: it has " + std::to_string(image.channels()) +
                       " channels; 1 to 4 are gray, gray with alpha, colour, colour with alpha");
    }
}

Buffer<> read(const std::string &path) {
    try {
        return load_image(path);
    } catch (const RuntimeError &error) {
        throw BadInput(error.message());
    }
}

} // namespace

Picture load_picture(const std::string &path) {
    const Buffer<> image = read(path);
    check_shape(path, image);
    Buffer<> bytes = convert_image(image, type_of<uint8_t>());
    if (bytes.dimensions() == 2) {
        bytes.add_dimension();
    }
    // Gray with alpha has two channels, colour with alpha four.
    Picture picture(bytes.width(), bytes.height(), bytes.channels() < 3 ? 1 : 3);
    for (int d = 0; d < 3; d++) {
        bytes.translate(d, -bytes.min(d));
    }
    picture.copy_from(Picture(bytes));
    return picture;
}

} // namespace fluorite::demo
