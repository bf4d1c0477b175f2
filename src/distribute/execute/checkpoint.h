#pragma once
// Checkpoints: arrays that ranks own parts of, in one file that any number of ranks can read again.

#include "distribute/execute/array_view.h"
#include "distribute/execute/transport.h"

#include <string>
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

/// Collective: writes `<path>.part` and renames it to `path` when all ranks' parts are on the disk; until then, and if
/// anything fails, a file that was there before stays as it was. Throws RuntimeError [checkpoint-io] on all ranks.
void write_checkpoint(const std::string &path, const CheckpointState &state, const std::vector<CheckpointArray> &arrays,
                      Transport &transport);

/// Collective: fills what each rank owns and returns the step. The number of ranks and their parts may differ from
/// those that wrote. Throws RuntimeError on all ranks: [checkpoint-io] if the file cannot be read, [bad-checkpoint] if
/// it is no checkpoint, of another version or program, of other arrays, or torn: each element is part of a checksum.
/// The contents of the arrays are then undefined.
int64_t read_checkpoint(const std::string &path, uint64_t program, const std::vector<CheckpointArray> &arrays,
                        Transport &transport);

} // namespace fluorite::distribute
