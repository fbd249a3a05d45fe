// SPDX-License-Identifier: MIT
#pragma once

#include "engine/capture/arguments.h"
#include "engine/capture/dispatches.h"
#include "engine/replay/images.h"
#include "tests/engine/capture/captured.h"

namespace rpl::test {

/// vector_add `count` times in a row on three buffers, each of which is written in turn: c = a + b, a = b + c, b = c + a. The image afterwards is what running the dispatches
/// one after the other leaves.
inline Capture slice_of(std::size_t count, const std::string& arch = "gfx942") {
  Capture slice = captured(emu::vector_add(arch, 100));
  const auto buffers = slice.arguments;
  MemoryImage memory;
  for (std::size_t i = 0; i < count; ++i) {
    FollowingDispatch dispatch{.kernel = slice.kernel,
                               .grid = slice.grid,
                               .workgroup = slice.workgroup,
                               .kernarg = slice.kernarg,
                               .arguments = {}};
    for (std::size_t j = 0; j < 3; ++j)
      std::memcpy(dispatch.kernarg.data() + buffers[j].kernarg_offset,
                  &slice.regions[(i + j) % 3].base, sizeof(std::uint64_t));
    Capture alone = slice;
    alone.then.clear();
    alone.kernarg = dispatch.kernarg;
    auto run = replay_once({.capture = &alone, .memory = memory});
    EXPECT_TRUE(run.has_value()) << run.error().message;
    if (run) memory = std::move(run->memory);
    if (i > 0) slice.then.push_back(std::move(dispatch));
  }
  for (std::size_t i = 0; i < slice.regions.size(); ++i) {
    CapturedRegion& region = slice.regions[i];
    region.after.reset();
    if (memory[i] != region.before) region.after = memory[i];
  }
  find_arguments(*object_of(slice).value(), slice);
  return slice;
}

}  // namespace rpl::test
