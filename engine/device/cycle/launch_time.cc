// SPDX-License-Identifier: MIT
#include "engine/device/cycle/launch_time.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rpl::cycle {
namespace {

/// Of resident workgroups that are timed at most; later ones go on at the rate of the last.
constexpr std::uint32_t kRounds = 3;

std::uint32_t divided_up(std::uint32_t value, std::uint32_t by) {
  return value / by + (value % by != 0 ? 1 : 0);
}

std::vector<Operation> operations_of(const LaunchRecord& record, const Parameters& p) {
  std::vector<Operation> out(record.instructions.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (record.instructions[i].empty()) continue;
    out[i] = operation_of(record.instructions[i], p);
    if (record.matrix_passes[i] != 0) out[i].busy = p.matrix_pass * record.matrix_passes[i];
  }
  return out;
}

/// Instructions of the longest wave.
std::uint64_t longest_of(const std::vector<std::unique_ptr<WaveStream>>& workgroup) {
  std::uint64_t most = 0;
  for (const auto& stream : workgroup) most = std::max(most, stream->executed);
  return most;
}

/// One launch on its way to a time.
class Timing {
 public:
  Timing(const LaunchRecord& record, const Parameters& p);

  Status simulate(bool keep_times, LaunchTime& out);
  /// Sets cycles, their class, and what is taken of what all share.
  void set_time(LaunchTime& out) const;

 private:
  using Numbers = std::vector<std::uint32_t>;  ///< of workgroups that were kept
  std::vector<std::uint64_t> run(const Numbers& workgroups, ComputeUnit& unit, Status& status);
  [[nodiscard]] double share_kept(const Numbers& workgroups, std::uint64_t executed) const;
  Status follow_tail(const LaunchTime& out);
  [[nodiscard]] MemorySide memory() const;
  /// Workgroups that take far longer than most: the time of the rest is not the time of all.
  [[nodiscard]] bool is_long(std::uint64_t instructions) const {
    constexpr double kLong = 2;
    return mean_ > 0 && static_cast<double>(instructions) > kLong * mean_;
  }
  [[nodiscard]] double all_rounds() const;
  [[nodiscard]] double with_tail(double others) const;
  [[nodiscard]] std::array<double, kTimeClasses> device_parts() const;
  void keep_busy(const ComputeUnit& unit, const MemorySide& memory);

  const LaunchRecord& record_;
  const Parameters& p_;
  std::uint32_t units_, resident_, of_unit_;  ///< `of_unit_`: workgroups of the busiest unit
  std::vector<std::uint64_t> ends_;           ///< of workgroups, in the order in which they ended
  double kept_share_ = 1;                     ///< of the instructions of these workgroups
  double mean_ = 0;  ///< instructions of the longest wave, over all workgroups; 0: not known
  bool has_long_ = false;
  double alone_ = 0;  ///< cycles of an instruction of a workgroup that has a unit for itself
  std::array<double, kTimeClasses> busy_{};  ///< shares of the followed unit's time
};

Timing::Timing(const LaunchRecord& record, const Parameters& p)
    : record_(record),
      p_(p),
      units_(static_cast<std::uint32_t>(record.by_unit.size())),
      resident_(resident_workgroups(p, record.waves, record.vgprs, record.lds_bytes)),
      of_unit_(divided_up(record.workgroups, units_)) {
  double sum = 0;
  for (const LaunchRecord::Equal& some : record.by_workgroup)
    sum += static_cast<double>(some.workgroups) * static_cast<double>(some.instructions);
  mean_ = sum / record.workgroups;
  has_long_ = std::ranges::any_of(record.by_workgroup, [&](const LaunchRecord::Equal& some) {
    return is_long(some.instructions);
  });
}

MemorySide Timing::memory() const {
  std::vector<FirstTouch> first;
  for (std::size_t i = 0; i < record_.instructions.size(); ++i)
    first.push_back(record_.traffic.first_touch(i));
  return {p_, units_, std::move(first)};
}

// Runs workgroups on one unit, as many at once as it holds. When they ended, in this order.
std::vector<std::uint64_t> Timing::run(const Numbers& workgroups, ComputeUnit& unit,
                                       Status& status) {
  std::vector<std::uint64_t> ends;
  std::uint32_t next = 0, next_simd = 0;
  std::uint64_t launched = 0;  // the last wave
  const auto start = [&](std::uint64_t cycle) {
    if (next >= workgroups.size()) return;
    const auto& waves = record_.kept[workgroups[next]];
    for (std::uint32_t i = 0; i < waves.size(); ++i) {
      launched = std::max(cycle, launched + p_.wave_launch);
      unit.add({.stream = waves[i].get(),
                .workgroup = workgroups[next],
                .wave = i,
                .simd = next_simd++ % p_.simds,
                .begin = launched});
    }
    ++next;
  };
  unit.workgroup_ended = [&](std::uint32_t, std::uint64_t cycle) {
    ends.push_back(cycle);
    start(cycle);
  };
  for (std::uint32_t i = 0; i < resident_; ++i) start(0);
  status = unit.run();
  unit.workgroup_ended = {};
  std::ranges::sort(ends);
  return ends;
}

// Of the instructions of these workgroups, those that were kept and so ran.
double Timing::share_kept(const Numbers& workgroups, std::uint64_t executed) const {
  std::uint64_t instructions = 0;
  for (const std::uint32_t number : workgroups) {
    for (const auto& stream : record_.kept[number]) instructions += stream->executed;
  }
  if (instructions == 0) return 1;
  return std::min(1.0, static_cast<double>(executed) / static_cast<double>(instructions));
}

Status Timing::simulate(bool keep_times, LaunchTime& out) {
  out.operations = operations_of(record_, p_);
  MemorySide side = memory();
  ComputeUnit unit(p_, out.operations, &side);
  unit.keep_times = keep_times;
  Numbers all(record_.kept.size());
  std::iota(all.begin(), all.end(), 0U);
  Status status;
  ends_ = run(all, unit, status);
  TRY(std::move(status));
  out.executed = unit.executed();
  kept_share_ = share_kept(all, out.executed);
  out.cut = kept_share_ < 1;
  out.vmem_wait = unit.vmem_wait();
  out.lds_wait = unit.lds_wait();
  for (const WaveTimes& wave : unit.waves()) out.wave_cycles += wave.end - wave.begin;
  out.lookups = side.lookups();
  out.stalls = unit.stalls();
  keep_busy(unit, side);
  if (keep_times) out.waves = std::move(unit.waves());
  return has_long_ ? follow_tail(out) : Status();
}

// The rate of the others without those that take far longer, and what an instruction takes where nobody else is on the unit.
Status Timing::follow_tail(const LaunchTime& out) {
  Numbers usual;
  for (std::uint32_t i = 0; i < record_.kept.size(); ++i) {
    if (!is_long(longest_of(record_.kept[i]))) usual.push_back(i);
  }
  Status status;
  if (!usual.empty() && usual.size() < record_.kept.size()) {
    MemorySide side = memory();
    ComputeUnit unit(p_, out.operations, &side);
    ends_ = run(usual, unit, status);
    TRY(std::move(status));
    kept_share_ = share_kept(usual, unit.executed());
  }
  // The one of which most was kept says most of how a long one goes on.
  const auto kept = [&](std::uint32_t number) {
    std::size_t most = 0;
    for (const auto& stream : record_.kept[number]) most = std::max(most, stream->steps.size());
    return most;
  };
  std::uint32_t longest = 0;
  for (std::uint32_t i = 1; i < record_.kept.size(); ++i) {
    if (kept(i) > kept(longest)) longest = i;
  }
  MemorySide side = memory();
  ComputeUnit unit(p_, out.operations, &side);
  const auto ends = run({longest}, unit, status);
  TRY(std::move(status));
  if (!ends.empty() && kept(longest) > 0)
    alone_ = static_cast<double>(ends.back()) / static_cast<double>(kept(longest));
  return {};
}

void Timing::keep_busy(const ComputeUnit& unit, const MemorySide& memory) {
  const double end = static_cast<double>(std::max<std::uint64_t>(unit.end(), 1));
  const auto issued = [&](Unit one) {
    return static_cast<double>(unit.units()[static_cast<std::size_t>(one)].issue);
  };
  const auto set = [&](TimeClass one, double cycles) {
    busy_[static_cast<std::size_t>(one)] = cycles / end;
  };
  const double vector = issued(Unit::valu) + issued(Unit::transcendental) + issued(Unit::matrix),
               scalar = issued(Unit::salu) + issued(Unit::branch);
  set(TimeClass::compute, std::max({vector, scalar, unit.matrix_busy()}) / p_.simds);
  set(TimeClass::lds, unit.lds_busy());
  set(TimeClass::vl1d, unit.vector_memory_busy());
  set(TimeClass::l2, memory.busy().l2);
  set(TimeClass::mall, memory.busy().mall);
  set(TimeClass::memory, memory.busy().memory);
}

// From the simulated workgroups of one compute unit to those of the busiest one.
double Timing::all_rounds() const {
  const auto last = static_cast<double>(ends_.back());
  const auto kept = static_cast<std::uint32_t>(ends_.size());
  double cycles = last;
  if (kept < of_unit_ && kept > resident_) {
    const double rate = (last - static_cast<double>(ends_[resident_ - 1])) / (kept - resident_);
    cycles += rate * (of_unit_ - kept);
  }
  if (alone_ > 0) return with_tail(cycles / kept_share_);
  // Other compute units may have more to do. While all of its workgroups fit at once each unit has its own, else whichever is free takes the next.
  const auto& by_unit = record_.by_unit;
  const auto own = static_cast<double>(std::max<std::uint64_t>(by_unit[0], 1));
  const double most = of_unit_ <= resident_
                          ? static_cast<double>(*std::ranges::max_element(by_unit))
                          : std::accumulate(by_unit.begin(), by_unit.end(), 0.0) / units_;
  return cycles * std::max(1.0, most / own) / kept_share_;
}

// Workgroups begin in their order, each where one before it has ended. A long one goes on at the rate of all while there are others, and then at its own.
double Timing::with_tail(double others) const {
  double usual = 0, usual_work = 0;
  for (const LaunchRecord::Equal& some : record_.by_workgroup) {
    if (is_long(some.instructions)) continue;
    usual += static_cast<double>(some.workgroups);
    usual_work += static_cast<double>(some.workgroups) * static_cast<double>(some.instructions);
  }
  if (usual_work == 0) return others;
  const double slots =
      std::min(static_cast<double>(record_.workgroups), static_cast<double>(units_) * resident_);
  const double shared = std::max(alone_, others * slots / usual_work);
  double end = others, before = 0;
  for (const LaunchRecord::Equal& some : record_.by_workgroup) {
    if (is_long(some.instructions)) {
      const double start = others * std::max(0.0, before - slots * usual_work / usual) / usual_work;
      const double left =
          static_cast<double>(some.instructions) - std::max(0.0, others - start) / shared;
      end = std::max(end, left > 0 ? others + left * alone_ : others);
    } else {
      before += static_cast<double>(some.workgroups) * static_cast<double>(some.instructions);
    }
  }
  return end;
}

// What the whole launch moves takes its time, however the sample went.
std::array<double, kTimeClasses> Timing::device_parts() const {
  const TrafficCounts& traffic = record_.traffic;
  std::array<double, kTimeClasses> out{};
  const auto part = [&](TimeClass one) -> double& { return out[static_cast<std::size_t>(one)]; };
  part(TimeClass::memory) =
      (traffic.memory_read_bytes() + p_.write_cost * traffic.memory_written_bytes()) /
      p_.hbm_bandwidth;
  const auto read = static_cast<double>(traffic.read_bytes()),
             written = static_cast<double>(traffic.written_bytes());
  if (p_.mall_bytes > 0)
    part(TimeClass::mall) = (read + p_.write_cost * written) / p_.mall_bandwidth;
  // The channels are those of the memory; what the Infinity Cache has waits for none.
  if (p_.channel_bandwidth > 0 && read + written > 0) {
    const double beyond = static_cast<double>(traffic.memory_bytes()) / (read + written);
    part(TimeClass::memory) =
        std::max(part(TimeClass::memory), static_cast<double>(traffic.busiest_channel) *
                                              traffic.line * beyond / p_.channel_bandwidth);
  }
  // Dies hand out their workgroups side by side.
  part(TimeClass::launch) = p_.workgroup_launch * record_.workgroups / p_.xcds;
  part(TimeClass::l2) = p_.l2_channel * static_cast<double>(traffic.busiest_l2_channel);
  part(TimeClass::atomics) = p_.atomic * static_cast<double>(traffic.hottest_line);
  return out;
}

void Timing::set_time(LaunchTime& out) const {
  TimeParts parts{.launch = static_cast<double>(p_.launch) + p_.drain};
  double cycles = 0;
  if (!ends_.empty()) {
    const double rounds = all_rounds();
    parts.busy = device_parts();
    cycles = std::max(rounds, *std::ranges::max_element(parts.busy));
    for (std::size_t i = 0; i < kTimeClasses; ++i)
      parts.busy[i] = std::max(parts.busy[i], busy_[i] * rounds);
  }
  out.cycles = p_.launch + static_cast<std::uint64_t>(std::ceil(cycles)) + p_.drain;
  parts.total = static_cast<double>(out.cycles);
  if (out.wave_cycles > 0)
    parts.waiting =
        static_cast<double>(out.vmem_wait + out.lds_wait) / static_cast<double>(out.wave_cycles);
  out.time_class = class_of(parts);
  const auto share = [&](TimeClass one) {
    return std::min(1.0, parts.busy[static_cast<std::size_t>(one)] / parts.total);
  };
  out.shared = {.l2 = share(TimeClass::l2),
                .mall = share(TimeClass::mall),
                .memory = share(TimeClass::memory)};
}

}  // namespace

std::uint32_t resident_workgroups(const Parameters& p, std::uint32_t waves, std::uint32_t vgprs,
                                  std::uint32_t lds_bytes) {
  const auto rounded = [](std::uint32_t value, std::uint32_t granule) {
    return divided_up(value, granule) * granule;
  };
  const std::uint32_t by_registers =
      p.vgprs / std::max(rounded(vgprs, p.vgpr_granule), p.vgpr_granule);
  const std::uint32_t slots = std::min(p.waves_per_simd, by_registers) * p.simds;
  const std::uint32_t by_lds =
      lds_bytes == 0 ? slots : p.lds_bytes / rounded(lds_bytes, p.lds_granule);
  const std::uint32_t by_barriers = waves == 1 ? slots : p.workgroups_per_cu;
  return std::max(1U, std::min({slots / waves, by_lds, by_barriers}));
}

std::uint32_t detailed_workgroups(std::uint32_t of_unit, std::uint32_t resident) {
  return std::min(of_unit, kRounds * resident);
}

Result<LaunchTime> time_launch(const LaunchRecord& record, const Parameters& p, bool keep_times) {
  LaunchTime out;
  Timing timing(record, p);
  TRY(timing.simulate(keep_times, out));
  timing.set_time(out);
  return out;
}

}  // namespace rpl::cycle
