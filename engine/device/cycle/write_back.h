// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/device/cycle/cache.h"
#include "engine/device/cycle/parameters.h"

namespace rpl::cycle {

/// What crosses the boundary between the L2 and what lies behind it, in requests.
struct BoundaryCounts {
  std::uint64_t read_requests = 0;           ///< of one line each
  std::uint32_t read_bytes = 0;              ///< of a request: the line of the L1
  std::uint64_t write_64 = 0, write_32 = 0;  ///< of 64 and of 32 bytes

  [[nodiscard]] std::uint64_t bytes_read() const { return read_requests * read_bytes; }
  [[nodiscard]] std::uint64_t bytes_written() const { return 64 * write_64 + 32 * write_32; }
};

/// The L2 of each XCD as a write-back cache that is cold when a kernel starts and gives all that was written to memory when it ends, every line of every
/// access followed. A store brings no line in: it marks 32-byte sectors as written. Slower than DeviceTraffic, which follows a sample.
class WriteBackTraffic {
 public:
  explicit WriteBackTraffic(const Parameters& parameters);

  void load(std::uint64_t line, std::uint32_t workgroup);  ///< line: address / Parameters::l1_line
  void store(std::uint64_t address, std::uint32_t bytes, std::uint32_t workgroup);
  /// The end of the kernel: what is dirty goes to memory.
  BoundaryCounts finish();

 private:
  struct Way {
    std::uint64_t line_1 = 0;  ///< line + 1; 0 is an empty way
    std::uint64_t used = 0;
    std::uint32_t dirty = 0;  ///< by 32-byte sector
    bool filled = false;      ///< holds what memory had, too
  };
  Way& way_of(std::uint64_t line, std::uint32_t workgroup);
  void write_out(Way& way);

  static constexpr std::uint32_t kWays = 16, kSector = 32;
  std::uint32_t line_;
  std::uint32_t sectors_;                 ///< of a line
  std::uint64_t sets_;                    ///< of one XCD
  std::vector<std::vector<Way>> caches_;  ///< by XCD; the sets in use
  std::vector<std::vector<std::uint32_t>>
      index_;  ///< by XCD: where a set begins in its cache + 1; 0: not in use
  std::uint64_t now_ = 0;
  BoundaryCounts counts_;
};

}  // namespace rpl::cycle
