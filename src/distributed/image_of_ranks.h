#pragma once
// The state of a DistributedImage: its domain and placement, and this rank's memory.

#include "fluorite/distributed.h"
#include "ranks/compiled/buffer_view.h"
#include "ranks/compiled/image_parts.h"
#include "ranks/plan/program.h"
#include "schedule/rank_layout.h"
#include "support/ref_counted.h"

#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace fluorite::distributed {

/// What one rank has of an image.
struct PartOfImage {
    distribute::Placement placement; // meaningful if it is allocated
    bool is_allocated = false;
    distribute::Box owned;
    Buffer<> memory;                               // contains what is owned; coordinates are those of the domain
    std::unique_ptr<distribute::ImageHeader> mark; // of the memory
    /// Inputs of pipelines that are realized into this image, which was not allocated when they were.
    struct Reader {
        std::weak_ptr<detail::ImageOfRanks> image;
        Func pipeline;
    };
    std::vector<Reader> readers;
};

/// What pipelines know of an image that they read: the object behind ir::Parameter::distributed. The Parameter owns it,
/// so it does not refer back.
class DistributedInput : public RefCounted {
  public:
    DistributedInput() = default;
    ~DistributedInput() override;
    DistributedInput(const DistributedInput &) = delete;
    DistributedInput &operator=(const DistributedInput &) = delete;

    distribute::Box domain;

    /// That of the calling rank. Ranks that are threads have parts of their own of an image that they share.
    PartOfImage &part();
    /// Gives the calling rank's part this memory. So a run into `image.get_buffer()` is one into the image.
    void set_memory(const Buffer<> &memory);

  private:
    PartOfImage first_; // of rank 0, and of every rank that is a process
    std::map<int64_t, PartOfImage> others_;
    std::shared_mutex mutex_; // of the map
};

/// The DistributedInput of a parameter; null if there is none.
DistributedInput *distributed_input(const ir::Parameter &parameter);

/// The placement that the schedule of an image's Func gives: everywhere, if it cuts nothing. The values of Params in it
/// are read. Throws RuntimeError for Params without a value, numbers below 1, and directives without a meaning; `name`
/// says of what.
distribute::Placement placement_of(const schedule::FuncSchedule &schedule, const std::vector<std::string> &dimensions,
                                   const std::string &name, const Location &location);

} // namespace fluorite::distributed

namespace fluorite::detail {

class ImageOfRanks {
  public:
    ImageOfRanks() = default;
    ~ImageOfRanks();
    ImageOfRanks(const ImageOfRanks &) = delete;
    ImageOfRanks &operator=(const ImageOfRanks &) = delete;

    std::string name;
    Type type;
    std::vector<int> sizes;
    ImageParam parameter;
    bool is_borrowed = false; // the parameter is the program's
    std::optional<Func> accessor;
    RefPtr<distributed::DistributedInput> input;

    void allocate(const Location &location);
    /// Makes the memory large enough for this box.
    void grow(const distribute::Box &needed, const Location &location);
    void require_allocated(const char *what, const Location &location) const;
    [[noreturn]] void refuse(const std::string &text, const Location &location) const;

  private:
    void set_memory(const distribute::Box &box, const Location &location);
    bool allocate_pages(const distribute::Box &box, buffer_detail::Contents &contents) const;
};

} // namespace fluorite::detail
