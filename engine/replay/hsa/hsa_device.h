// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "engine/replay/hsa/hsa_calls.h"

namespace rpl {

/// What the runtime tells of asynchronously. Lives as long as the runtime.
struct HsaEvents {
  std::atomic<std::uint64_t> fault_address = 0;
  std::atomic<bool> faulted = false;
  std::atomic<hsa::Status> queue_status = hsa::Status::success;
};

/// The runtime between hsa_init and hsa_shut_down.
class HsaRuntime {
 public:
  static Result<std::unique_ptr<HsaRuntime>> start(HsaCalls& calls, HsaEvents& events);
  ~HsaRuntime();
  HsaRuntime(const HsaRuntime&) = delete;
  HsaRuntime& operator=(const HsaRuntime&) = delete;

 private:
  explicit HsaRuntime(HsaCalls& calls) : calls_(calls) {}
  HsaCalls& calls_;
};

/// The GPU that a dispatch runs on, and the host beside it.
struct HsaDevice {
  hsa::Agent gpu{}, cpu{};
  hsa::Pool memory{};   ///< of the GPU, coarse-grained
  hsa::Pool kernarg{};  ///< of the host, fine-grained, for kernel arguments
  std::string name, product, isa;
  std::string runtime_version;
  std::uint64_t granule = 0;      ///< of allocations of the GPU, bytes
  std::uint64_t cache_bytes = 0;  ///< of the largest cache that it tells of
  double ticks_per_s = 0;
};

/// The first GPU of an architecture ("gfx942") with virtual memory. Fails with missing_capability when there is none, naming the GPUs
/// that there are, and otherwise as HsaCalls does.
Result<HsaDevice> find_device(HsaCalls& calls, const std::string& architecture);

}  // namespace rpl
