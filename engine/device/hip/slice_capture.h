// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/capture/capture.h"
#include "engine/device/execute/launch/launch.h"
#include "engine/device/hip/address_space.h"

namespace rpl::emu::hip {

/// Freezes consecutive dispatches: memory before the first and after the last. All allocations are kept from the first dispatch on, and looked at before and after
/// each; what none of them reaches or changes is left out in the end. Nothing else may change what is kept meanwhile.
class SliceCapture {
 public:
  /// `first`: the number of the first dispatch, for messages.
  explicit SliceCapture(std::uint64_t first) : first_(first) {}

  /// Before each dispatch. Fails with unsupported where the capture cannot hold it with those before it: code of another object or on another device, memory that was allocated
  /// meanwhile; and as dispatch_of() does.
  Status begin(const AddressSpace& space, const Launch& launch);
  /// After it ran.
  void end(const AddressSpace& space);
  /// After the last one: the capture, without what is not known here (model, tool, note). Fails with unsupported where something else changed the memory between two
  /// dispatches, naming it and them, and limit where it has more than `most_bytes` (0: any number).
  Result<Capture> finish(bool all_memory, std::uint64_t most_bytes);

 private:
  struct Watched {
    CapturedRegion region;                             ///< as the first dispatch finds it
    std::optional<std::vector<std::byte>> now = {};    ///< what it holds; none: what it held first
    bool needed = false;                               ///< reached, or changed by a dispatch
    std::optional<std::size_t> disturbed_before = {};  ///< a dispatch, by index
    bool released = false;                             ///< the disturbance

    [[nodiscard]] const std::vector<std::byte>& held() const { return now ? *now : region.before; }
  };

  void watch(CapturedRegion region);
  void watch_all(const AddressSpace& space, const Launch& launch);
  void look_for_disturbance(const AddressSpace& space);
  Status check_code(const Launch& launch) const;
  Status mark_reached(const AddressSpace& space, const Launch& launch);
  /// "dispatch 3 (scale(float*, int))".
  [[nodiscard]] std::string name_of(std::size_t index) const;

  std::uint64_t first_;
  std::optional<Capture> capture_;  ///< the dispatches; without memory until the end
  std::shared_ptr<const isa::CodeObject> object_;
  std::map<std::uint64_t, Watched> watched_;  ///< by base
};

}  // namespace rpl::emu::hip
