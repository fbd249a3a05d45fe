// SPDX-License-Identifier: MIT
#pragma once

#include "engine/isa/object/code_object.h"
#include "engine/replay/hsa/hsa_queue.h"
#include "engine/replay/series.h"

namespace rpl {

/// Samples of a replay on a GPU, and whether its clock can be believed: MI300X reported wrong time stamps before ROCm 6.4.2.
class TimingCheck {
 public:
  void add(const HsaSample& sample, ReplaySeries& series);
  /// Notes what does not fit: dispatches without times, and device times that the host's clock contradicts.
  void finish(ReplaySeries& series) const;

 private:
  std::uint64_t without_time_ = 0;
};

/// Bytes to write so that no cache holds anything else: twice the largest, the Infinity Cache among them (CDNA 3 white paper: 256 MiB;
/// MI200: L2 of 8 MiB), which runtimes do not tell of.
std::uint64_t bytes_to_flush(isa::Arch arch, std::uint64_t told_bytes);

}  // namespace rpl
