// SPDX-License-Identifier: MIT
#include "engine/optimize/inputs/input_taint.h"

#include <gtest/gtest.h>

#include "tests/engine/optimize/inputs/kernel_code.h"

namespace rpl {
namespace {

/// How many branches and switches of lanes of a kernel of tests/cheats depend on inputs, and how many on the workgroup alone. Jumps over code that no lane would run are left out: compilers
/// put them behind switches, and in places where no lane was ever switched off.
struct Conditions {
  unsigned of_inputs = 0, of_workgroup = 0;
};

Conditions conditions_of(const std::string& source, const std::string& kernel) {
  const auto program = program_of(source, kernel);
  const InputTaint taint(*program);
  Conditions out;
  for (std::size_t i = program->entry; i < program->ops.size(); ++i) {
    const auto name = name_of(program->ops[i]);
    if (name.starts_with("s_endpgm")) break;
    if (name == "s_and_saveexec_b64")
      ++(taint.of_choice(i) ? out.of_inputs : out.of_workgroup);
    else if (name.starts_with("s_cbranch_scc") || name.starts_with("s_cbranch_vcc"))
      ++(taint.of_branch(i) ? out.of_inputs : out.of_workgroup);
  }
  return out;
}

TEST(InputTaint, LengthsAndWhatIsReadAreInputs) {
  for (const char* kernel : {"summed", "best", "shares"}) {
    const Conditions all = conditions_of("loops", kernel);
    EXPECT_GT(all.of_inputs, 1U) << kernel;
    EXPECT_EQ(all.of_workgroup, 0U) << kernel;
  }
}

TEST(InputTaint, WhichWorkgroupItIsIsAnInput) {
  // if (blockIdx.x > 40) return, and if (gridDim.x > 100).
  for (const char* kernel : {"scaled_root_first_groups", "scaled_root_small_grids"}) {
    const Conditions all = conditions_of("rewritten", kernel);
    EXPECT_GT(all.of_inputs, 0U) << kernel;
    EXPECT_EQ(all.of_workgroup, 0U) << kernel;
  }
}

TEST(InputTaint, WhatIsWrittenOnEitherWayOfAConditionOfInputsIsOfInputs) {
  // The masks of this one are 0 or all lanes by gridDim.x alone; whether they join the ways is asked of the last switch.
  const Conditions all = conditions_of("rewritten", "scaled_root_small_grids");
  EXPECT_EQ(all.of_inputs, 5U);
}

TEST(InputTaint, WorkItemsAndTheSizeOfTheWorkgroupAreNone) {
  // for (b = threadIdx.x; b < 64; b += blockDim.x) around if (i < n).
  const Conditions bins = conditions_of("rewritten", "hist_ok_lds");
  EXPECT_GT(bins.of_workgroup, 3U);
  EXPECT_GT(bins.of_inputs, 0U);
  // if (lane >= d) with constant d, and the loop over the waves before.
  EXPECT_GT(conditions_of("rewritten", "scanblock_ok_waves").of_workgroup, 0U);
}

}  // namespace
}  // namespace rpl
