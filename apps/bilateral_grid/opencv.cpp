#include "apps/common/opencv.h"

#include <opencv2/imgproc.hpp>

// OpenCV's filter is the direct sum over a disc.
int main() {
    const auto input = apps::random_image<float>(3072, 2048);
    const cv::Mat in = apps::over(input);
    cv::Mat out;
    return apps::measure_opencv("bilateral_grid",
                                [&] { cv::bilateralFilter(in, out, 17, 0.1, 8, cv::BORDER_REPLICATE); });
}
