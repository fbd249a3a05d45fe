// SPDX-License-Identifier: MIT
#include "engine/device/calibrate/whole_launch.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/att/read/wave_file.h"
#include "engine/isa/traits/architecture.h"

namespace rpl::calibrate {
namespace {

constexpr double kKiB = 1024;

std::uint32_t whole(double cycles) {
  constexpr double kMost = 100'000;
  return static_cast<std::uint32_t>(std::clamp(std::round(cycles), 1.0, kMost));
}

}  // namespace

std::optional<WholeLaunch> whole_launch_of(const att::ThreadTrace& trace, std::uint64_t bytes,
                                           std::uint64_t waves) {
  const att::Device& device = trace.device;
  if (!trace.occupancy || waves == 0 || device.shader_engines == 0 ||
      device.cus < device.shader_engines)
    return std::nullopt;
  double started = 0, busy = 0, engines = 0;
  for (const att::OccupancyOfEngine& each : trace.occupancy->engines) {
    const att::EngineOccupancy engine = att::occupancy_of(each);
    started += static_cast<double>(engine.starts);
    busy += static_cast<double>(engine.cus);
    engines += 1;
  }
  if (started == 0) return std::nullopt;
  const double all = device.shader_engines;
  WholeLaunch out;
  out.bytes = static_cast<double>(bytes) / static_cast<double>(waves) * started * all / engines;
  out.busy_share = std::min(1.0, busy / (engines * device.cus / all));
  return out;
}

std::string_view to_string(LoadSource source) {
  switch (source) {
    case LoadSource::l2:
      return "L2";
    case LoadSource::mall:
      return "Infinity Cache";
    case LoadSource::memory:
      return "memory";
  }
  return "L2";
}

LoadSource load_source(const std::optional<WholeLaunch>& launch, const cycle::Parameters& p) {
  if (!launch || p.assumed_mall == 0) return LoadSource::l2;
  if (launch->bytes <= static_cast<double>(p.l2_bytes) * p.xcds) return LoadSource::l2;
  return launch->bytes <= static_cast<double>(p.mall_bytes) ? LoadSource::mall : LoadSource::memory;
}

cycle::Parameters with_load_source(cycle::Parameters p, const std::optional<WholeLaunch>& launch) {
  const LoadSource source = load_source(launch, p);
  if (source == LoadSource::l2) return p;
  const bool mall = source == LoadSource::mall;
  const double all_busy = mall ? p.assumed_mall : kKiB * p.compute_units / p.hbm_bandwidth;
  p.assumed_service = std::max(p.assumed_service, whole(all_busy * launch->busy_share));
  p.assumed_load = std::max(p.assumed_load, mall ? p.mall_latency : p.hbm_latency);
  return p;
}

namespace {

constexpr std::uint64_t kLanes = isa::kWaveSize;
constexpr std::int64_t kSameOpening =
    64;  ///< cycles within which the waves of a workgroup leave a barrier

/// Takes one wave after the other.
class Taker final : public att::WaveConsumer {
 public:
  Taker(const att::CodeTable& code, const std::vector<cycle::Operation>& operations)
      : code_(code), operations_(operations) {}

  void restart() override {
    stream = std::make_unique<cycle::WaveStream>();
    cycles = {};
    begin = end = 0;
    first_barrier = -1;
    left_out = bytes = 0;
  }
  void head(const att::WaveHead& head) override {
    begin = head.begin;
    end = head.end;
  }
  void instructions(std::span<const att::WaveInstruction> some) override {
    for (const att::WaveInstruction& one : some) take(one);
  }
  void states(const att::StateCycles&) override {}
  void stored_wait(std::int32_t, std::span<const std::int32_t>) override {}

  std::unique_ptr<cycle::WaveStream> stream;
  std::array<cycle::UnitCycles, cycle::kUnits> cycles{};
  std::int64_t begin = 0, end = 0;
  std::int64_t first_barrier = -1;  ///< when it opened; -1: none
  std::uint64_t left_out = 0;
  std::uint64_t bytes = 0;  ///< of vector memory, all lanes

 private:
  void take(const att::WaveInstruction& one) {
    const std::uint32_t row = code_.row_of(one.line);
    if (row == att::CodeTable::kNone) {
      ++left_out;
      return;
    }
    const cycle::Unit unit = operations_[row].unit;
    cycle::UnitCycles& sum = cycles[static_cast<std::size_t>(unit)];
    ++sum.executed;
    sum.stall += one.stall;
    sum.issue += one.duration - std::min(one.stall, one.duration);
    if (unit == cycle::Unit::vmem) bytes += std::uint64_t{operations_[row].bytes} * kLanes;
    std::uint32_t detail = 0;
    if (unit == cycle::Unit::branch)
      detail = one.category == static_cast<std::int32_t>(att::Category::jump) ? 1 : 0;
    if (unit == cycle::Unit::vmem || unit == cycle::Unit::smem || unit == cycle::Unit::lds)
      detail = cycle::kAssumed;
    if (unit == cycle::Unit::barrier && first_barrier < 0) first_barrier = one.time + one.duration;
    stream->steps.push_back({row, detail});
    ++stream->executed;
  }

  const att::CodeTable& code_;
  const std::vector<cycle::Operation>& operations_;
};

/// Numbers of workgroups for the waves of one unit, by when their first barrier opened.
class Workgroups {
 public:
  std::uint32_t of(std::int64_t opened) {
    if (opened < 0) return next_++;
    auto at = known_.lower_bound(opened - kSameOpening);
    if (at == known_.end() || at->first > opened + kSameOpening)
      at = known_.emplace(opened, next_++).first;
    return at->second;
  }

 private:
  std::map<std::int64_t, std::uint32_t> known_;
  std::uint32_t next_ = 0;
};

}  // namespace

Result<RecordedWaves> read_recorded_waves(const att::ThreadTrace& trace,
                                          const cycle::Parameters& parameters) {
  if (trace.manifest.waves.empty())
    return fail(Errc::not_found, "the trace has no wave files",
                "record with rocprofv3 --att, or open the ui_output folder");
  RecordedWaves out;
  std::vector<cycle::Operation> operations;
  for (const att::Instruction& row : trace.code.rows) {
    out.texts.push_back(row.text);
    operations.push_back(cycle::operation_of(row.text, parameters));
  }
  att::WaveBuffers buffers;
  std::uint64_t bytes = 0;
  Taker taker(trace.code, operations);
  std::map<std::uint32_t, std::pair<RecordedUnit, Workgroups>> units;
  for (const att::WaveFile& file : trace.manifest.waves) {
    taker.restart();
    TRY(att::read_wave(trace.path_of(file), taker, buffers));
    auto& [unit, workgroups] = units[file.se];
    unit.se = file.se;
    unit.starts.push_back(
        {.stream = taker.stream.get(),
         .workgroup = workgroups.of(taker.first_barrier),
         .wave = file.id,
         .simd = file.simd,
         .begin = static_cast<std::uint64_t>(std::max<std::int64_t>(taker.begin, 0))});
    unit.streams.push_back(std::move(taker.stream));
    ++out.waves;
    out.left_out += taker.left_out;
    bytes += taker.bytes;
    out.wave_cycles +=
        static_cast<std::uint64_t>(std::max<std::int64_t>(taker.end - taker.begin, 0));
    for (std::size_t i = 0; i < cycle::kUnits; ++i) {
      out.cycles[i].executed += taker.cycles[i].executed;
      out.cycles[i].issue += taker.cycles[i].issue;
      out.cycles[i].stall += taker.cycles[i].stall;
      out.instructions += taker.cycles[i].executed;
    }
  }
  out.launch = whole_launch_of(trace, bytes, out.waves);
  for (auto& [se, unit] : units) {
    std::ranges::stable_sort(unit.first.starts, {}, &cycle::WaveStart::begin);
    out.units.push_back(std::move(unit.first));
  }
  return out;
}

}  // namespace rpl::calibrate
