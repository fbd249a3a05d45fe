// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/physical_floor.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/metrics/roofline/ceilings.h"

namespace rpl {
namespace {

class LongestOf {
 public:
  explicit LongestOf(std::string of) : of_(std::move(of)) {}
  /// `rate` in units of 1e9 a second, which is one a nanosecond.
  void take(double amount, std::optional<double> rate, std::string what) {
    if (!rate || !(*rate > 0) || !(amount > 0)) return;
    const double ns = amount / *rate;
    if (found_ && ns <= found_->ns) return;
    found_ = PhysicalFloor{
        .ns = ns, .amount = amount, .rate = *rate, .what = std::move(what), .of = of_};
  }
  [[nodiscard]] std::optional<PhysicalFloor> found() const { return found_; }

 private:
  std::string of_;
  std::optional<PhysicalFloor> found_;
};

/// Bytes that the caches of the whole device hold; none where their sizes are not known.
std::optional<double> cached_bytes(const arch::Gpu& gpu) {
  const auto l2 = gpu.number("l2_bytes");
  if (!l2) return std::nullopt;
  return *l2 * gpu.number("xcds").value_or(1) + gpu.number("mall_bytes").value_or(0);
}

}  // namespace

NecessaryWork necessary_work(const emu::Executed& executed, const Capture& capture, bool cold) {
  NecessaryWork out{.bytes = 0, .cold = cold, .operations = emu::unit_operations(executed)};
  if (!executed.modelled) return out;
  double regions = 0;
  for (const CapturedRegion& region : capture.regions) regions += static_cast<double>(region.size);
  const double asked =
      static_cast<double>(executed.counts.load_bytes + executed.counts.store_bytes);
  // What was written may stay in the Infinity Cache; through the L2 it goes all the same.
  const emu::CacheCounts& caches = executed.modelled->caches;
  const std::uint64_t moved =
      cold ? caches.hbm_bytes : caches.memory_read_bytes + caches.memory_write_bytes;
  out.bytes = std::min({static_cast<double>(moved), asked, regions});
  return out;
}

std::optional<PhysicalFloor> physical_floor(const NecessaryWork& work, const arch::Gpu& gpu) {
  const Ceilings peaks = spec_ceilings(gpu);
  LongestOf longest(gpu.title());
  if (work.cold) {
    longest.take(work.bytes, peaks.gbps(arch::Level::hbm), "bytes from memory");
  } else {
    longest.take(work.bytes, peaks.gbps(arch::Level::l2), "bytes through the L2");
    if (const auto held = cached_bytes(gpu))
      longest.take(work.bytes - *held, peaks.gbps(arch::Level::hbm), "bytes that no cache holds");
  }
  for (const emu::UnitOperations& done : work.operations) {
    const auto unit = std::ranges::find_if(
        peaks.compute, [&](const auto& peak) { return to_string(peak.first) == done.unit; });
    if (unit != peaks.compute.end())
      longest.take(static_cast<double>(done.operations), unit->second.value,
                   done.unit + " operations");
  }
  return longest.found();
}

std::string PhysicalFloor::text() const {
  const std::string_view unit = what.ends_with("operations") ? "GFLOP/s" : "GB/s";
  return fmt::format("{:.0f} {} take {:.1f} ns at {:.1f} {}, the peak of {}", amount, what, ns,
                     rate, unit, of);
}

Record to_record(const PhysicalFloor& floor) {
  return {{"floor_ns", floor.ns},
          {"amount", floor.amount},
          {"rate", floor.rate},
          {"what", floor.what},
          {"of", floor.of}};
}

std::optional<PhysicalFloor> physical_floor_from(const Value& value) {
  const auto number = [&](std::string_view name) {
    const Value* found = value.find(name);
    return found ? found->number().value_or(0) : 0;
  };
  const auto text = [&](std::string_view name) {
    const Value* found = value.find(name);
    const std::string* held = found ? found->as<std::string>() : nullptr;
    return held ? *held : std::string();
  };
  if (!(number("floor_ns") > 0)) return std::nullopt;
  return PhysicalFloor{.ns = number("floor_ns"),
                       .amount = number("amount"),
                       .rate = number("rate"),
                       .what = text("what"),
                       .of = text("of")};
}

}  // namespace rpl
