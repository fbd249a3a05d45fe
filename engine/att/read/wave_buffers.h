// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/att/read/wave_file.h"

namespace rpl::att {

struct WaveBuffers::Parts {
  std::vector<char> window;  ///< of the scanner
  std::vector<WaveInstruction> batch;
  std::vector<std::int32_t> waited_for;
  std::uint64_t file_bytes = 0;
};

inline constexpr std::size_t kWaveBatch = 2048;

}  // namespace rpl::att
