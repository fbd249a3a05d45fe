// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/arch/gpu.h"
#include "engine/capture/capture.h"
#include "engine/device/execute/launch/hardware_counters.h"
#include "engine/document/value.h"

namespace rpl {

/// What a dispatch cannot do without.
struct NecessaryWork {
  double bytes = 0;  ///< that have to come from or go to memory at least once
  bool cold =
      true;  ///< caches hold none of them at the start; else they may hold as much as they are large
  std::vector<emu::UnitOperations> operations;
};

/// Of a run that was counted with the cycle model. Of three numbers that are each at least what has to move, the smallest: the traffic of cold caches, the
/// bytes that work-items asked for, and the sizes of the captured regions.
NecessaryWork necessary_work(const emu::Executed& executed, const Capture& capture, bool cold);

/// The shortest time that a machine can take: bytes over the highest bandwidth, operations over the highest rate, the longest of all.
struct PhysicalFloor {
  double ns = 0;
  double amount = 0;  ///< of bytes or operations
  double rate = 0;    ///< GB/s or GFLOP/s: of either, so much for each nanosecond
  std::string what;   ///< "bytes from memory", "vector f32 operations"
  std::string of;     ///< whose peaks: "MI300X (gfx942)"

  /// "11534336 bytes from memory take 2166.2 ns at 5324.8 GB/s, the peak of MI300X (gfx942)"
  [[nodiscard]] std::string text() const;
};
/// None where no peak that matters is known. Warm data may lie in the L2 and the Infinity Cache: then only what is more than they hold has to
/// come from memory, and everything has to pass the L2.
std::optional<PhysicalFloor> physical_floor(const NecessaryWork& work, const arch::Gpu& gpu);

/// floor_ns, amount, rate, what, of.
Record to_record(const PhysicalFloor& floor);
std::optional<PhysicalFloor> physical_floor_from(const Value& value);

}  // namespace rpl
