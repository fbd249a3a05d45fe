// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"

namespace rpl::calibrate {

/// The recorded thread traces that an architecture file names (`recordings.fitted`, `recordings.compared`).
struct Recordings {
  std::string arch, gpu;                      ///< gpu: the architecture's usual product
  std::vector<std::string> fitted, compared;  ///< folders; constants were fitted to the first
};
/// Those of the only architecture whose file names some.
const Recordings& recordings();

/// The page of docs that holds the model against the recorded thread traces in `folder`: constants fitted to some of them, cycles by class of
/// instruction of all. Deterministic. Fails with not_found where the recordings are not there, and as reading them does.
Result<std::string> recordings_table(const std::string& folder);

}  // namespace rpl::calibrate
