// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>

#include "engine/replay/hsa/hsa_device.h"

namespace rpl {

/// How long one dispatch took.
struct HsaSample {
  std::optional<double> device_ns;  ///< by the GPU's time stamps; none where they make no sense
  double host_ns = 0;               ///< from ringing the doorbell to the completion signal
};

/// A queue of the GPU on which dispatches are timed, one after the other.
class HsaQueue {
 public:
  HsaQueue(HsaCalls& calls, const HsaDevice& device, HsaEvents& events)
      : calls_(calls), device_(device), events_(events) {}
  ~HsaQueue();
  HsaQueue(const HsaQueue&) = delete;
  HsaQueue& operator=(const HsaQueue&) = delete;

  Status make();
  /// Submits the packet, whose header and completion signal are filled in here, and waits for its end. Fails with timeout, and with
  /// verification_failed for what the GPU could not execute: a memory fault names its address through events.
  Result<HsaSample> run(hsa::DispatchPacket packet, std::string_view about,
                        std::chrono::milliseconds timeout);

 private:
  Status wait_for_room(std::chrono::steady_clock::time_point end) const;
  void submit(const hsa::DispatchPacket& packet);
  Status wait(std::string_view about, std::chrono::milliseconds timeout);
  Status check_events(std::string_view about) const;

  HsaCalls& calls_;
  const HsaDevice& device_;
  HsaEvents& events_;
  hsa::Queue* queue_ = nullptr;
  hsa::Signal done_{};
};

}  // namespace rpl
