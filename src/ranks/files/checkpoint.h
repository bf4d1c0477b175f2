#pragma once
// Checkpoints: arrays that ranks own parts of, in one file that any number of ranks can read again.

#include "ranks/plan/array_view.h"
#include "ranks/transport/transport.h"

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace fluorite::distribute {

/// One array of a checkpoint: this rank's part of it. All elements of the domain are owned by exactly one rank.
struct CheckpointArray {
    std::string name;
    Box domain;
    Box owned;
    ArrayView view; // contains `owned`
};

/// What a checkpoint belongs to.
struct CheckpointState {
    uint64_t program = 0; // a hash of whatever has to be the same when it is read
    int64_t step = 0;
};

/// Writes a checkpoint while the program goes on: from a copy of this rank's parts, on a thread of its own. One at a
/// time for each path.
class CheckpointWriter {
  public:
    /// Collective: creates `<path>.part` and begins to write it. The arrays may change from here on. Throws
    /// RuntimeError [checkpoint-io] on all ranks.
    CheckpointWriter(std::string path, const CheckpointState &state, const std::vector<CheckpointArray> &arrays,
                     Transport &transport);
    /// Without `complete`, the file stays as it is: a part.
    ~CheckpointWriter();
    CheckpointWriter(const CheckpointWriter &) = delete;
    CheckpointWriter &operator=(const CheckpointWriter &) = delete;

    /// Collective: waits until all ranks' parts are on the disk, then renames the file to `path`. Until then, and if
    /// anything fails, a file that was there before stays as it was. Throws RuntimeError [checkpoint-io] on all ranks.
    void complete(Transport &transport);

  private:
    std::string path_;
    CheckpointState state_;
    std::vector<MemoryBlock> memory_;
    std::vector<CheckpointArray> arrays_; // in that memory
    std::vector<int64_t> offsets_;        // in the file, by array
    std::vector<uint64_t> sums_;          // of this rank's parts; the thread's until it has ended, as the problem
    std::string problem_;
    std::thread thread_;

    void copy(const std::vector<CheckpointArray> &arrays);
    void write();
};

/// Collective: writes a checkpoint and waits for it. Throws what CheckpointWriter throws.
void write_checkpoint(const std::string &path, const CheckpointState &state, const std::vector<CheckpointArray> &arrays,
                      Transport &transport);

/// Collective: fills what each rank owns and returns the step. The number of ranks and their parts may differ from
/// those that wrote. Throws RuntimeError on all ranks: [checkpoint-io] if the file cannot be read, [bad-checkpoint] if
/// it is no checkpoint, of another version or program, of other arrays, or torn: each element is part of a checksum.
/// The contents of the arrays are then undefined.
int64_t read_checkpoint(const std::string &path, uint64_t program, const std::vector<CheckpointArray> &arrays,
                        Transport &transport);

} // namespace fluorite::distribute
