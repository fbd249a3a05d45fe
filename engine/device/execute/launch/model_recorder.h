// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "engine/device/cycle/device_traffic.h"
#include "engine/device/cycle/launch_time.h"
#include "engine/device/cycle/stream.h"
#include "engine/device/cycle/write_back.h"
#include "engine/device/execute/launch/counts.h"
#include "engine/device/execute/launch/grid.h"

namespace rpl::emu {

/// Looks at the workgroups of a launch as they run, for the cycle model: keeps what the waves of some of them execute, which one compute unit
/// would get, and follows the memory accesses of all.
class ModelRecorder {
 public:
  /// `units`: compute units that get workgroups, dealt out in turn. `kept`: the first workgroups of the first of them that are kept in detail.
  ModelRecorder(const Prepared& prepared, const cycle::Parameters& parameters, std::uint32_t units,
                std::uint32_t kept, std::shared_ptr<cycle::MemoryState> state);

  /// From now on every access is followed at the boundary of L2 and memory too; not the reads of arguments and packet, which are no data of the kernel.
  void count_boundary(const Prepared& prepared, const cycle::Parameters& parameters);
  [[nodiscard]] std::optional<cycle::BoundaryCounts> boundary();

  /// The instructions that follow are of this wave.
  void enter(const Wave& wave);
  /// Whether they are kept, and not only their accesses followed.
  [[nodiscard]] bool keeps() const { return stream_ != nullptr; }
  /// An operation that accesses no memory, of a wave that is kept.
  void note(std::uint32_t index, const Wave& wave) {
    keep(index, kinds_[index] == Kind::branch && wave.pc != index + 1 ? 1 : 0);
  }
  /// One that may.
  void note(std::uint32_t index, Access& access, const Counter::Seen& seen) {
    if (kinds_[index] == Kind::memory) return memory(index, access, seen);
    if (stream_ == nullptr) return;
    const auto conflicts = static_cast<std::uint32_t>(seen.conflicts);
    if (access.atomic && access.space == Access::Space::lds && access.active != 0)
      return local_atomic(index, access, conflicts);
    keep(index, conflicts);
  }
  /// `wave` executed so many since enter().
  void leave(const Wave& wave, std::uint64_t executed);

  [[nodiscard]] const cycle::DeviceTraffic& traffic() const { return traffic_; }
  /// By workgroup that was kept, in the order of their numbers, and wave.
  [[nodiscard]] std::vector<std::vector<std::unique_ptr<cycle::WaveStream>>>& kept() {
    return kept_;
  }
  /// Instructions that each compute unit executed.
  [[nodiscard]] const std::vector<std::uint64_t>& by_unit() const { return by_unit_; }
  /// Those of the longest wave of each workgroup, equal neighbours together. After the last workgroup.
  [[nodiscard]] std::vector<cycle::LaunchRecord::Equal> by_workgroup() {
    end_workgroup();
    return std::move(by_workgroup_);
  }

 private:
  enum class Kind : std::uint8_t { other, memory, local, branch };
  void memory(std::uint32_t index, Access& access, const Counter::Seen& seen);
  void count_atomic(const Access& access);
  void keep_access(std::uint32_t index, const Access& access, std::span<std::uint64_t> lines);
  void scratch(std::uint32_t index, const Access& access);
  void local_atomic(std::uint32_t index, Access& access, std::uint32_t conflicts);
  void end_workgroup();
  void cross_boundary(const Access& access, std::span<const std::uint64_t> lines);
  void keep(std::uint32_t index, std::uint32_t detail) {
    stream_->steps.push_back({index, detail});
    if (stream_->steps.size() >= steps_of_wave_) stream_ = nullptr;
  }
  /// Of the last access of an operation to global memory: its lines, from the one of the first lane.
  struct Pattern {
    std::size_t in_order = 0, distinct = 0;  ///< in the order of the lanes; each once, ascending
    std::array<std::uint64_t, 2 * kLanes> line{}, own{};
    cycle::AccessHead head;
    bool store = false, atomic = false;
  };
  Pattern& pattern_of(std::uint32_t index, Access& access, const Counter::Seen& seen);
  void describe(Pattern& pattern, Access& access, std::uint64_t base) const;
  void scalar(std::uint32_t index, const Access& access);

  const Op* first_;
  std::uint32_t units_;
  std::uint64_t steps_of_wave_;  ///< that are kept at most
  unsigned line_shift_;
  std::vector<Kind> kinds_;
  std::vector<std::unique_ptr<Pattern>> patterns_;  ///< by operation; made on first use
  cycle::DeviceTraffic traffic_;
  std::optional<cycle::WriteBackTraffic> boundary_;
  std::uint64_t arguments_ = 0, argument_bytes_ = 0,
                packet_ = 0;  ///< where arguments and packet lie
  std::vector<std::uint64_t> by_unit_;
  std::vector<std::vector<std::unique_ptr<cycle::WaveStream>>> kept_;
  cycle::WaveStream* stream_ = nullptr;  ///< of the wave that runs; null when it is not kept
  cycle::WaveStream* counted_ = nullptr;
  std::uint32_t workgroup_ = 0, wave_ = 0;
  std::vector<std::uint64_t> of_waves_;  ///< instructions of the waves of the workgroup that runs
  std::vector<cycle::LaunchRecord::Equal> by_workgroup_;
  std::uint32_t scratch_bytes_, waves_,
      resident_;  ///< of a lane; of a workgroup; workgroups of a unit at once
};

}  // namespace rpl::emu
