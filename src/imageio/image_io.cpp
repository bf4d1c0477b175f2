// Format detection, and the public functions.
//
// Loading decodes by the first bytes of the file and then requires the extension to agree, so that a misnamed file is
// reported instead of being decoded by luck. Saving chooses the format by the extension.

#include "fluorite/image_io.h"

#include "imageio/formats.h"

#include <algorithm>
#include <cctype>

namespace fluorite {

namespace {

using imageio::Format;
using imageio::Origin;

constexpr const char *known_extensions = ".png, .jpg, .jpeg, .tif, .tiff, .pgm, .ppm, .pnm and .npy";

const Format *const formats[] = {&imageio::png_format, &imageio::jpeg_format, &imageio::tiff_format,
                                 &imageio::pnm_format, &imageio::npy_format};

Origin origin_of(const char *function, const std::string &path, const Location &place) {
    return {std::string(function) + "(\"" + path + "\")", place};
}

std::string extension_of(const std::string &path) {
    const size_t dot = path.find_last_of("./");
    std::string extension = dot != std::string::npos && path[dot] == '.' ? path.substr(dot + 1) : "";
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

const Format &format_by_extension(const std::string &path, const Origin &origin) {
    const std::string extension = extension_of(path);
    for (const Format *format : formats) {
        if (std::count(format->extensions.begin(), format->extensions.end(), extension) != 0) {
            return *format;
        }
    }
    origin.fail("image-unknown-format",
                (extension.empty() ? "the path has no extension" : "the extension is ." + extension) + "; " +
                    known_extensions + " are known; choose one of these");
}

const Format *find_format_by_content(imageio::InputFile &file) {
    uint8_t head[16];
    const size_t count = file.read(head, sizeof(head));
    file.seek(0);
    for (const Format *format : formats) {
        if (format->matches({head, count})) {
            return format;
        }
    }
    return nullptr;
}

} // namespace

Buffer<> load_image(const std::string &path, Location place) {
    const Origin origin = origin_of("load_image", path, place);
    imageio::InputFile file(path, origin);
    const Format &named = format_by_extension(path, origin);
    const Format *found = find_format_by_content(file);
    if (found == nullptr) {
        origin.fail_corrupt(std::string("the file does not begin as a ") + named.name + " file does");
    }
    if (found != &named) {
        origin.fail("image-wrong-extension", std::string("the file holds ") + found->name +
                                                 " data; the extension must fit the content; rename it to ." +
                                                 found->extensions[0]);
    }
    return found->load(file);
}

void save_image(const Buffer<const void> &image, const std::string &path, const SaveOptions &options, Location place) {
    const Origin origin = origin_of("save_image", path, place);
    const Format &format = format_by_extension(path, origin);
    imageio::OutputFile file(path, origin);
    format.save(image, file, options);
    file.commit();
}

Type storable_image_type(const std::string &path, Type type, Location place) {
    return format_by_extension(path, origin_of("storable_image_type", path, place)).closest_type(type);
}

} // namespace fluorite
