// Lesson 13: pipelines on many machines.
//
// Images and volumes may outgrow one machine. A distributed program runs as several processes, called ranks, each of
// which has a part of every image. The definition of the pipeline stays as it is; distribute() says which rank
// computes which part, and what ranks have to exchange is inferred.
//
// Processes are started by mpirun, and the program calls MPI_Init. For a first look, run_on_ranks() makes ranks of
// threads: the function is the whole program, and everything in it happens on each rank.

#include "lesson.h"

#include <algorithm>
#include <atomic>
#include <string>

using namespace fluorite;
using lesson::check;

constexpr int width = 48, height = 36;

static int source_at(int x, int y) { return (x * 31 + y * 17) % 256; }

/// A blur, whose first stage reads columns beside its own and whose second stage reads rows.
struct Blur {
    Var x{"x"}, y{"y"};
    Func inside{"inside"}, across{"across"}, down{"down"};

    explicit Blur(const DistributedImage<int> &in) {
        inside(x, y) = in(clamp(x, 0, in.global_width() - 1), clamp(y, 0, in.global_height() - 1));
        across(x, y) = (inside(x - 1, y) + inside(x, y) + inside(x + 1, y)) / 3;
        down(x, y) = (across(x, y - 1) + across(x, y) + across(x, y + 1)) / 3;
    }
};

static int inside_at(int x, int y) {
    return source_at(std::min(std::max(x, 0), width - 1), std::min(std::max(y, 0), height - 1));
}
static int across_at(int x, int y) { return (inside_at(x - 1, y) + inside_at(x, y) + inside_at(x + 1, y)) / 3; }
static int down_at(int x, int y) { return (across_at(x, y - 1) + across_at(x, y) + across_at(x, y + 1)) / 3; }

int main(int argc, char **argv) {
    const std::string folder = lesson::folder(argc, argv);
    std::atomic<int> points = 0, wrong = 0;

    // ---- Six ranks: rows of the image are divided among them.

    run_on_ranks(6, [&] {
        DistributedImage<int> in(width, height, "in"), out(width, height, "out"); // sizes of the whole images
        Blur blur(in);
        // Each rank computes its rows of both stages. Before the second, neighbours exchange a row of the first.
        blur.across.compute_root().distribute(blur.y);
        blur.down.distribute(blur.y).vectorize(blur.x, 8);

        // Which rank has what of the images: scheduled like a Func. The input gets room for what this rank receives.
        in.set_domain(blur.x, blur.y);
        in.placement().distribute(blur.y);
        in.allocate(blur.down, out);
        out.set_domain(blur.x, blur.y);
        out.placement().distribute(blur.y);
        out.allocate();

        // Each rank fills its part. Its coordinates begin at 0; global() gives those of the whole image.
        wrong += in.height() == height / 6 ? 0 : 1; // a sixth of the rows
        for (int y = 0; y < in.height(); y++) {
            for (int x = 0; x < in.width(); x++) {
                in(x, y) = source_at(in.global(0, x), in.global(1, y));
            }
        }
        blur.down.realize(out); // all ranks together
        for (int y = 0; y < out.height(); y++) {
            for (int x = 0; x < out.width(); x++) {
                points++;
                wrong += out(x, y) == down_at(out.global(0, x), out.global(1, y)) ? 0 : 1;
            }
        }
    });
    check(points == width * height && wrong == 0, "the ranks together have the image, with the bits of plain loops");

    // ---- Layouts: rows, a grid that is chosen, a grid that is given, tiles. Each point is coloured by its rank.

    Buffer<uint8_t> picture(4 * (width + 4) - 4, height, 3);
    picture.fill(255);
    for (int layout = 0; layout < 4; layout++) {
        run_on_ranks(6, [&] {
            DistributedImage<int> image(width, height, "image");
            Var x("x"), y("y"), yi("yi");
            image.set_domain(x, y);
            Func &placement = image.placement();
            if (layout == 0) {
                placement.distribute(y);
            } else if (layout == 1) {
                placement.distribute(x, y); // 3 x 2: all six ranks take part, with short borders
            } else if (layout == 2) {
                placement.distribute(x, y, 5, 1); // the last rank has nothing
            } else {
                placement.split(y, y, yi, 16).distribute(y); // parts begin at multiples of 16
            }
            image.allocate();
            const int rank = ranks().rank;
            for (int j = 0; j < image.height(); j++) {
                for (int i = 0; i < image.width(); i++) {
                    const int px = layout * (width + 4) + image.global(0, i), py = image.global(1, j);
                    picture(px, py, 0) = static_cast<uint8_t>(40 + 40 * rank);
                    picture(px, py, 1) = static_cast<uint8_t>(200 - 30 * rank);
                    picture(px, py, 2) = static_cast<uint8_t>(rank % 2 == 0 ? 180 : 80);
                }
            }
        });
    }
    lesson::save(picture, folder, "13_parts.png");
    check(picture(0, 0, 0) == 40 && picture(0, height - 1, 0) == 240, "the first rank's rows come first");

    // ---- compute_rank(): each rank computes what it needs, and its neighbours' border again, instead of waiting.
    // A realize() by sizes gives every rank the whole result.

    run_on_ranks(4, [&] {
        DistributedImage<int> in(width, height, "in");
        Blur blur(in);
        blur.across.compute_rank();
        blur.down.distribute(blur.x, blur.y);
        in.set_domain(blur.x, blur.y);
        in.placement().distribute(blur.x, blur.y);
        in.allocate();
        in.get_buffer().for_each_element([&](int x, int y) { in.get_buffer()(x, y) = source_at(x, y); });
        const Buffer<int> all = blur.down.realize({width, height});
        wrong += all(0, 0) == down_at(0, 0) && all(width - 1, height - 1) == down_at(width - 1, height - 1) ? 0 : 1;
    });
    check(wrong == 0, "every rank has the whole result");

    // ---- Time steps: what a step writes is what the next one reads. With a checkpoint file a run that was interrupted
    // continues, on any number of ranks.

    run_on_ranks(3, [&] {
        DistributedImage<float> now(width, height, "now"), next(width, height, "next");
        Var x("x"), y("y");
        Func around = BoundaryConditions::repeat_image(now), step("step");
        step(x, y) = 0.5f * around(x, y) + 0.25f * (around(x - 1, y) + around(x + 1, y));
        step.distribute(y);
        for (DistributedImage<float> *image : {&now, &next}) {
            image->set_domain(x, y);
            image->placement().distribute(y);
            image->allocate();
        }
        for (int j = 0; j < now.height(); j++) {
            for (int i = 0; i < now.width(); i++) {
                now(i, j) = i == 20 ? 1.0f : 0.0f;
            }
        }
        StepOptions options;
        options.steps = 2;
        run_steps(step, {{now, next}}, options);
        wrong += now(20, 0) == 0.375f && now(22, 0) == 0.0625f ? 0 : 1;
    });
    check(wrong == 0, "two steps spread a line as the binomial coefficients say");
    return lesson::result();
}
