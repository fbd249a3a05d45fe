// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/device/execute/state/memory.h"

namespace rpl::debug {

/// What the writable memory of a device held at several moments: a copy as it was at the last of them, and the pages that changed before each, as
/// they were. Nothing has to be noted while the device runs; a moment costs a comparison of all memory.
class MemoryHistory {
 public:
  static constexpr std::size_t kPage = 4096;

  /// The first moment, number 0. No region may be added to `memory` afterwards, and it must outlive this.
  explicit MemoryHistory(const emu::Memory& memory);

  /// Memory as it is now is the next moment.
  void push();
  /// Makes memory what it was at moment `number`, and forgets the later ones.
  void restore(std::size_t number);
  /// Forgets moment `number`, which is neither the first nor the last.
  void forget(std::size_t number);

  [[nodiscard]] std::size_t moments() const { return changes_.size(); }
  /// Bytes that are kept beyond the one copy.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Bytes of memory that each moment compares.
  [[nodiscard]] std::uint64_t watched_bytes() const { return watched_; }

 private:
  struct Held {
    const emu::Region* region = nullptr;
    std::vector<std::byte> copy;  ///< at the last moment
  };
  struct Page {
    std::uint32_t held = 0;
    std::uint32_t number = 0;      ///< of the page in its region
    std::vector<std::byte> bytes;  ///< up to kPage, as before the moment
  };
  using Changes = std::vector<Page>;  ///< ascending

  void undo(const Changes& changes);

  std::vector<Held> held_;
  std::vector<Changes> changes_;  ///< by moment: since the one before
  std::uint64_t bytes_ = 0, watched_ = 0;
};

}  // namespace rpl::debug
