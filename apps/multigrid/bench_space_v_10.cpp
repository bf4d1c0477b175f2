#include "apps/multigrid/measure_cycle.h"

int main(int argc, char **argv) {
    return apps::measure_cycle("multigrid_space_v_10", {argc, argv}, {3, apps::Cycle::V, {10, 0, 0}});
}
