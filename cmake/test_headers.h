// The precompiled header of the modules' tests.
#pragma once

#include <gtest/gtest.h>

#include "ir_headers.h"
