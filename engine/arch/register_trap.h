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

/// What recorded vector register counts of gfx95x mean. Recorders before the fix in rocprofiler-sdk decode the count in steps of 4
/// where the hardware has 8 and know no accumulation registers there: what they write is half of the allocation.
struct RegisterCounts {
  enum class Meaning {
    as_recorded,  ///< not gfx95x, or a fixed recorder: a kernel has accumulation registers
    halved,       ///< proven: a count that no allocation in steps of 8 can have
    unknown,      ///< gfx95x, and nothing in the recording tells
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
