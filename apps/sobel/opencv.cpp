#include "apps/common/opencv.h"

#include <opencv2/imgproc.hpp>

int main() {
    const auto input = apps::random_image<uint8_t>(8192, 8192);
    const cv::Mat in = apps::over(input);
    cv::Mat dx, dy, across, down, out;
    return apps::measure_opencv("sobel", [&] {
        cv::Sobel(in, dx, CV_16S, 1, 0, 3, 1, 0, cv::BORDER_REFLECT_101);
        cv::Sobel(in, dy, CV_16S, 0, 1, 3, 1, 0, cv::BORDER_REFLECT_101);
        cv::convertScaleAbs(dx, across);
        cv::convertScaleAbs(dy, down);
        cv::add(across, down, out);
    });
}
