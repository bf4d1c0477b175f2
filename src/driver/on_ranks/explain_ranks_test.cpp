// Reports on what ranks own, exchange and allocate.
#include "driver/on_ranks/test_images.h"

namespace fluorite::explain_ranks_test {
namespace {

using namespace driver::testing;

TEST(DistributedImage, ReportsSayWhatRanksDo) {
    std::vector<RankReport> reports(3);
    run_on_ranks(3, [&] {
        DistributedImage<int> input(12, 30, "input"), output(12, 30, "output");
        Blur blur(input, 12, 30);
        blur.blur_x.compute_root().distribute(blur.y);
        blur.blur_y.distribute(blur.y);
        allocate<int>({&input, &output}, blur.x, blur.y);
        reports[static_cast<size_t>(ranks().rank)] = explain_ranks(blur.blur_y, output);
    });
    const RankReport &middle = reports[1];
    EXPECT_EQ(middle.rank, 1);
    EXPECT_EQ(middle.ranks, 3);
    EXPECT_EQ(middle.messages, 2); // a row to each side
    EXPECT_EQ(middle.bytes_sent, 2 * 12 * 4);
    EXPECT_EQ(reports[0].messages, 1);
    EXPECT_EQ(middle.bytes_owned, 3 * 10 * 12 * 4); // of the image, of both stages
    EXPECT_EQ(middle.bytes_allocated, (10 + 12 + 10) * 12 * 4);
    EXPECT_EQ(middle.text.substr(0, middle.text.find("\ncompute") + 1),
              "blur_y on rank 1 of 3: 2 messages with 96 bytes; 1536 bytes of memory, 1440 for its parts alone\n"
              "  input input over [0, 12) x [0, 30): its part is [0, 12) x [10, 20), it reads [0, 12) x [10, 20)\n"
              "  Func blur_x over [0, 12) x [-1, 31): its part is [0, 12) x [10, 20), it reads [0, 12) x [9, 21)\n"
              "  output blur_y over [0, 12) x [0, 30): its part is [0, 12) x [10, 20)\n");
    EXPECT_NE(middle.text.find("48 bytes to rank 2: blur_x [0, 12) x [19, 20)\n"), std::string::npos) << middle.text;
    EXPECT_NE(middle.text.find("while messages travel\n"), std::string::npos) << middle.text;
    ASSERT_EQ(middle.pictures.size(), 1U);
    EXPECT_EQ(middle.pictures[0].substr(0, 4), "<svg");
}

// Vectors and tiles make no layouts of their own where the image, or the reader, is cut alike.
TEST(DistributedImage, FuncsFollowTheirReaders) {
    run_on_ranks(3, [] {
        DistributedImage<int> input(12, 32, "input"), output(12, 32, "output");
        Blur blur(input, 12, 32);
        Var yi("yi");
        blur.blur_x.compute_root().distribute(blur.y).parallel(blur.y, 4);
        blur.blur_y.split(blur.y, blur.y, yi, 8).distribute(blur.y);
        allocate<int>({&input, &output}, blur.x, blur.y);
        const RankReport report = explain_ranks(blur.blur_y, output);
        EXPECT_EQ(report.messages, report.rank == 1 ? 2 : 1) << report.text;
        EXPECT_EQ(report.text.find("copy"), std::string::npos) << report.text;
    });
}

} // namespace
} // namespace fluorite::explain_ranks_test
