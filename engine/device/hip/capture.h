// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "engine/capture/capture.h"
#include "engine/capture/wish.h"
#include "engine/device/hip/address_space.h"
#include "engine/device/hip/module.h"
#include "engine/device/hip/recording.h"
#include "engine/device/hip/slice_capture.h"

namespace rpl::emu::hip {

/// Freezes one dispatch, or a slice of them: what it starts from, and what it leaves. What a dispatch reaches is found as reached_from() does.
class DispatchCapturer {
 public:
  explicit DispatchCapturer(CaptureWish wish);

  /// Before a kernel runs: whether it is this dispatch's turn.
  [[nodiscard]] bool is_due(const isa::Kernel& kernel, const std::array<std::uint32_t, 3>& grid);
  /// After a kernel ran: how long that took, on the virtual clock.
  void ran(const isa::Kernel& kernel, const std::array<std::uint32_t, 3>& grid,
           std::int64_t duration_ns);
  /// Keeps memory as it is. Then, once the kernel ran, finish() keeps what changed and writes the folder; of a slice, after its last dispatch.
  void begin(const AddressSpace& space, const Launch& launch);
  void finish(const AddressSpace& space, const std::string& model);
  /// As SliceCapture has them; nothing without a slice.
  void moved(const AddressSpace& space, Movement movement);
  void host_knows(std::int64_t time_ns, const char* call);
  [[nodiscard]] bool follows_memory() const { return slice_.has_value(); }
  /// The kernel failed: nothing is written.
  void abandon(const std::string& why);

  /// Whether a capture was asked for, and what became of it.
  [[nodiscard]] bool wanted() const { return !wish_.kernel.empty() || wish_.slice; }
  [[nodiscard]] const CaptureRecord& outcome() const { return outcome_; }

 private:
  void finish_in_slice(const AddressSpace& space, const std::string& model);
  void write(Capture capture);

  CaptureWish wish_;
  std::optional<KernelPattern> pattern_;
  CaptureRecord outcome_;
  std::map<std::pair<std::string, std::array<std::uint32_t, 3>>, std::int64_t>
      last_ns_;                        ///< by kernel and grid, where the wish asks for it
  std::optional<Capture> capture_;     ///< between begin and finish
  std::optional<SliceCapture> slice_;  ///< until it was written, or given up
};

}  // namespace rpl::emu::hip
