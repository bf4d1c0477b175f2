#pragma once
// Distributed runs: images of which each rank (process) has a part, and pipelines whose Funcs are cut in the same way.
//
// A program that is started with several ranks (by mpirun, after MPI_Init) builds the same pipeline on each of them,
// calls distribute() or compute_rank() on Funcs, and realizes into DistributedImages. What ranks have to exchange is
// inferred. All functions that say "collective" are called by all ranks, in the same order.
//
//     DistributedImage<float> in(w, h), out(w, h);
//     blur.compute_root().distribute(y);
//     in.set_domain(x, y), in.placement().distribute(y), in.allocate(blur, out);
//     out.set_domain(x, y), out.placement().distribute(y), out.allocate();
//     for each local x, y: in(x, y) = ...;       // the part of this rank, from (0, 0)
//     blur.realize(out);                         // collective

#include "fluorite/require_cxx17.h"

#include "fluorite/buffer.h"
#include "fluorite/func.h"
#include "fluorite/image_param.h"
#include "fluorite/pipeline.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fluorite {

/// What a file of DistributedImage::read and write is, beside its name.
struct ImageFile {
    std::string dataset = "image"; // of HDF5 files: the path of the dataset
    int64_t offset = 0;            // of raw files that are read: where the elements begin, in bytes
    int tile = 256;                // of TIFF files that are written: width and height of a tile, a multiple of 16
};

namespace detail {

class ImageOfRanks; // the driver's

/// DistributedImage without its element type. A handle: copies are the same image.
class DistributedImageBase {
  public:
    static constexpr bool is_distributed_image = true;

    /// Whether it is an image; one that is default-constructed is none.
    bool defined() const { return static_cast<bool>(image_); }
    /// The name, which errors show, and the rank of the image, which is the same on all ranks.
    const std::string &name(const Location &location = Location::current()) const;
    int dimensions() const;

    /// Names the dimensions for placement(), one Var for each.
    void set_domain(const std::vector<Var> &vars, const Location &location = Location::current());
    template <typename... Rest, std::enable_if_t<(std::is_convertible_v<Rest, Var> && ...), int> = 0>
    void set_domain(const VarOrRVar &first, const Rest &...rest) {
        set_domain({Var(first.name()), Var(rest)...}, first.location());
    }
    /// A Func over the image whose schedule says which rank has which part: `placement().distribute(y)`. Without
    /// distribute, every rank has the whole image. Throws CompileError before set_domain.
    Func &placement(const Location &location = Location::current());

    /// Gives this rank memory for its part; the placement is final from here on. Throws RuntimeError [no-mpi] where
    /// there are no ranks, [bad-distribution] where the grid has more parts than there are ranks.
    void allocate(const Location &location = Location::current());
    /// As above, with room for what this rank will receive when `pipeline` is realized into `output`, so that nothing
    /// is copied then. `output` may be allocated before or after.
    void allocate(const Func &pipeline, const DistributedImageBase &output,
                  const Location &location = Location::current());

    // ---- Sizes: of the whole image, of the part that this rank has, and of its memory (which may be larger).
    /// The number of coordinates of a dimension of the whole image: of any, of the first three; 1 for a third one that
    /// is not there.
    int global_extent(detail::Integer dimension, const Location &location = Location::current()) const;
    int global_width(const Location &location = Location::current()) const { return global_extent(0, location); }
    int global_height(const Location &location = Location::current()) const { return global_extent(1, location); }
    int global_channels(const Location &location = Location::current()) const {
        return dimensions() > 2 ? global_extent(2, location) : 1;
    }
    /// Throws RuntimeError before allocate.
    int extent(detail::Integer dimension, const Location &location = Location::current()) const;
    int width(const Location &location = Location::current()) const { return extent(0, location); }
    int height(const Location &location = Location::current()) const { return extent(1, location); }
    int channels(const Location &location = Location::current()) const {
        return dimensions() > 2 ? extent(2, location) : 1;
    }
    int allocated_min(detail::Integer dimension, const Location &location = Location::current()) const;
    int allocated_extent(detail::Integer dimension, const Location &location = Location::current()) const;

    /// The coordinate in the whole image of a coordinate in this rank's part, which begins at 0; and back.
    int global(detail::Integer dimension, int local, const Location &location = Location::current()) const;
    int global(int local, const Location &location = Location::current()) const { return global(0, local, location); }
    int local(detail::Integer dimension, int global, const Location &location = Location::current()) const;
    int local(int global, const Location &location = Location::current()) const { return local(0, global, location); }
    /// Whether this rank has the point of the whole image.
    bool mine(const std::vector<int> &point, const Location &location = Location::current()) const;
    bool mine(int x, const Location &location = Location::current()) const { return mine(std::vector{x}, location); }
    bool mine(int x, int y, const Location &location = Location::current()) const {
        return mine(std::vector{x, y}, location);
    }
    bool mine(int x, int y, int z, const Location &location = Location::current()) const {
        return mine(std::vector{x, y, z}, location);
    }
    bool mine(int x, int y, int z, int w, const Location &location = Location::current()) const {
        return mine(std::vector{x, y, z, w}, location);
    }

    /// The parameter that pipelines read: `in.parameter().width()` is the whole image's.
    const ImageParam &parameter(const Location &location = Location::current()) const;
    Dimension dim(detail::Integer index, const Location &location = Location::current()) const;
    /// This rank's memory; coordinates are those of the whole image.
    Buffer<> buffer(const Location &location = Location::current()) const;
    /// What a Callable or a function of an object file takes: `blur(in, out)`, `blur(in.raw_buffer(), ...)`.
    fluorite_buffer_t *raw_buffer(Location place = Location::current()) const {
        return buffer(place).raw_buffer(place);
    }
    /// Collective. Reads this rank's part of a file that all ranks can read, or writes all parts to a file that takes
    /// the place of an earlier one when it is complete. The name ends with .npy, .raw, .tif, .tiff, .h5 or .hdf5. The
    /// number of ranks and the layout are free. Throws RuntimeError on all ranks if one fails: [image-missing],
    /// [image-truncated], [image-corrupt], [image-unsupported] or [image-write-failed].
    void read(const std::string &path, const ImageFile &file = {}, const Location &location = Location::current());
    void write(const std::string &path, const ImageFile &file = {},
               const Location &location = Location::current()) const;

    /// Exchanges the memory of two images of one domain and placement, as time steps do.
    void swap(DistributedImageBase &other, const Location &location = Location::current());

    /// The argument of compiled functions.
    operator Argument() const { return parameter(); } // NOLINT(google-explicit-constructor)
    /// What the copies share; for the library.
    const std::shared_ptr<ImageOfRanks> &image() const { return image_; }

  protected:
    DistributedImageBase() = default;
    DistributedImageBase(Type type, const std::vector<int> &sizes, const std::string &name, const Location &location);
    DistributedImageBase(Type type, const ImageParam &parameter, const std::vector<int> &sizes,
                         const Location &location);
    Expr load(const std::vector<Expr> &args, const Location &location) const { return parameter()(args, location); }
    /// The address of an element of this rank's part, by local coordinates; throws RuntimeError beyond the part.
    void *element(const int64_t *local, int count, const Location &location) const;

  private:
    std::shared_ptr<ImageOfRanks> image_;

    ImageOfRanks &needed(const char *what, const Location &location) const;
};

} // namespace detail

/// An image of elements of type T. The sizes are those of the whole image, whose coordinates begin at 0.
template <typename T> class DistributedImage : public detail::DistributedImageBase {
  public:
    DistributedImage() = default;
    /// By the extents of the whole image, dimension 0 first. No memory is allocated yet: allocate() does that.
    DistributedImage(const std::vector<int> &sizes, const std::string &name = "",
                     const Location &location = Location::current())
        : DistributedImageBase(type_of<T>(), sizes, name, location) {}
    DistributedImage(int x, const std::string &name = "", const Location &location = Location::current())
        : DistributedImage(std::vector{x}, name, location) {}
    DistributedImage(int x, int y, const std::string &name = "", const Location &location = Location::current())
        : DistributedImage(std::vector{x, y}, name, location) {}
    DistributedImage(int x, int y, int z, const std::string &name = "", const Location &location = Location::current())
        : DistributedImage(std::vector{x, y, z}, name, location) {}
    DistributedImage(int x, int y, int z, int w, const std::string &name = "",
                     const Location &location = Location::current())
        : DistributedImage(std::vector{x, y, z, w}, name, location) {}

    /// The image that pipelines read through an ImageParam, which has its type and rank and no buffer, so that a
    /// pipeline runs on ranks as it is defined. The ImageParam is free again when the last handle of the image is gone.
    DistributedImage(const ImageParam &parameter, const std::vector<int> &sizes,
                     const Location &location = Location::current())
        : DistributedImageBase(type_of<T>(), parameter, sizes, location) {}

    /// An element of this rank's part, by coordinates that begin at 0.
    template <typename X, std::enable_if_t<buffer_detail::is_index<X>, int> = 0>
    T &operator()(X x, const Location &location = Location::current()) const {
        return at(location, x);
    }
    template <typename X, typename Y, std::enable_if_t<buffer_detail::all_indices<X, Y>, int> = 0>
    T &operator()(X x, Y y, const Location &location = Location::current()) const {
        return at(location, x, y);
    }
    template <typename X, typename Y, typename Z, std::enable_if_t<buffer_detail::all_indices<X, Y, Z>, int> = 0>
    T &operator()(X x, Y y, Z z, const Location &location = Location::current()) const {
        return at(location, x, y, z);
    }
    template <typename X, typename Y, typename Z, typename W,
              std::enable_if_t<buffer_detail::all_indices<X, Y, Z, W>, int> = 0>
    T &operator()(X x, Y y, Z z, W w, const Location &location = Location::current()) const {
        return at(location, x, y, z, w);
    }
    template <typename... Coordinates,
              std::enable_if_t<(buffer_detail::all_indices<Coordinates...> && sizeof...(Coordinates) > 4), int> = 0>
    T &operator()(const Coordinates &...coordinates) const {
        return at({}, coordinates...);
    }
    /// The value at coordinates of the whole image, in definitions.
    template <typename... Rest, std::enable_if_t<detail::all_coordinates<Rest...>, int> = 0>
    Expr operator()(const detail::FirstCoordinate &first, const Rest &...rest) const {
        return load({first.expr, LocatedExpr(rest).expr...}, first.location);
    }
    Expr operator()(const std::vector<Expr> &args, const Location &location = Location::current()) const {
        return load(args, location);
    }

    /// This rank's memory, whose first element is that of its part's least coordinates in memory; throws RuntimeError
    /// before allocate. As a Buffer, its coordinates are those of the whole image.
    T *data(const Location &location = Location::current()) const {
        return static_cast<T *>(static_cast<void *>(buffer(location).raw_buffer()->host));
    }
    Buffer<T> get_buffer(const Location &location = Location::current()) const { return buffer(location); }
    operator Buffer<T>() const { return get_buffer(); } // NOLINT(google-explicit-constructor)

  private:
    template <typename... Coordinates> T &at(const Location &location, Coordinates... coordinates) const {
        const int64_t local[] = {static_cast<int64_t>(coordinates)...};
        return *static_cast<T *>(element(local, static_cast<int>(sizeof...(coordinates)), location));
    }
};

/// Factors (p, q), p <= q, near the square root of n, with p * q <= n: up to n - p * q ranks compute nothing. 10 gives
/// (3, 3). distribute(x, y) without numbers chooses a grid in which all take part.
std::pair<int, int> approx_factors_near_sqrt(int n, const Location &location = Location::current());
/// Three ascending factors near the cube root, with a product of at most n.
std::vector<int> approx_factors_near_cubert(int n, const Location &location = Location::current());

/// The rank of the caller and how many there are.
struct Ranks {
    int rank = 0;
    int count = 1;
};
/// Throws RuntimeError [no-mpi] where there are none: outside of run_on_ranks, in a process without initialized MPI.
Ranks ranks(const Location &location = Location::current());

/// The number of ranks of a run, in definitions and schedules: specialize(number_of_ranks() > 4),
/// distribute(x, y, number_of_ranks() / 2, 2). Int32. A pipeline that uses it runs on ranks.
Expr number_of_ranks();

/// Func::agglomerate for the levels of a pyramid.
inline void agglomerate(const std::vector<Func> &levels, const LocatedExpr &ranks) {
    for (Func level : levels) {
        level.agglomerate(ranks);
    }
}

/// Runs the body on each of so many ranks, which are threads of this process, and returns when all have ended: for
/// tests, and for trying a distributed program without MPI. Each rank has its own part of images that it shares with
/// the others, and pipelines may be shared if they are compiled before. If a body throws, the others' collective
/// operations fail, and the exception of the lowest rank that was not merely waiting is rethrown.
void run_on_ranks(int count, const std::function<void()> &body, const Location &location = Location::current());

/// What the calling rank does when a pipeline is realized.
struct RankReport {
    int rank = 0, ranks = 1;
    int64_t messages = 0, bytes_sent = 0; // in one run
    int64_t bytes_allocated = 0;          // of distributed images and Funcs: for its parts and what it receives
    int64_t bytes_owned = 0;              // the parts alone
    /// Regions, memory, and in their order what is computed and exchanged, with whom.
    std::string text;
    /// For each exchange, an SVG file of what comes from whom and what goes to whom.
    std::vector<std::string> pictures;
};

/// Plans a run and describes the calling rank's share, without computing anything. Collective.
RankReport explain_ranks(const Pipeline &pipeline, const RealizationArg &outputs, const Target &target = Target(),
                         const Location &location = Location::current());

/// One image that a time step reads, and the one that it writes.
struct StepField {
    detail::DistributedImageBase input, output;
};

struct StepOptions {
    int64_t steps = 0;           // from the beginning, resumed ones included
    std::string checkpoint;      // a file that all ranks can write; empty: none is written or read
    int64_t steps_between = 100; // two checkpoints
    /// Steps for each exchange. With more than one, ranks exchange borders that are as many times as wide, and compute
    /// what they need of their neighbours' points again. 0: as many as a model of the network finds best. The bits of
    /// the result do not depend on it.
    int64_t steps_per_exchange = 1;
};

/// Realizes the pipeline once for each step; what a step writes is what the next one reads. The inputs hold the initial
/// values, and afterwards the result. If the checkpoint file exists, it replaces the initial values and the count of
/// steps; a run on another number of ranks continues with the same bits. Collective. Throws RuntimeError where images
/// of a field differ in domain or placement, and where a checkpoint is torn, not of this program, or beyond the steps.
void run_steps(const Pipeline &step, const std::vector<StepField> &fields, const StepOptions &options,
               const Target &target = Target(), const Location &location = Location::current());

} // namespace fluorite
