// The precompiled header of the modules that use the IR: these headers dominate the compile time of a short file.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/expr_node.h"
#include "ir/graph.h"
#include "ir/stmt.h"
