// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace rpl::emu::hip {

/// What the host side costs on the virtual clock. The constants are round numbers of the size that ROCm installations show; none is
/// fitted to a machine, and no result of this program should rest on them beyond "a launch costs microseconds". A change of a value is a
/// change of `kHostModel`.
struct HostCosts {
  std::int64_t call_ns = 300;         ///< any call of the API that does no more than look at state
  std::int64_t allocate_ns = 20'000;  ///< hipMalloc and its kin
  std::int64_t free_ns = 15'000;
  std::int64_t pool_ns = 1'500;     ///< stream-ordered allocation
  std::int64_t create_ns = 5'000;   ///< of streams, events, modules without their code
  std::int64_t load_ns = 200'000;   ///< a code object, onto one device
  std::int64_t enqueue_ns = 4'000;  ///< the host's side of a launch, an asynchronous copy or memset
  std::int64_t record_ns = 1'000;   ///< hipEventRecord, hipStreamWaitEvent
  std::int64_t copy_ns = 8'000;     ///< the host's side of a synchronous copy
  std::int64_t wait_ns = 2'000;     ///< from the end of what a host waits for to its return
  std::int64_t dispatch_latency_ns = 3'000;  ///< from the return of a launch to the first wave
  std::int64_t dispatch_gap_ns = 1'000;      ///< between two kernels of a queue
  std::int64_t copy_latency_ns = 2'000;      ///< of a copy engine
  double link_bytes_per_ns =
      50;  ///< between host and device, each way: PCIe 5.0 x16 less its overhead
  double peer_bytes_per_ns = 50;  ///< between devices, one link of Infinity Fabric
};

inline constexpr HostCosts kHostCosts{};
inline constexpr std::string_view kHostModel = "rpl-host/0.1";

}  // namespace rpl::emu::hip
