// Image files: the reader of each format on a file in memory.
#include "fluorite/errors.h"
#include "imageio/formats.h"
#include "targets.h"

#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace fluorite::libfuzzer {

namespace {

/// An anonymous file.
class MemoryFile {
  public:
    explicit MemoryFile(std::string_view bytes) : file_(memfd_create("image", 0)) {
        if (file_ < 0 || write(file_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
            found("no file in memory", "");
        }
    }
    ~MemoryFile() { close(file_); }
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;
    std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

  private:
    int file_;
};

/// Reads the file, and all elements of the resulting image.
void load(const imageio::Format &format, std::string_view bytes) {
    const MemoryFile memory(bytes);
    try {
        imageio::InputFile file(memory.path(), {"load_image", {}});
        const Buffer<> image = format.load(file);
        volatile uint8_t sum = 0;
        const fluorite_buffer_t &raw = *image.raw_buffer();
        for (const uint8_t *at = raw.begin(); at != raw.end(); at++) {
            sum = static_cast<uint8_t>(sum + *at);
        }
    } catch (const RuntimeError &error) {
        if (!error.slug().starts_with("image-")) {
            found("an error of another kind", error.what());
        }
    }
}

} // namespace

void image_png(std::string_view bytes) { load(imageio::png_format, bytes); }
void image_jpeg(std::string_view bytes) { load(imageio::jpeg_format, bytes); }
void image_tiff(std::string_view bytes) { load(imageio::tiff_format, bytes); }
void image_pnm(std::string_view bytes) { load(imageio::pnm_format, bytes); }
void image_npy(std::string_view bytes) { load(imageio::npy_format, bytes); }

} // namespace fluorite::libfuzzer
