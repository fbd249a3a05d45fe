// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/engine/device/execute/example_runs.h"

namespace rpl::emu {

/// A kernel of a committed object of examples/hip/gfx950.
inline KernelRun gfx950_run(const std::string& object, const std::string& kernel, Size3 grid,
                            std::uint32_t workgroup = 64) {
  KernelRun run;
  run.object = isa::object_at(fmt::format("{}/gfx950/objects/{}.gfx950.co", RPL_EXAMPLES, object));
  run.kernel = kernel;
  run.grid = grid;
  run.workgroup = {workgroup, 1, 1};
  return run;
}

/// A buffer of bytes that holds the values.
template <class T>
BufferArgument filled(const std::vector<T>& values) {
  BufferArgument argument{.element = Element::u8, .count = values.size() * sizeof(T), .fill = {}};
  argument.fill.kind = Fill::Kind::bytes;
  argument.fill.bytes.resize(values.size() * sizeof(T));
  std::memcpy(argument.fill.bytes.data(), values.data(), argument.fill.bytes.size());
  return argument;
}

}  // namespace rpl::emu
