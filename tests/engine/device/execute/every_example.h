// SPDX-License-Identifier: MIT
#pragma once

#include "tests/engine/device/execute/example_runs.h"

namespace rpl::emu {

/// A kernel of examples/hip with a small launch.
struct Example {
  const char* name;
  KernelRun (*run)(const std::string& arch);
};

inline constexpr Example kEveryExample[] = {
    {"vector_add", [](const std::string& arch) { return vector_add(arch, 100'000); }},
    {"vcopy", [](const std::string& arch) { return vcopy(arch, 100'000); }},
    {"matmul", [](const std::string& arch) { return matmul(arch, 64, 64, 64); }},
    {"matmul_mfma", [](const std::string& arch) { return matmul_mfma(arch, 64, 64, 64); }},
    {"softmax", [](const std::string& arch) { return softmax(arch, 256, 50); }},
    {"reduce", [](const std::string& arch) { return reduce(arch, 50'000, 16); }},
    {"transpose", [](const std::string& arch) { return transpose(arch, 128, 128); }},
    {"histogram", [](const std::string& arch) { return histogram(arch, 20'000, 8); }},
    {"attention", [](const std::string& arch) { return attention(arch, 64, 64); }},
    {"layer_norm", [](const std::string& arch) { return layer_norm(arch, 64, 200, 256); }},
    {"stencil", [](const std::string& arch) { return stencil(arch, 128, 64, 2); }},
    {"pointer_chase", [](const std::string& arch) { return pointer_chase(arch, 4096, 256, 32); }},
    {"divergent", [](const std::string& arch) { return divergent(arch, 4096); }},
    {"newton_f64", [](const std::string& arch) { return newton_f64(arch, 4096); }},
    {"normalize", [](const std::string& arch) { return normalize(arch, 256, 50); }},
    {"row_scale", [](const std::string& arch) { return row_scale(arch, 256, 50); }},
    {"transpose_unpadded",
     [](const std::string& arch) { return transpose_unpadded(arch, 128, 128); }},
};
static_assert(std::size(kEveryExample) == isa::kExampleKernels.size());

}  // namespace rpl::emu
