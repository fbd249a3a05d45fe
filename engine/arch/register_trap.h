// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rpl::arch {

/// Recorded register counts of one kernel symbol.
struct RecordedRegisters {
  std::string_view kernel;
  std::uint32_t arch_vgprs = 0, accum_vgprs = 0;
};

/// What recorded vector register counts mean where the architecture file says `recorded_vgprs = halved`. Recorders before the fix in
/// rocprofiler-sdk decode the count in steps of half the granule and know no accumulation registers there: what they write is half of
/// the allocation.
struct RegisterCounts {
  enum class Meaning {
    as_recorded,  ///< another architecture, or a fixed recorder: a kernel has accumulation registers
    halved,       ///< proven: a count that no allocation in whole granules can have
    unknown,      ///< nothing in the recording tells
  };
  Meaning meaning = Meaning::as_recorded;
  std::string note;  ///< for people; "" for as_recorded

  /// The registers allocated to a wave; only for `halved`.
  [[nodiscard]] std::uint32_t total(const RecordedRegisters& recorded) const {
    return 2 * recorded.arch_vgprs;
  }
};

/// Looks at all kernel symbols of one recorder on one architecture.
RegisterCounts register_counts(std::string_view arch, std::span<const RecordedRegisters> kernels);

}  // namespace rpl::arch
