// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "engine/isa/object/code_object.h"

namespace rpl::isa {

/// Those whose kernel has the name of its file.
inline constexpr std::array<const char*, 17> kExampleKernels = {
    "vector_add",  "matmul",     "softmax",   "reduce",     "transpose",         "histogram",
    "matmul_mfma", "vcopy",      "attention", "layer_norm", "stencil",           "pointer_chase",
    "divergent",   "newton_f64", "normalize", "row_scale",  "transpose_unpadded"};
inline constexpr std::array<const char*, 2> kArchitectures = {"gfx90a", "gfx942"};

inline std::string example_path(const std::string& kernel, const std::string& arch) {
  return fmt::format("{}/objects/{}.{}.co", RPL_EXAMPLES, kernel, arch);
}

/// Reads a code object. Ends the program when it cannot be read: the source tree is broken then.
inline std::shared_ptr<const CodeObject> object_at(const std::string& path) {
  auto object = CodeObject::open(path);
  if (object) return *object;
  std::fputs((object.error().message + '\n').c_str(), stderr);
  std::abort();
}

/// The shipped code object of one example.
inline std::shared_ptr<const CodeObject> example(const std::string& kernel,
                                                 const std::string& arch) {
  return object_at(example_path(kernel, arch));
}

inline std::string test_object_path(const std::string& source, const std::string& arch) {
  return fmt::format("{}/../../tests/engine/device/execute/kernels/objects/{}.{}.co", RPL_EXAMPLES,
                     source, arch);
}

/// The code object of one source in tests/engine/device/execute/kernels.
inline std::shared_ptr<const CodeObject> test_object(const std::string& source,
                                                     const std::string& arch) {
  return object_at(test_object_path(source, arch));
}

}  // namespace rpl::isa
