// SPDX-License-Identifier: MIT
// Code objects of every version that clang 19 makes: the kernel looks at its workgroup's and its grid's size, which version 4 has in the
// dispatch packet and later ones in hidden arguments.
#include <gtest/gtest.h>

#include "tests/engine/device/execute/example_runs.h"

namespace rpl::emu {
namespace {

struct Version {
  const char* name;
  std::uint8_t
      abi;  ///< e_ident[EI_ABIVERSION]: LLVM, "AMDGPU Usage", ELFABIVERSION_AMDGPU_HSA_V4 and later
  bool has_hidden_arguments;
};

class Versions : public testing::TestWithParam<Version> {};

TEST_P(Versions, RunWithTheirOwnWayToTheLaunch) {
  const auto& [name, abi, hidden] = GetParam();
  constexpr std::uint32_t n = 1000, workgroup = 128, workgroups = 3;
  for (const std::string arch : isa::kArchitectures) {
    KernelRun run;
    run.object = isa::test_object(std::string("versions.") + name, arch);
    ASSERT_EQ(run.object->elf().abi_version, abi);
    const isa::Kernel& kernel = run.object->kernels().front();
    ASSERT_EQ(kernel.explicit_arguments().size(), 3U);
    ASSERT_EQ(kernel.arguments.size() > 3, hidden);
    run.grid = {workgroup * workgroups, 1, 1};
    run.workgroup = {workgroup, 1, 1};
    run.dynamic_lds_bytes = workgroup * sizeof(std::int32_t);
    run.arguments = {words(n, Fill::Kind::iota), words(n), number(static_cast<std::int32_t>(n))};
    const auto out = values_of<std::uint32_t>(run_ok(run).buffers[1]);
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t turned = i / workgroup * workgroup + (workgroup - 1 - i % workgroup);
      ASSERT_EQ(out[i], (turned < n ? turned : 0) + workgroup * 1000) << arch << ' ' << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(CodeObjects, Versions,
                         testing::Values(Version{"v4", 2, false}, Version{"v5", 3, true},
                                         Version{"v6", 4, true}),
                         [](const auto& version) { return std::string(version.param.name); });

}  // namespace
}  // namespace rpl::emu
