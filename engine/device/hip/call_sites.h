// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "engine/device/hip/recording.h"

namespace rpl::emu::hip {

/// Where in the program the calls of a recording were made: the return addresses on the stack of the calling thread, those of this library left out. Not for several
/// threads at once.
class CallSites {
 public:
  /// So many functions of the program are kept, from the call outwards.
  static constexpr std::size_t kDepth = 8;

  /// The number of the site that the call which goes on was made from, counted from 1. Writes a SiteRecord where it is new. 0 where the stack cannot be followed, and
  /// where there are more sites than anybody would look at.
  std::uint64_t number(RecordingWriter& recording);

 private:
  using Stack = std::array<std::uintptr_t, kDepth>;
  std::map<Stack, std::uint64_t> known_;
};

}  // namespace rpl::emu::hip
