// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "engine/base/result.h"
#include "tests/support/hsakmt/device.h"

/// AQL queues as the packet processor of a GPU reads them. Formats: HSA Platform System Architecture Specification 1.2, 2.9; AMD's own
/// packets and the fields of amd_queue_t: amd_hsa_queue.h and hsa_ven_amd_aqlprofile.h of ROCr.
namespace rpl::hsakmt {

inline constexpr std::uint64_t kAqlPacketBytes = 64;

/// Why a queue stopped: the bits that the packet processor stores to its inactive signal, from which ROCr makes an HSA status.
enum class QueueError : std::uint32_t {
  invalid_dimensions = 2,
  too_much_lds = 4,
  no_code = 8,
  unknown_format = 32,
  workgroup_too_large = 64,
  unknown_vendor_format = 256,
  memory_fault = 0x20000000,
  illegal_instruction = 0x40000000,
  exception = 0x80000000U,
};

struct AqlRing {
  std::uint64_t address = 0;
  std::uint64_t packets = 0;  ///< a power of two
  std::uint64_t read_index = 0,
                write_index = 0;  ///< addresses of the indexes; the first lies in the amd_queue_t
};

/// Processes packets one after the other: each is finished before the next begins, as if all had the barrier bit.
class AqlProcessor : public Processor {
 public:
  /// The ring must lie in memory of the device as long as this lives.
  AqlProcessor(const Device& device, const AqlRing& ring) : device_(device), ring_(ring) {}
  Step step(const std::atomic<bool>& cancel) override;

 private:
  struct Packet;
  Step process(const DeviceView& view, const Packet& packet, const std::atomic<bool>& cancel);
  Step dispatch(const DeviceView& view, const Packet& packet, const std::atomic<bool>& cancel);
  Step barrier(const DeviceView& view, const Packet& packet, bool all);
  Step vendor(const DeviceView& view, const Packet& packet);
  Step finish(const DeviceView& view, const Packet& packet);
  Step stop(const DeviceView& view, QueueError error, const std::string& why);
  Step stop_for(const DeviceView& view, const Error& error);

  const Device& device_;
  AqlRing ring_;
  std::uint64_t next_ = 0;
  std::uint64_t started_ = 0, ended_ = 0;  ///< of the last dispatch
};

/// Whether a stream of PM4 packets holds nothing but cache operations and padding, which memory without caches does not need.
bool only_cache_operations(std::span<const std::uint32_t> words);

}  // namespace rpl::hsakmt
