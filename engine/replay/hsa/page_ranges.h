// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/capture/capture.h"

/// Address ranges of a capture, and keeping them free until the runtime takes them.
namespace rpl {

inline constexpr std::uint64_t kHostPage = 4096;

/// Whole pages that hold regions of a capture.
struct PageRange {
  std::uint64_t base = 0, bytes = 0;
  bool host = false;                      ///< in memory of the host
  std::vector<std::size_t> regions = {};  ///< of the capture, ascending

  [[nodiscard]] std::uint64_t end() const { return base + bytes; }
};

/// The pages of all regions but variables, which lie where the code is loaded: ascending, apart from each other, those of the GPU rounded
/// to `granule` (a power of two), ranges that touch or share a page joined. A region of the host that shares pages with one of the GPU
/// counts as the GPU's.
std::vector<PageRange> page_ranges(const Capture& capture,
                                   const std::vector<std::size_t>& host_regions,
                                   std::uint64_t granule);

/// Regions that lay in memory of the host, as far as the capture says so.
std::vector<std::size_t> host_regions_of(const Capture& capture);

/// "argument 1, argument 2 (8192 bytes at 0x7f0000000000)".
std::string range_text(const Capture& capture, const PageRange& range);

/// A range that cannot be had.
struct PlaceConflict {
  std::uint64_t base = 0, bytes = 0;
  std::uint64_t got =
      0;  ///< where the runtime put it instead; 0: it was taken before the runtime started
  std::vector<std::string> in_the_way =
      {};  ///< "0x7f0000000000-0x7f0000001000 libc.so.6", from the maps of this process
};

/// What of this process lies in a range. Pages that are kept free for it count too.
std::vector<std::string> mappings_in(std::uint64_t base, std::uint64_t bytes);

/// Keeps ranges free: pages that nobody may touch lie there until they are let go.
class Steering {
 public:
  Steering() = default;
  ~Steering();
  Steering(const Steering&) = delete;
  Steering& operator=(const Steering&) = delete;

  /// The ranges that something lies in already.
  std::vector<PlaceConflict> hold(const std::vector<PageRange>& ranges);
  /// Lets go of what is held in [base, base + bytes).
  void let_go(std::uint64_t base, std::uint64_t bytes);
  /// Turns what is held there into memory of the host. False when it is not held whole.
  bool make_memory(std::uint64_t base, std::uint64_t bytes);

 private:
  struct Held {
    std::uint64_t base, bytes;
  };
  std::vector<Held> held_;
};

}  // namespace rpl
