// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/device/debug/points.h"
#include "engine/device/execute/state/machine.h"

namespace rpl::debug {

/// What the program does at each operation: its own handler, or one that stops in front of it.
class Patches {
 public:
  explicit Patches(const emu::Program& program);
  void set(std::uint32_t op);
  void clear();
  [[nodiscard]] bool is_set(std::uint32_t op) const;
  [[nodiscard]] const emu::Handler* handlers() const { return handlers_.data(); }

 private:
  const emu::Program& program_;
  std::vector<emu::Handler> handlers_;
};

/// Runs up to `most` instructions of a wave. Returns how many; less when it ended, waits, faulted, or `hit` a patched operation, which it is then in
/// front of. One that faults is not counted, and the wave is in front of it.
std::uint64_t run_patched(emu::Machine& machine, emu::Wave& wave, const Patches& patches,
                          std::uint64_t most, bool& hit);

/// Bytes that a watchpoint looks at: of memory, LDS or registers, where they are, and what they were.
struct WatchedBytes {
  std::size_t watch = 0;  ///< whose
  std::span<const std::byte> now;
  std::byte* before = nullptr;  ///< as many
  WatchedFor kind = WatchedFor::change;
  Watched::Space space = Watched::Space::memory;
  std::uint64_t address = 0;  ///< of the first
};
/// Whether the memory operation that was executed last went to these bytes, of memory or LDS.
bool went_there(emu::Access& access, const WatchedBytes& watched);
/// The same as run_patched, looking at `watched` after each instruction: `changed` becomes the first that changed, or that was loaded or stored
/// where it looks for that, and the loop ends.
std::uint64_t run_watched(emu::Machine& machine, emu::Wave& wave, const Patches& patches,
                          std::span<const WatchedBytes> watched, std::uint64_t most, bool& hit,
                          const WatchedBytes*& changed);

}  // namespace rpl::debug
