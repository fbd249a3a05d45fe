// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string_view>

#include "engine/arch/resolve.h"

namespace rpl::arch {

/// A GPU of the built-in files as it is without a recording.
inline Gpu gpu_named(std::string_view name) {
  auto gpu = resolve(Catalogue::builtin(), name, {});
  if (!gpu) throw std::runtime_error(gpu.error().message);
  return std::move(*gpu);
}

}  // namespace rpl::arch
