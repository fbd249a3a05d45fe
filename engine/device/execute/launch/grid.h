// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/launch/launch.h"

/// How a launch becomes workgroups and waves.
namespace rpl::emu {

/// One workgroup in flight.
struct Workgroup {
  std::uint32_t number = 0;  ///< linear in the grid, x fastest
  Size3 id{};
  LdsBytes lds;
  std::vector<Wave> waves;
  std::vector<LaneRegister> ids;  ///< of the work-items of each wave, in a workgroup of this size
  Size3 ids_of{};
};

/// A launch with its code and kernarg segment in device memory.
struct Prepared {
  std::shared_ptr<const Program> program;
  const Launch* launch = nullptr;
  std::uint64_t load_base = 0;
  std::uint64_t kernarg = 0, packet = 0, queue = 0;  ///< device addresses
  std::uint64_t grid_barrier = 0;  ///< device address, of what prepare() allocated; 0: nothing
  std::uint32_t lds_bytes = 0;
  std::uint32_t lds_tail_bytes = 0;            ///< behind them, of Machine::beyond_lds
  std::uint32_t scratch_bytes = 0;             ///< for a lane
  Size3 workgroups{};                          ///< in each direction
  Rounding rounding = Rounding::nearest_even;  ///< of Variation
  std::uint64_t random_rounding = 0;           ///< likewise
  bool moved_results = false;                  ///< likewise

  [[nodiscard]] std::uint32_t count() const {
    return workgroups[0] * workgroups[1] * workgroups[2];
  }
  [[nodiscard]] std::uint32_t waves_of_full_workgroup() const;
};

Result<Prepared> prepare(Memory& memory, const Launch& launch, const Variation& variation = {});
/// Gives back what prepare() allocated for the launch alone, where it had a Launch::load_base.
void release(Memory& memory, const Prepared& prepared);

/// Makes workgroup `number` ready to run: registers as the kernel descriptor asks; LDS, scratch and the other registers as Variation::fill says. Reuses its storage.
void start_workgroup(const Prepared& prepared, std::uint32_t number, Workgroup& workgroup,
                     std::uint64_t fill = 0);

/// Whether the code may wait for other workgroups as those of a cooperative launch do: it asks for what they meet at, or has barriers of global wave sync.
bool waits_for_grid(const Prepared& prepared);

/// Copies the code object's segments to memory and applies its relocations. Returns the load base: `at`, else the next free place. Fails
/// with denied when something lies there.
Result<std::uint64_t> load_object(Memory& memory, const isa::CodeObject& object,
                                  std::optional<std::uint64_t> at = std::nullopt);

}  // namespace rpl::emu
