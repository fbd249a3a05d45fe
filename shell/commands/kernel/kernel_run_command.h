// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/document/document.h"
#include "shell/core/session/inputs.h"

namespace rpl {

class Context;

/// What `kernel run` is given.
struct KernelRunArgs {
  std::string object, kernel, grid, workgroup, capture, att;
  std::vector<std::string> arg, dump, expect;
  std::int64_t dynamic_lds = 0, budget = 0, max_waves = 0;
  std::optional<std::int64_t> threads;
  std::optional<double> tolerance;
  bool functional = false, counted = false, modelled = false, races = false, debug = false,
       stop = false;
};

/// Runs the kernel, or hands it to the debugger.
Result<Document> run_kernel_command(const KernelRunArgs& args, Inputs inputs, Context& context);

}  // namespace rpl
