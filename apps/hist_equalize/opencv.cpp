#include "apps/common/opencv.h"

#include <opencv2/imgproc.hpp>

int main() {
    const cv::Mat in = apps::interleaved(apps::random_image<uint8_t>(4096, 3072, 3));
    cv::Mat converted, out;
    std::vector<cv::Mat> planes;
    return apps::measure_opencv("hist_equalize", [&] {
        cv::cvtColor(in, converted, cv::COLOR_RGB2YCrCb);
        cv::split(converted, planes);
        cv::equalizeHist(planes[0], planes[0]);
        cv::merge(planes, converted);
        cv::cvtColor(converted, out, cv::COLOR_YCrCb2RGB);
    });
}
