#include "ranks/transport/log_gp.h"

#include "fluorite/errors.h"
#include "support/check.h"

#include <cmath>
#include <utility>

namespace fluorite::distribute {

void LogGP::validate() const {
    for (const auto &[name, value] : {std::pair("latency", latency),
                                      {"overhead", overhead},
                                      {"gap", gap},
                                      {"seconds_per_byte", seconds_per_byte},
                                      {"seconds_per_point", seconds_per_point},
                                      {"seconds_per_packed_byte", seconds_per_packed_byte},
                                      {"seconds_per_row", seconds_per_row}}) {
        if (!(value >= 0) || !std::isfinite(value)) {
            throw RuntimeError("bad-replay", concat("the network's ", name, " is ", value,
                                                    "; a time is a finite number of seconds from 0 on; measure it"));
        }
    }
}

} // namespace fluorite::distribute
