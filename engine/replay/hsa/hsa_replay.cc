// SPDX-License-Identifier: MIT
#include "engine/replay/hsa/hsa_replay.h"

#include <unistd.h>

#include <algorithm>

#include "engine/arch/catalogue.h"
#include "engine/capture/arguments.h"
#include "engine/device/execute/state/host_pages.h"
#include "engine/isa/object/code_object.h"
#include "engine/replay/hsa/hsa_memory.h"
#include "engine/replay/hsa/hsa_queue.h"
#include "engine/replay/hsa/hsa_variant.h"
#include "engine/replay/series.h"

namespace rpl {

/// Samples of a replay on a GPU, and whether its clock can be believed: MI300X reported wrong time stamps before ROCm 6.4.2.
class TimingCheck {
 public:
  void add(const HsaSample& sample, ReplaySeries& series);
  /// Notes what does not fit: dispatches without times, and device times that the host's clock contradicts.
  void finish(ReplaySeries& series) const;

 private:
  std::uint64_t without_time_ = 0;
};

/// Bytes to write so that no cache holds anything else: twice the largest, the Infinity Cache among them (CDNA 3 white paper: 256 MiB;
/// MI200: L2 of 8 MiB), which runtimes do not tell of.
std::uint64_t bytes_to_flush(isa::Arch arch, std::uint64_t told_bytes);

namespace {

/// Of the host's time, which holds the device's and the way there and back.
constexpr double kMoreThanPossible = 1.05;
/// Of a dispatch longer than this the way there and back is a small part, also on a busy machine.
constexpr double kLongNs = 1e8;
constexpr double kTooLittle = 0.5;

}  // namespace

void TimingCheck::add(const HsaSample& sample, ReplaySeries& series) {
  series.device->host_ns.push_back(sample.host_ns);
  if (sample.device_ns) {
    series.raw_ns.push_back(*sample.device_ns);
  } else {
    ++without_time_;
  }
}

void TimingCheck::finish(ReplaySeries& series) const {
  const auto& host = series.device->host_ns;
  if (without_time_ > 0) {
    series.notes.push_back(
        fmt::format("{} of {} iterations have no time: their end is not after their beginning",
                    without_time_, host.size()));
    return;
  }
  std::size_t above = 0, below = 0;
  for (std::size_t i = 0; i < host.size(); ++i) {
    above += series.raw_ns[i] > host[i] * kMoreThanPossible ? 1 : 0;
    below += host[i] > kLongNs && series.raw_ns[i] < host[i] * kTooLittle ? 1 : 0;
  }
  const auto warn = [&](std::size_t count, const char* what) {
    if (count == 0) return;
    series.notes.push_back(
        fmt::format("{} of {} device times are {} by the host's clock: the frequency of time "
                    "stamps ({:.0f} Hz) or the stamps may be wrong",
                    count, host.size(), what, series.device->ticks_per_s));
  };
  warn(above, "longer than possible");
  warn(below, "less than half of what passed");
}

std::uint64_t bytes_to_flush(isa::Arch arch, std::uint64_t told_bytes) {
  const arch::Catalogue& catalogue = arch::Catalogue::builtin();
  const std::string name(isa::to_string(arch));
  arch::Gpu gpu;
  catalogue.apply({name, std::string(catalogue.usual_product(name))}, arch::Origin::file, gpu);
  const auto bytes = [&](std::string_view key) {
    return static_cast<std::uint64_t>(gpu.number(key).value_or(0));
  };
  return 2 * std::max({bytes("mall_bytes"), bytes("l2_bytes"), told_bytes});
}

namespace {

using Clock = std::chrono::steady_clock;

double ns_since(Clock::time_point begin) {
  return static_cast<double>(std::chrono::nanoseconds(Clock::now() - begin).count());
}

std::string region_text(const CapturedRegion& region) {
  return fmt::format("{} ({} bytes at 0x{:x})", region.name, region.size, region.base);
}

/// Everything between hsa_init and hsa_shut_down. Members go in reverse order.
class HsaRun {
 public:
  HsaRun(HsaCalls& calls, const ReplayPlan& plan, Steering& steering, Placement& placement)
      : calls_(calls),
        plan_(plan),
        capture_(*plan.capture),
        steering_(steering),
        placement_(placement) {}

  /// The runtime, the device and all addresses.
  Status reserve();
  Result<ReplaySeries> run();

 private:
  Status choose_code();
  Status set_up();
  [[nodiscard]] const HsaVariant& variant(std::size_t iteration) const {
    return *variants_[plan_.other && iteration < plan_.sides.size() && plan_.sides[iteration] ? 1
                                                                                              : 0];
  }
  Status write_regions(const HsaVariant& variant, const std::vector<std::size_t>& regions);
  Status empty_caches();
  Result<HsaSample> once(const HsaVariant& variant, bool restore, ReplaySeries& series);
  Status warm_up(ReplaySeries& series);
  Status iterate(ReplaySeries& series);
  Result<std::vector<std::byte>> held(const HsaVariant& variant, std::size_t region);
  Status compare_first(ReplaySeries& series);
  Status compare_last(ReplaySeries& series);
  Status compare_other(ReplaySeries& series);
  void describe(ReplaySeries& series) const;
  [[nodiscard]] Error with_region(Error error) const;

  HsaCalls& calls_;
  const ReplayPlan& plan_;
  const Capture& capture_;
  Steering& steering_;
  Placement& placement_;
  std::chrono::milliseconds timeout_{0};

  HsaEvents events_;
  std::unique_ptr<HsaRuntime> runtime_;
  HsaDevice device_;
  std::unique_ptr<HsaMemory> memory_;
  std::vector<std::unique_ptr<HsaVariant>> variants_;  ///< the second: ReplayPlan::other
  HsaAllocation flush_{calls_};
  std::uint64_t flush_bytes_ = 0;
  std::unique_ptr<HsaQueue> queue_;
};

Status HsaRun::choose_code() {
  variants_.push_back(std::make_unique<HsaVariant>(calls_, capture_));
  TRY(variants_[0]->choose(plan_.object, plan_.kernel, plan_.launch));
  if (plan_.other) {
    variants_.push_back(std::make_unique<HsaVariant>(calls_, capture_));
    TRY(variants_[1]->choose(plan_.other, plan_.kernel, plan_.other_launch));
  }
  constexpr std::chrono::milliseconds kUsual{60'000};
  timeout_ = plan_.timeout.count() > 0 ? plan_.timeout : kUsual;
  return {};
}

Status HsaRun::reserve() {
  TRY(choose_code());
  runtime_ = TRY(HsaRuntime::start(calls_, events_));
  device_ = TRY(find_device(calls_, std::string(to_string(variants_[0]->object().arch()))));
  placement_.ranges = page_ranges(capture_, plan_.host_regions, device_.granule);
  memory_ = std::make_unique<HsaMemory>(calls_, device_, capture_, steering_);
  placement_.conflicts = TRY(memory_->reserve(placement_.ranges));
  return {};
}

Status HsaRun::write_regions(const HsaVariant& variant, const std::vector<std::size_t>& regions) {
  for (const std::size_t i : regions)
    TRY(memory_->write(variant.targets()[i].address, capture_.regions[i].before,
                       region_text(capture_.regions[i])));
  return {};
}

// More than the last cache holds is written, so that nothing of the kernel's is left in any.
Status HsaRun::empty_caches() {
  if (!plan_.cold) return {};
  const std::size_t words = flush_bytes_ / sizeof(std::uint32_t);
  return calls_.call(calls_.api.memory_fill, "memory that empties the caches", flush_.get(),
                     std::uint32_t{0}, words);
}

Result<HsaSample> HsaRun::once(const HsaVariant& variant, bool restore, ReplaySeries& series) {
  const auto begin = Clock::now();
  if (restore) TRY(write_regions(variant, variant.restored()));
  series.device->restore_ns = ns_since(begin);
  TRY(empty_caches());
  auto sample = queue_->run(variant.packet(), fmt::format("'{}'", variant.kernel().name), timeout_);
  if (!sample) return Failure(with_region(std::move(sample).error()));
  return sample;
}

Result<std::vector<std::byte>> HsaRun::held(const HsaVariant& variant, std::size_t region) {
  std::vector<std::byte> found(capture_.regions[region].size);
  TRY(memory_->read(variant.targets()[region].address, found,
                    region_text(capture_.regions[region])));
  return found;
}

Status HsaRun::compare_first(ReplaySeries& series) {
  ImageComparison& image = series.image;
  image.match = capture_.has_after ? ImageMatch::matched : ImageMatch::not_captured;
  for (const std::size_t i : variant(0).regions()) {
    std::vector<std::byte> found = TRY(held(variant(0), i));
    const auto difference = TRY(difference_of(i, after_of(capture_.regions[i]), found));
    if (!difference) continue;
    series.differing[i] = std::move(found);
    if (!capture_.has_after) continue;
    image.match = ImageMatch::differs;
    image.differences.push_back(*difference);
  }
  return {};
}

Status HsaRun::compare_last(ReplaySeries& series) {
  series.last_equals_first = true;
  for (const std::size_t i : variant(0).regions()) {
    const auto other = series.differing.find(i);
    const auto& expected =
        other == series.differing.end() ? after_of(capture_.regions[i]) : other->second;
    if (TRY(held(variant(0), i)) != expected) series.last_equals_first = false;
  }
  return {};
}

// The other side is checked after its last run: what it left out when it believed itself unwatched would be missing here.
Status HsaRun::compare_other(ReplaySeries& series) {
  series.other_differing.clear();
  for (const std::size_t i : variants_[1]->regions()) {
    std::vector<std::byte> found = TRY(held(*variants_[1], i));
    if (TRY(difference_of(i, after_of(capture_.regions[i]), found)))
      series.other_differing[i] = std::move(found);
  }
  return {};
}

void HsaRun::describe(ReplaySeries& series) const {
  DeviceRun& run = *series.device;
  const HsaVariant& first = *variants_[0];
  series.kernel = first.kernel().name;
  series.time_source = "measured";
  run.agent = device_.name;
  run.product = device_.product;
  run.runtime_version = device_.runtime_version;
  run.pid = ::getpid();
  run.ticks_per_s = device_.ticks_per_s;
  run.kernarg_placement = "host";
  run.load_base = first.base();
  for (const HsaVariant::Target& target : first.targets())
    run.placements.emplace_back(target.placement);
  if (plan_.recopy) {
    for (const std::size_t i : first.restored()) run.restored_bytes += capture_.regions[i].size;
  }
  if (capture_.load_base && *capture_.load_base != first.base()) {
    series.notes.push_back(
        fmt::format("the code lies at 0x{:x}, not where it was captured: addresses of code and of "
                    "variables that memory holds point to nothing",
                    first.base()));
  }
  if (const std::string names = names_of(hidden_pointers(first.kernel(), {})); !names.empty())
    series.notes.push_back(
        fmt::format("hidden arguments that point into the process that launches are zero, and a "
                    "kernel that follows one faults: {}",
                    names));
}

/// A fault at an address: what lies near it.
Error HsaRun::with_region(Error error) const {
  if (!events_.faulted) return error;
  const std::uint64_t address = events_.fault_address;
  const CapturedRegion* below = nullptr;
  for (const CapturedRegion& region : capture_.regions) {
    if (region.variable.empty() && region.base <= address) below = &region;
  }
  if (below != nullptr && address - below->base < below->size)
    error.message += fmt::format("; it is in {}", region_text(*below));
  else if (below != nullptr)
    error.message += fmt::format("; it is {} bytes past the end of {}",
                                 address - below->base - below->size, region_text(*below));
  return error;
}

Status HsaRun::set_up() {
  TRY(memory_->back());
  for (const auto& variant : variants_) TRY(variant->load(device_));
  if (plan_.cold) {
    flush_bytes_ = bytes_to_flush(variants_[0]->object().arch(), device_.cache_bytes);
    TRY(flush_.make(device_.memory, flush_bytes_, "memory that empties the caches"));
  }
  queue_ = std::make_unique<HsaQueue>(calls_, device_, events_);
  TRY(queue_->make());
  for (const auto& variant : variants_) {
    variant->find_targets(placement_.ranges);
    // Each side finds what the other one wrote.
    if (plan_.other) variant->restore_all();
  }
  return {};
}

Status HsaRun::warm_up(ReplaySeries& series) {
  for (std::int64_t i = 0; i < plan_.warmup; ++i) TRY(once(*variants_[0], i > 0, series));
  return {};
}

Status HsaRun::iterate(ReplaySeries& series) {
  TimingCheck check;
  const auto last_of_other =
      std::find(plan_.sides.rbegin(), plan_.sides.rend(), true).base() - plan_.sides.begin() - 1;
  for (std::int64_t i = 0; i < plan_.iterations; ++i) {
    const bool is_dirty = i > 0 || plan_.warmup > 0;
    const HsaVariant& now = variant(static_cast<std::size_t>(i));
    check.add(TRY(once(now, is_dirty && (plan_.recopy || i == 0), series)), series);
    if (i == 0) TRY(compare_first(series));
    if (plan_.other && i == last_of_other) TRY(compare_other(series));
  }
  if (!plan_.other && plan_.recopy && plan_.iterations > 1) TRY(compare_last(series));
  check.finish(series);
  return {};
}

Result<ReplaySeries> HsaRun::run() {
  const auto begin = Clock::now();
  TRY(reserve());
  if (!placement_.exact()) {
    return fail(Errc::denied,
                "memory cannot lie where it lay: " +
                    conflict_text(capture_, placement_.ranges, placement_.conflicts[0]));
  }
  TRY(set_up());
  ReplaySeries series;
  series.device.emplace();
  describe(series);
  for (const auto& variant : variants_) TRY(write_regions(*variant, variant->regions()));
  series.device->setup_ns = ns_since(begin);
  TRY(warm_up(series));
  TRY(iterate(series));
  return series;
}

void add_troubles(const HsaCalls& calls, std::vector<std::string>& notes) {
  for (const std::string& trouble : calls.troubles())
    notes.push_back("while freeing memory: " + trouble);
}

}  // namespace

std::string conflict_text(const Capture& capture, const std::vector<PageRange>& ranges,
                          const PlaceConflict& conflict) {
  const auto range = std::ranges::find(ranges, conflict.base, &PageRange::base);
  std::string text = range == ranges.end()
                         ? fmt::format("{} bytes at 0x{:x}", conflict.bytes, conflict.base)
                         : range_text(capture, *range);
  if (conflict.got != 0) text += fmt::format(" was put at 0x{:x}", conflict.got);
  for (std::size_t i = 0; i < conflict.in_the_way.size(); ++i)
    text += (i == 0 ? ", in the way: " : ", ") + conflict.in_the_way[i];
  return text;
}

Result<ReplaySeries> replay_on_hsa(const hsa::Api& api, const ReplayPlan& plan, Steering& steering,
                                   Placement& placement, HsaCalls::Stage stage) {
  TRY(require_one_dispatch(*plan.capture, kReplayOnGpu));
  HsaCalls calls(api, std::move(stage));
  Result<ReplaySeries> series = [&] {
    HsaRun run(calls, plan, steering, placement);
    Result<ReplaySeries> done = run.run();
    if (!done) calls.remember(done.error().message);
    return done;
  }();
  if (series) add_troubles(calls, series->notes);
  return series;
}

Status reserve_on_hsa(const hsa::Api& api, const ReplayPlan& plan, Steering& steering,
                      Placement& placement, HsaCalls::Stage stage) {
  HsaCalls calls(api, std::move(stage));
  TRY(HsaRun(calls, plan, steering, placement).reserve());
  if (calls.troubles().empty()) return {};
  return fail(Errc::io, calls.troubles().front());
}

}  // namespace rpl
