// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "engine/isa/code_object.h"

namespace rpl::isa {

inline constexpr std::array<const char*, 6> kExampleKernels = {
    "vector_add", "matmul", "softmax", "reduce", "transpose", "histogram"};
inline constexpr std::array<const char*, 2> kArchitectures = {"gfx90a", "gfx942"};

inline std::string example_path(const std::string& kernel, const std::string& arch) {
  return fmt::format("{}/objects/{}.{}.co", RPL_EXAMPLES, kernel, arch);
}

/// The shipped code object of one example; a test failure and null when it cannot be read.
inline std::shared_ptr<const CodeObject> example(const std::string& kernel,
                                                 const std::string& arch) {
  auto object = CodeObject::open(example_path(kernel, arch));
  EXPECT_TRUE(object.has_value()) << object.error().message;
  return object ? *object : nullptr;
}

}  // namespace rpl::isa
