// Plans, replays and pictures of distributed programs as whole texts: tests/distribute. A part that begins one
// coordinate later, a message more or a microsecond less shows in them. FLUORITE_UPDATE_GOLDENS rewrites the files.

#include "ranks/describe/description.h"
#include "support/test_golden.h"

#include <gtest/gtest.h>

namespace fluorite::distribute::reports_test {

namespace {

std::vector<std::string> words_of(const std::string &text) {
    std::vector<std::string> words;
    std::istringstream stream(text);
    for (std::string word; stream >> word;) {
        words.push_back(word);
    }
    return words;
}

void expect_answers(const std::vector<std::string> &questions, const std::string &name) {
    std::string seen;
    for (const std::string &request : questions) {
        seen += "> " + request + "\n" + report(parse_plan_request(words_of(request)), nullptr) + "\n";
    }
    expect_golden(seen, "tests/distribute/" + name);
}

} // namespace

TEST(Answers, OfStencils) {
    expect_answers({"stencil --size 100 --ranks 3 --rank 1 --radius 2", "stencil --size 13x11 --ranks 6 --rank 4",
                    "stencil --size 13x11 --ranks 6 --rank 0 --periodic 0,1 --bytes 8 --radius 3",
                    "stencil --size 40x30x20 --ranks 8 --grid 2x2x2 --rank 7 --steps 11 --sweeps 4 --cost 2.5",
                    "stencil --size 1000x1000 --ranks 64 --rank 9 --steps 100 --sweeps best --overlap",
                    "stencil --size 1000x1000 --ranks 64 --rank 9 --steps 100 --sweeps best --latency 50 --bandwidth 1",
                    "stencil --size 4x3 --ranks 17 --rank 16", "stencil --size 50x50 --ranks 1 --periodic 1",
                    "stencil --size 9x70 --ranks 5 --grid 1x5 --radius 20 --rank 2 --gap 3 --overhead 1 --point 4"},
                   "stencils.txt");
}

TEST(Answers, OfPyramids) {
    expect_answers(
        {"pyramid --size 64x48 --ranks 4 --rank 1 --levels 3", "pyramid --size 31 --ranks 3 --rank 2 --levels 4",
         "pyramid --size 64x64 --ranks 8 --rank 5 --levels 4 --coarse-from 2 --coarse-ranks 2",
         "pyramid --size 64 --ranks 4 --rank 3 --levels 4 --coarse-from 2 --coarse-ranks all --steps 3 --overlap"},
        "pyramids.txt");
}

TEST(Answers, OfTranspositionsAndScalings) {
    expect_answers({"transposition --size 12x10 --ranks 3 --rank 1",
                    "transposition --size 9x8x7 --ranks 4 --rank 0 --bytes 2",
                    "stencil --size 200x200 --ranks 12 --scaling weak --steps 10",
                    "stencil --size 200x200 --ranks 16 --scaling strong --steps 10 --overlap",
                    "transposition --size 100x100 --ranks 5 --scaling weak",
                    "stencil --size 200x200 --ranks 16 --scaling strong --from 4 --steps 10 --packing 0.5",
                    "pyramid --size 256x256 --ranks 8 --scaling strong --coarse-from 3 --coarse-ranks 4"},
                   "scalings.txt");
}

TEST(Answers, ArePictures) {
    std::string picture;
    report(parse_plan_request(words_of("stencil --size 12x9 --ranks 4 --rank 3 --periodic 0")), &picture);
    expect_golden(picture, "tests/distribute/halo.svg");
    picture.clear();
    report(parse_plan_request(words_of("stencil --size 40 --ranks 3 --rank 1 --radius 2")), &picture);
    expect_golden(picture, "tests/distribute/line.svg");
    picture.clear();
    report(parse_plan_request(words_of("stencil --size 40x40 --ranks 16 --scaling strong")), &picture);
    expect_golden(picture, "tests/distribute/scaling.svg");
}

} // namespace fluorite::distribute::reports_test
