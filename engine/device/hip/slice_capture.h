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

/// A copy or a fill that the runtime has done for the program.
struct Movement {
  MemoryStep step;  ///< a copy by the program's addresses, or a fill; without data of a copy
  std::int64_t end_ns = 0;  ///< when it is done on the device
  const char* call = "";    ///< of the program
};

/// Freezes consecutive dispatches: memory before the first and after the last, and the copies and fills between them. All allocations are kept from the first
/// dispatch on, and looked at before and after each; what none of them reaches or changes is left out in the end. Nothing else may change what is kept meanwhile, and the host may
/// not have read what the dispatches computed before it launches another one.
class SliceCapture {
 public:
  /// `first`: the number of the first dispatch, for messages.
  explicit SliceCapture(std::uint64_t first) : first_(first) {}

  /// Before each dispatch. Fails with unsupported where the capture cannot hold it with those before it: code of another object or on another device, memory that was allocated
  /// meanwhile; and as dispatch_of() does.
  Status begin(const AddressSpace& space, const Launch& launch);
  /// After it ran.
  void end(const AddressSpace& space);
  /// After the runtime moved memory.
  void moved(const AddressSpace& space, Movement movement);
  /// The host knows that the devices have done everything up to this time; `call` told it.
  void host_knows(std::int64_t time_ns, const char* call);
  /// After the last one: the capture, without what is not known here (model, tool, note). Fails with unsupported where something else changed the memory between two
  /// dispatches, naming it and them, and limit where it has more than `most_bytes` (0: any number).
  Result<Capture> finish(bool all_memory, std::uint64_t most_bytes);

 private:
  struct Watched {
    CapturedRegion region;                           ///< as the first dispatch finds it
    std::optional<std::vector<std::byte>> now = {};  ///< what it holds; none: what it held first
    bool needed = false;                             ///< reached, or changed by a dispatch
    bool computed = false;                           ///< some of it by a dispatch of the slice
    bool host_reads = false;  ///< without a call: memory of the host, or managed
    std::optional<std::size_t> disturbed_before = {};  ///< a dispatch, by index
    bool released = false;                             ///< the disturbance

    [[nodiscard]] const std::vector<std::byte>& held() const { return now ? *now : region.before; }
  };

  void watch(CapturedRegion region);
  void watch_all(const AddressSpace& space, const Launch& launch);
  void look_for_disturbance(const AddressSpace& space);
  /// The watched memory that holds a range; null for other memory, and where the range leaves it.
  Watched* watched_at(std::uint64_t address, std::uint64_t bytes);
  /// Keeps the step, and what it left.
  void take_step(const AddressSpace& space, MemoryStep step, Watched& to);
  /// What the steps that count read and write is needed.
  void keep_steps();
  /// Fails with unsupported where the host has seen what dispatches computed.
  Status check_host() const;
  Status check_code(const Launch& launch) const;
  Status mark_reached(const AddressSpace& space, const Launch& launch);
  /// "dispatch 3 (scale(float*, int))".
  [[nodiscard]] std::string name_of(std::size_t index) const;

  std::uint64_t first_;
  std::optional<Capture> capture_;  ///< the dispatches; without memory until the end
  std::shared_ptr<const isa::CodeObject> object_;
  std::map<std::uint64_t, Watched> watched_;  ///< by base
  /// Results on their way to the host.
  struct Download {
    std::uint64_t base = 0;   ///< of what was read
    std::int64_t end_ns = 0;  ///< when the host can have it
    const char* call = "";    ///< that asked for it
  };
  std::vector<Download> downloads_;
  /// One that the host knows to have arrived.
  std::optional<Download> seen_;
  const char* waited_by_ = "";  ///< the call by which the host knew last that dispatches were done
  std::vector<MemoryStep> steps_;  ///< since the last dispatch
  std::string unsupported_;        ///< why the next dispatch cannot be kept
};

}  // namespace rpl::emu::hip
