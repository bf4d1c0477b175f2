// DistributedImage: the domain, this rank's part of it, and the memory of the part.
//
// Definitions read the image through an ImageParam that is never bound; its Parameter refers to a DistributedInput,
// through which runs find the memory. The image itself refers to both, so that no reference is circular.
//
// The memory is what the rank owns, or that and what it will receive in a run of a pipeline (allocate(pipeline,
// output)). A larger memory saves copies only: runs copy what they receive where the memory has no room for it.

#include "distributed/image_of_ranks.h"

#include "distributed/rank_count.h"
#include "distributed/ranks.h"
#include "fluorite/ops.h"
#include "ir/parameter.h"
#include "ir/parameter_value.h"
#include "ir/text_names.h"
#include "language/function.h"
#include "ranks/compiled/current_ranks.h"
#include "ranks/compiled/image_parts.h"
#include "ranks/transport/shared_memory.h"
#include "rewrite/simplify.h"
#include "schedule/directives/table.h"
#include "support/check.h"
#include "support/place.h"

#include <algorithm>

namespace fluorite {

using distribute::ArrayView;
using distribute::Box;
using distribute::Placement;

namespace distributed {

DistributedInput *distributed_input(const ir::Parameter &parameter) {
    return const_cast<DistributedInput *>(
        dynamic_cast<const DistributedInput *>(parameter.distributed.get())); // NOLINT
}

DistributedInput::~DistributedInput() = default;

void DistributedInput::set_memory(const Buffer<> &memory) {
    PartOfImage &mine = part();
    mine.mark.reset(); // before the memory that it marks
    mine.memory = memory;
    mine.mark = std::make_unique<distribute::ImageHeader>(memory.raw_buffer(),
                                                          distribute::ImagePart{domain, mine.placement, mine.owned});
}

PartOfImage &DistributedInput::part() {
    const int64_t rank = distribute::rank_of_thread();
    if (rank == 0) {
        return first_;
    }
    {
        const std::shared_lock lock(mutex_);
        if (const auto found = others_.find(rank); found != others_.end()) {
            return found->second;
        }
    }
    const std::unique_lock lock(mutex_);
    return others_[rank];
}

namespace {

/// The value of an expression of numbers and Params.
int64_t value_of(const Expr &expr, const std::string &name, const Location &location) {
    const Expr known = ir::transform(expr, [&](const Expr &node) -> Expr {
        const ir::Parameter *parameter =
            node->kind() == ir::ExprKind::Variable ? ir::parameter_of(node->symbol()) : nullptr;
        if (!parameter) {
            return node;
        }
        if (parameter == rank_count().get()) {
            return ir::make_const(node->type(), current_transport(location).ranks());
        }
        if (!parameter->has_value) {
            throw RuntimeError("unset-param",
                               concat("in ", parameter->name,
                                      ": it has no value; every Param needs one before a run; call set(value)"),
                               location);
        }
        return ir::value_of(*parameter);
    });
    const std::optional<int64_t> value = rewrite::constant_value(rewrite::simplify(known));
    if (!value || *value < 1) {
        throw RuntimeError("bad-distribution",
                           concat("in ", name, ": a number of ranks or the factor of a distributed loop is ",
                                  value ? concat(*value) : concat(expr),
                                  "; it is 1 or more, and known before the run; give a positive number or a Param"),
                           location);
    }
    return *value;
}

/// The directives of a schedule that say something of how values are computed, in no particular order.
std::vector<schedule::AppliedDirective> directives_of_computing(const schedule::FuncSchedule &schedule) {
    std::vector<schedule::AppliedDirective> found;
    const auto add_if = [&](bool is_applied, const char *name, const Location &location) {
        if (is_applied) {
            found.push_back({name, location});
        }
    };
    const auto add_marks = [&](const schedule::Marks &marks) {
        for (const schedule::Mark &mark : marks.all()) {
            const schedule::Subject subject = schedule::row_of(mark.name).subject;
            if (subject != schedule::Subject::Ranks && subject != schedule::Subject::Storage) { // those are said below
                found.push_back(schedule::applied(mark));
            }
        }
    };
    add_marks(schedule.marks);
    const schedule::AppliedDirective &on_region = schedule.on_region;
    add_if(static_cast<bool>(on_region), on_region.name.c_str(), on_region.location);
    for (const schedule::Bound &estimate : schedule.estimates) {
        add_if(true, "set_estimate", estimate.location);
    }
    add_if(schedule.compute.is_inlined(), "compute_inline", schedule.compute.location);
    add_if(schedule.compute.is_at(), "compute_at", schedule.compute.location);
    add_if(!schedule.store.is_inlined(), schedule.store.is_root() ? "store_root" : "store_at", schedule.store.location);
    add_if(!schedule.hoist.is_inlined(), "hoist_storage", schedule.hoist.location);
    for (const schedule::StageSchedule &stage : schedule.stages) {
        for (const schedule::LoopDim &dim : stage.dims) {
            add_if(dim.for_type != ForType::Serial, ir::directive_word(dim.for_type), dim.location);
            add_if(dim.partition != Partition::Auto, "partition", dim.location);
        }
        for (const schedule::Specialization &specialization : stage.specializations) {
            add_if(true, specialization.fails() ? "specialize_fail" : "specialize", specialization.location);
        }
        for (const schedule::Prefetch &prefetch : stage.prefetches) {
            add_if(true, "prefetch", prefetch.location);
        }
        for (const schedule::Split &step : stage.splits) {
            add_if(step.kind == schedule::Split::Kind::Skew, "skew", step.location);
        }
        add_if(stage.with.has_value(), "compute_with", stage.with ? stage.with->level.location : Location());
        add_marks(stage.marks);
        add_if(stage.atomic, "atomic", stage.touched.location);
        add_if(stage.allow_race_conditions, "allow_race_conditions", stage.touched.location);
    }
    return found;
}

} // namespace

Placement placement_of(const schedule::FuncSchedule &schedule, const std::vector<std::string> &dimensions,
                       const std::string &name, const Location &location) {
    Placement placement;
    const auto refuse_if = [&](const schedule::AppliedDirective &directive, const char *why) {
        if (directive) {
            throw RuntimeError(
                "bad-distribution",
                concat("in ", name, ": ", directive.name, " is applied to its placement, ", why, directive.name),
                directive.location);
        }
    };
    for (const schedule::AppliedDirective &directive : directives_of_computing(schedule)) {
        refuse_if(directive, "which says which rank has what; nothing is computed by it; remove ");
    }
    refuse_if(schedule.on_storage, "and the memory of an image is dense along its first dimension, as pipelines read "
                                   "it; a placement says which rank has what; remove ");
    const std::vector<schedule::RankDimension> layout = schedule::rank_layout(schedule, dimensions);
    if (layout.empty()) {
        const auto agglomerates = [](const schedule::Mark &mark) {
            return mark.name == schedule::DirectiveName::agglomerate;
        };
        const auto &marks = schedule.marks.all();
        const auto agglomerate = std::find_if(marks.begin(), marks.end(), agglomerates);
        refuse_if(agglomerate == marks.end() ? schedule::AppliedDirective() : schedule::applied(*agglomerate),
                  "and no loop of it is distributed; what is left to few ranks are its parts; call distribute() as "
                  "well, or remove ");
        for (const schedule::StageSchedule &stage : schedule.stages) {
            refuse_if(stage.on_loops, "and no loop of it is distributed; loops say how its parts are cut; call "
                                      "distribute() as well, or remove ");
        }
        return placement;
    }
    if (const Expr most = schedule.marks.value(schedule::DirectiveName::agglomerate); most.defined()) {
        placement.most_ranks = value_of(most, name, location);
    }
    placement.kind = Placement::Kind::Blocks;
    std::vector<int64_t> tiles(dimensions.size(), 1);
    for (const schedule::RankDimension &cut : layout) {
        placement.dimensions.push_back(cut.dimension);
        if (cut.parts.defined()) {
            placement.grid.push_back(value_of(cut.parts, name, location));
        }
        tiles[cut.dimension] = value_of(cut.tile, name, location);
    }
    if (std::any_of(tiles.begin(), tiles.end(), [](int64_t tile) { return tile != 1; })) {
        placement.tiles = tiles;
    }
    return placement;
}

} // namespace distributed

namespace detail {

// ---- ImageOfRanks.

void ImageOfRanks::refuse(const std::string &text, const Location &location) const {
    throw RuntimeError("bad-distribution", "in " + name + ": " + text, location);
}

void ImageOfRanks::require_allocated(const char *what, const Location &location) const {
    if (!input->part().is_allocated) {
        refuse(concat(what, " before allocate(); which part this rank has is known from then on; call placement() and "
                            "allocate() first"),
               location);
    }
}

/// An image of which the rank receives a good part is not only read beside what a peer sends but in place of it
/// (reads_in_place.h), so that its peers should be able to read it. Other images have large pages, which shared memory
/// has on few systems.
bool ImageOfRanks::allocate_pages(const Box &box, buffer_detail::Contents &contents) const {
    constexpr int64_t readable = 128; // bytes after the end
    const auto bytes = static_cast<size_t>(distribute::volume(box) * type.bytes() + readable);
    const bool is_read = distribute::readers_of_image(box, input->part().owned) == distribute::Readers::Peers;
    std::shared_ptr<void> memory = is_read ? distribute::allocate_shared(bytes) : nullptr;
    memory = memory ? memory : distribute::allocate_large_pages(bytes);
    void *host = memory.get();
    contents.set_host(host, std::move(memory));
    return host != nullptr;
}

void ImageOfRanks::set_memory(const Box &box, const Location &location) {
    const std::vector<fluorite_dimension_t> dims =
        with_place(location, [&] { return distribute::dense_dimensions(box, name); });
    auto contents = std::make_shared<buffer_detail::Contents>(type, dims, name);
    if (!allocate_pages(box, *contents)) {
        contents->allocate(location);
    }
    Buffer<> memory(contents);
    const distributed::PartOfImage &part = input->part();
    if (part.memory.defined()) {
        distribute::copy_box(distribute::view_of(*part.memory.raw_buffer()), part.owned,
                             distribute::view_of(*memory.raw_buffer()), part.owned);
    }
    input->set_memory(memory);
}

void ImageOfRanks::allocate(const Location &location) {
    distributed::PartOfImage &part = input->part();
    if (part.is_allocated) {
        refuse("allocate() of an image that has memory; an image is allocated once, after its placement; make another "
               "one for another placement",
               location);
    }
    const distribute::Transport &transport = distributed::current_transport(location);
    with_place(location, [&] {
        if (accessor) {
            const language::Function &function = *accessor->function();
            if (function.def.stages.size() > 1 || !function.wrappers.empty()) {
                refuse("its placement is given an update or a wrapper; a placement says which rank has what, and "
                       "nothing is computed by it; remove it",
                       location);
            }
            part.placement = distributed::placement_of(function.schedule, function.def.arg_names, name, location);
        }
        part.owned = distribute::owned_by(input->domain, part.placement, transport.rank(), transport.ranks(), name);
    });
    set_memory(part.owned, location);
    part.is_allocated = true;
}

void ImageOfRanks::grow(const Box &needed, const Location &location) {
    const Box box = distribute::hull(needed, input->part().owned);
    if (box != input->part().owned) {
        set_memory(box, location);
    }
}

// ---- DistributedImageBase.

ImageOfRanks::~ImageOfRanks() {
    if (is_borrowed) {
        parameter.parameter().contents()->distributed = {};
    }
}

DistributedImageBase::DistributedImageBase(Type type, const std::vector<int> &sizes, const std::string &name,
                                           const Location &location)
    : DistributedImageBase(type, ImageParam(type, static_cast<int>(sizes.size()), name, location), sizes, location) {
    image_->is_borrowed = false;
}

DistributedImageBase::DistributedImageBase(Type type, const ImageParam &parameter, const std::vector<int> &sizes,
                                           const Location &location)
    : image_(std::make_shared<ImageOfRanks>()) {
    image_->name = language::shown_name(parameter.name(location));
    if (!(parameter.type() == type) || static_cast<size_t>(parameter.dimensions()) != sizes.size()) {
        image_->refuse(concat("a DistributedImage of type ", type, " with ", sizes.size(),
                              " dimensions is made of an ImageParam of type ", parameter.type(), " with ",
                              parameter.dimensions(), "; both have the same; declare one like the other"),
                       location);
    }
    if (parameter.parameter().contents()->buffer || distributed::distributed_input(*parameter.parameter().contents())) {
        image_->refuse("a DistributedImage is made of an ImageParam that has a buffer or is another one's; it has one "
                       "source of elements; call reset(), or use another ImageParam",
                       location);
    }
    image_->parameter = parameter;
    image_->type = type;
    image_->sizes = sizes;
    image_->input = RefPtr<distributed::DistributedInput>(new distributed::DistributedInput);
    for (const int size : sizes) {
        if (size < 1) {
            image_->refuse(concat("a size of ", size,
                                  " is given; a DistributedImage has one or more elements along "
                                  "each dimension; pass positive sizes"),
                           location);
        }
        image_->input->domain.push_back({0, size});
    }
    image_->parameter.parameter().contents()->distributed = RefPtr<const RefCounted>(image_->input.get());
    image_->is_borrowed = true;
}

ImageOfRanks &DistributedImageBase::needed(const char *what, const Location &location) const {
    if (!image_) {
        throw RuntimeError("bad-distribution",
                           concat("in a DistributedImage: ", what,
                                  " of an image without sizes; construct it as DistributedImage<T>(width, height)"),
                           location);
    }
    return *image_;
}

const std::string &DistributedImageBase::name(const Location &location) const {
    return needed("name()", location).name;
}
int DistributedImageBase::dimensions() const { return image_ ? static_cast<int>(image_->sizes.size()) : 0; }

void DistributedImageBase::set_domain(const std::vector<Var> &vars, const Location &location) {
    ImageOfRanks &image = needed("set_domain()", location);
    if (vars.size() != image.sizes.size()) {
        image.refuse(concat("set_domain() names ", vars.size(), " dimensions; it has ", image.sizes.size(),
                            "; give one Var for each dimension"),
                     location);
    }
    if (image.input->part().is_allocated) {
        image.refuse("set_domain() after allocate(); the placement is final then; call it first", location);
    }
    Func accessor("placement_of_" + image.name);
    accessor(vars, location) = image.parameter(std::vector<Expr>(vars.begin(), vars.end()), location);
    accessor.compute_root(location);
    image.accessor = accessor;
}

Func &DistributedImageBase::placement(const Location &location) {
    ImageOfRanks &image = needed("placement()", location);
    if (!image.accessor) {
        image.refuse("placement() before set_domain(); a placement names dimensions; call set_domain(x, y) with one "
                     "Var for each",
                     location);
    }
    if (image.input->part().is_allocated) {
        image.refuse("placement() after allocate(); the memory is that of the placement before; call placement() first",
                     location);
    }
    return *image.accessor;
}

namespace {
size_t checked_dimension(const ImageOfRanks &image, int dimension, const Location &location) {
    if (dimension < 0 || static_cast<size_t>(dimension) >= image.sizes.size()) {
        image.refuse(concat("dimension ", dimension, " is named; it has ", image.sizes.size(),
                            ", numbered from 0; name one of them"),
                     location);
    }
    return static_cast<size_t>(dimension);
}
} // namespace

int DistributedImageBase::global_extent(Integer dimension, const Location &location) const {
    const ImageOfRanks &image = needed("global_extent()", location);
    return image.sizes[checked_dimension(image, dimension, location)];
}

int DistributedImageBase::extent(Integer dimension, const Location &location) const {
    const ImageOfRanks &image = needed("extent()", location);
    image.require_allocated("extent()", location);
    return static_cast<int>(image.input->part().owned[checked_dimension(image, dimension, location)].extent());
}

int DistributedImageBase::allocated_min(Integer dimension, const Location &location) const {
    return buffer(location).dim(dimension).min();
}
int DistributedImageBase::allocated_extent(Integer dimension, const Location &location) const {
    return buffer(location).dim(dimension).extent();
}

int DistributedImageBase::global(Integer dimension, int local, const Location &location) const {
    const ImageOfRanks &image = needed("global()", location);
    image.require_allocated("global()", location);
    return static_cast<int>(image.input->part().owned[checked_dimension(image, dimension, location)].begin + local);
}

int DistributedImageBase::local(Integer dimension, int global, const Location &location) const {
    const ImageOfRanks &image = needed("local()", location);
    image.require_allocated("local()", location);
    return static_cast<int>(global - image.input->part().owned[checked_dimension(image, dimension, location)].begin);
}

bool DistributedImageBase::mine(const std::vector<int> &point, const Location &location) const {
    const ImageOfRanks &image = needed("mine()", location);
    image.require_allocated("mine()", location);
    if (point.size() != image.sizes.size()) {
        image.refuse(concat("mine() of a point with ", point.size(), " coordinates; it has ", image.sizes.size(),
                            " dimensions; give one coordinate for each"),
                     location);
    }
    for (size_t d = 0; d < point.size(); d++) {
        if (!image.input->part().owned[d].contains(point[d])) {
            return false;
        }
    }
    return true;
}

const ImageParam &DistributedImageBase::parameter(const Location &location) const {
    return needed("parameter()", location).parameter;
}
Dimension DistributedImageBase::dim(Integer index, const Location &location) const {
    return parameter(location).dim(index, location);
}

Buffer<> DistributedImageBase::buffer(const Location &location) const {
    const ImageOfRanks &image = needed("get_buffer()", location);
    image.require_allocated("get_buffer()", location);
    return image.input->part().memory;
}

void DistributedImageBase::swap(DistributedImageBase &other, const Location &location) {
    ImageOfRanks &a = needed("swap()", location), &b = other.needed("swap()", location);
    a.require_allocated("swap()", location);
    b.require_allocated("swap()", location);
    if (a.input->domain != b.input->domain || !(a.input->part().placement == b.input->part().placement) ||
        !(a.type == b.type)) {
        a.refuse("swap() with " + b.name +
                     ", which has another size, placement or type; what is exchanged is alike; copy the elements, or "
                     "give both the same placement",
                 location);
    }
    const Buffer<> memory = a.input->part().memory;
    a.input->set_memory(b.input->part().memory);
    b.input->set_memory(memory);
}

void *DistributedImageBase::element(const int64_t *local, int count, const Location &location) const {
    const ImageOfRanks &image = needed("an element", location);
    image.require_allocated("an element is asked for", location);
    const distributed::PartOfImage &part = image.input->part();
    const fluorite_buffer_t &memory = *part.memory.raw_buffer();
    bool is_inside = static_cast<size_t>(count) == part.owned.size();
    int64_t offset = 0;
    for (int d = 0; is_inside && d < count; d++) {
        const distribute::Span &span = part.owned[static_cast<size_t>(d)];
        is_inside = local[d] >= 0 && local[d] < span.extent();
        offset += (span.begin + local[d] - memory.dim[d].min) * int64_t{memory.dim[d].stride};
    }
    if (!is_inside) {
        std::string point;
        for (int d = 0; d < count; d++) {
            point += concat(d > 0 ? ", " : "", local[d]);
        }
        image.refuse(concat("element (", point, ") of this rank's part is asked for, which is ",
                            distribute::to_string(part.owned),
                            " of the image; local coordinates begin at 0, one for each dimension; use mine() and "
                            "local() for coordinates of the whole image"),
                     location);
    }
    return memory.host + offset * image.type.bytes();
}

} // namespace detail

} // namespace fluorite
