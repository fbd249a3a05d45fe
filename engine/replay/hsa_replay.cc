// SPDX-License-Identifier: MIT
#include "engine/replay/hsa_replay.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "engine/capture/hidden_pointers.h"
#include "engine/emu/host_pages.h"
#include "engine/replay/hsa_code.h"
#include "engine/replay/hsa_memory.h"
#include "engine/replay/hsa_queue.h"
#include "engine/replay/timing_check.h"
#include "engine/replay/variables.h"

namespace rpl {
namespace {

using Clock = std::chrono::steady_clock;

double ns_since(Clock::time_point begin) { return static_cast<double>(std::chrono::nanoseconds(Clock::now() - begin).count()); }

std::string region_text(const CapturedRegion& region) { return fmt::format("{} ({} bytes at 0x{:x})", region.name, region.size, region.base); }

/// Dimensions as the captured packet has them; without it as many as the sizes need.
std::uint16_t setup_of(const Capture& capture) {
  if (capture.facts.packet) {
    hsa::DispatchPacket packet{};
    std::memcpy(&packet, capture.facts.packet->data(), sizeof(packet));
    if (const auto dimensions = static_cast<std::uint16_t>(packet.setup & 3U); dimensions != 0) return dimensions;
  }
  if (capture.grid[2] > 1 || capture.workgroup[2] > 1) return 3;
  return capture.grid[1] > 1 || capture.workgroup[1] > 1 ? 2 : 1;
}

/// Everything between hsa_init and hsa_shut_down. Members go in reverse order.
class HsaRun {
 public:
  HsaRun(HsaCalls& calls, const ReplayPlan& plan, Steering& steering, Placement& placement)
      : calls_(calls), plan_(plan), capture_(*plan.capture), steering_(steering), placement_(placement) {}

  /// The runtime, the device and all addresses.
  Status reserve();
  Result<ReplaySeries> run();

 private:
  struct Target {
    std::uint64_t address = 0;  ///< 0: the code that runs has no such variable
    const char* placement = "device";
  };
  Status choose_code();
  Status prepare_kernarg();
  void find_targets();
  void choose_what_to_restore();
  [[nodiscard]] hsa::DispatchPacket packet() const;
  Status write_regions(const std::vector<std::size_t>& regions);
  Status empty_caches();
  Result<HsaSample> once(bool restore, ReplaySeries& series);
  Status compare_first(ReplaySeries& series);
  Status compare_last(ReplaySeries& series);
  void describe(ReplaySeries& series) const;
  [[nodiscard]] Error with_region(Error error) const;

  HsaCalls& calls_;
  const ReplayPlan& plan_;
  const Capture& capture_;
  Steering& steering_;
  Placement& placement_;
  std::shared_ptr<const isa::CodeObject> object_;
  const isa::Kernel* kernel_ = nullptr;
  const isa::Kernel* captured_kernel_ = nullptr;
  std::shared_ptr<const isa::CodeObject> captured_object_;
  std::vector<Target> targets_;
  std::vector<std::size_t> all_, restored_;
  std::chrono::milliseconds timeout_{0};

  HsaEvents events_;
  std::unique_ptr<HsaRuntime> runtime_;
  HsaDevice device_;
  std::unique_ptr<HsaMemory> memory_;
  std::unique_ptr<HsaCode> code_;
  HsaAllocation kernarg_{calls_}, flush_{calls_};
  std::uint64_t flush_bytes_ = 0;
  std::unique_ptr<HsaQueue> queue_;
};

Status HsaRun::choose_code() {
  captured_object_ = TRY(object_of(capture_));
  captured_kernel_ = TRY(captured_object_->kernel(capture_.kernel));
  object_ = plan_.object ? plan_.object : captured_object_;
  kernel_ = TRY(kernel_that_fits(capture_, *object_, plan_.kernel));
  constexpr std::chrono::milliseconds kUsual{60'000};
  timeout_ = plan_.timeout.count() > 0 ? plan_.timeout : kUsual;
  return {};
}

Status HsaRun::reserve() {
  TRY(choose_code());
  runtime_ = TRY(HsaRuntime::start(calls_, events_));
  device_ = TRY(find_device(calls_, std::string(to_string(object_->arch()))));
  placement_.ranges = page_ranges(capture_, plan_.host_regions, device_.granule);
  memory_ = std::make_unique<HsaMemory>(calls_, device_, capture_, steering_);
  placement_.conflicts = TRY(memory_->reserve(placement_.ranges));
  return {};
}

Status HsaRun::prepare_kernarg() {
  emu::Launch launch;
  launch.object = object_;
  launch.kernel = kernel_;
  launch.grid = capture_.grid;
  launch.workgroup = capture_.workgroup;
  launch.dynamic_lds_bytes = capture_.dynamic_lds_bytes;
  launch.arguments = explicit_part(capture_, *kernel_);
  const std::vector<std::byte> bytes = TRY(emu::kernarg_of(launch));
  // Compilers may read whole cache lines of arguments.
  constexpr std::size_t kSlack = 256;
  TRY(kernarg_.make(device_.kernarg, bytes.size() + kSlack, "the kernel arguments"));
  TRY(kernarg_.share_with(device_.gpu));
  std::memset(kernarg_.get(), 0, bytes.size() + kSlack);
  if (!bytes.empty()) std::memcpy(kernarg_.get(), bytes.data(), bytes.size());
  return {};
}

void HsaRun::find_targets() {
  for (std::size_t i = 0; i < capture_.regions.size(); ++i) {
    const CapturedRegion& region = capture_.regions[i];
    Target target{.address = region.base};
    if (!region.variable.empty()) {
      const isa::Symbol* symbol = symbol_of_variable(region, *object_, code_->base());
      target = {.address = symbol == nullptr ? 0 : code_->base() + symbol->address, .placement = symbol == nullptr ? "absent" : "variable"};
    }
    targets_.push_back(target);
    if (target.address != 0) all_.push_back(i);
  }
  for (const PageRange& range : placement_.ranges) {
    for (const std::size_t region : range.regions) targets_[region].placement = range.host ? "host" : "device";
  }
}

// What the captured code does not write it does not write the next time either; of other code nothing is known.
void HsaRun::choose_what_to_restore() {
  if (plan_.object != nullptr || !capture_.has_after) {
    restored_ = all_;
    return;
  }
  for (const std::size_t i : all_) {
    if (capture_.regions[i].after) restored_.push_back(i);
  }
}

hsa::DispatchPacket HsaRun::packet() const {
  hsa::DispatchPacket packet{};
  const auto& grid = capture_.grid;
  packet.setup = setup_of(capture_);
  for (std::size_t i = 0; i < 3; ++i) {
    packet.workgroup[i] = static_cast<std::uint16_t>(capture_.workgroup[i]);
    packet.grid[i] = grid[i];
  }
  packet.private_bytes = std::max({captured_kernel_->scratch_bytes, capture_.scratch_bytes, code_->private_bytes()});
  packet.group_bytes = std::max(captured_kernel_->lds_bytes, code_->group_bytes()) + capture_.dynamic_lds_bytes;
  packet.kernel_object = code_->kernel_object();
  packet.kernarg = reinterpret_cast<std::uint64_t>(kernarg_.get());
  return packet;
}

Status HsaRun::write_regions(const std::vector<std::size_t>& regions) {
  for (const std::size_t i : regions) TRY(memory_->write(targets_[i].address, capture_.regions[i].before, region_text(capture_.regions[i])));
  return {};
}

// More than the last cache holds is written, so that nothing of the kernel's is left in any.
Status HsaRun::empty_caches() {
  if (!plan_.cold) return {};
  const std::size_t words = flush_bytes_ / sizeof(std::uint32_t);
  return calls_.call(calls_.api.memory_fill, "memory that empties the caches", flush_.get(), std::uint32_t{0}, words);
}

Result<HsaSample> HsaRun::once(bool restore, ReplaySeries& series) {
  const auto begin = Clock::now();
  if (restore) TRY(write_regions(restored_));
  series.device->restore_ns = ns_since(begin);
  TRY(empty_caches());
  return queue_->run(packet(), fmt::format("'{}'", kernel_->name), timeout_);
}

Status HsaRun::compare_first(ReplaySeries& series) {
  ImageComparison& image = series.image;
  image.match = capture_.has_after ? ImageMatch::matched : ImageMatch::not_captured;
  std::vector<std::byte> found;
  for (const std::size_t i : all_) {
    const CapturedRegion& region = capture_.regions[i];
    found.resize(region.size);
    TRY(memory_->read(targets_[i].address, found, region_text(region)));
    const auto difference = difference_of(i, after_of(region), found);
    if (!difference) continue;
    series.differing[i] = found;
    if (!capture_.has_after) continue;
    image.match = ImageMatch::differs;
    image.differences.push_back(*difference);
  }
  return {};
}

Status HsaRun::compare_last(ReplaySeries& series) {
  series.last_equals_first = true;
  std::vector<std::byte> found;
  for (const std::size_t i : all_) {
    const CapturedRegion& region = capture_.regions[i];
    found.resize(region.size);
    TRY(memory_->read(targets_[i].address, found, region_text(region)));
    const auto other = series.differing.find(i);
    const auto& expected = other == series.differing.end() ? after_of(region) : other->second;
    if (found != expected) series.last_equals_first = false;
  }
  return {};
}

void HsaRun::describe(ReplaySeries& series) const {
  DeviceRun& run = *series.device;
  series.kernel = kernel_->name;
  series.time_source = "measured";
  run.agent = device_.name;
  run.product = device_.product;
  run.runtime_version = device_.runtime_version;
  run.pid = ::getpid();
  run.ticks_per_s = device_.ticks_per_s;
  run.kernarg_placement = "host";
  run.load_base = code_->base();
  for (const Target& target : targets_) run.placements.emplace_back(target.placement);
  if (plan_.recopy) {
    for (const std::size_t i : restored_) run.restored_bytes += capture_.regions[i].size;
  }
  if (capture_.load_base && *capture_.load_base != code_->base()) {
    series.notes.push_back(fmt::format("the code lies at 0x{:x}, not where it was captured: addresses of code and of variables that memory holds point to nothing",
                                       code_->base()));
  }
  if (const std::string names = names_of(hidden_pointers(*kernel_, {})); !names.empty())
    series.notes.push_back(fmt::format("hidden arguments that point into the process that launches are zero, and a kernel that follows one faults: {}", names));
}

/// A fault at an address: what lies near it.
Error HsaRun::with_region(Error error) const {
  if (!events_.faulted) return error;
  const std::uint64_t address = events_.fault_address;
  const CapturedRegion* below = nullptr;
  for (const CapturedRegion& region : capture_.regions) {
    if (region.variable.empty() && region.base <= address) below = &region;
  }
  if (below != nullptr && address - below->base < below->size) error.message += fmt::format("; it is in {}", region_text(*below));
  else if (below != nullptr) error.message += fmt::format("; it is {} bytes past the end of {}", address - below->base - below->size, region_text(*below));
  return error;
}

Result<ReplaySeries> HsaRun::run() {
  const auto begin = Clock::now();
  TRY(reserve());
  if (!placement_.exact()) {
    return fail(Errc::denied, "memory cannot lie where it lay: " + conflict_text(capture_, placement_.ranges, placement_.conflicts[0]));
  }
  TRY(memory_->back());
  code_ = std::make_unique<HsaCode>(calls_);
  TRY(code_->load(device_, *object_, *kernel_));
  TRY(prepare_kernarg());
  if (plan_.cold) {
    flush_bytes_ = bytes_to_flush(object_->arch(), device_.cache_bytes);
    TRY(flush_.make(device_.memory, flush_bytes_, "memory that empties the caches"));
  }
  queue_ = std::make_unique<HsaQueue>(calls_, device_, events_);
  TRY(queue_->make());
  find_targets();
  choose_what_to_restore();
  ReplaySeries series;
  series.device.emplace();
  describe(series);
  TRY(write_regions(all_));
  series.device->setup_ns = ns_since(begin);
  for (std::int64_t i = 0; i < plan_.warmup; ++i) {
    if (auto sample = once(i > 0, series); !sample) return tl::unexpected(with_region(sample.error()));
  }
  TimingCheck check;
  for (std::int64_t i = 0; i < plan_.iterations; ++i) {
    const bool is_dirty = i > 0 || plan_.warmup > 0;
    auto sample = once(is_dirty && (plan_.recopy || i == 0), series);
    if (!sample) return tl::unexpected(with_region(sample.error()));
    check.add(*sample, series);
    if (i == 0) TRY(compare_first(series));
  }
  if (plan_.recopy && plan_.iterations > 1) TRY(compare_last(series));
  check.finish(series);
  return series;
}

void add_troubles(const HsaCalls& calls, std::vector<std::string>& notes) {
  for (const std::string& trouble : calls.troubles()) notes.push_back("giving back: " + trouble);
}

}  // namespace

std::string conflict_text(const Capture& capture, const std::vector<PageRange>& ranges, const PlaceConflict& conflict) {
  const auto range = std::ranges::find(ranges, conflict.base, &PageRange::base);
  std::string text = range == ranges.end() ? fmt::format("{} bytes at 0x{:x}", conflict.bytes, conflict.base) : range_text(capture, *range);
  if (conflict.got != 0) text += fmt::format(" was put at 0x{:x}", conflict.got);
  for (std::size_t i = 0; i < conflict.in_the_way.size(); ++i) text += (i == 0 ? ", in the way: " : ", ") + conflict.in_the_way[i];
  return text;
}

Result<ReplaySeries> replay_on_hsa(const hsa::Api& api, const ReplayPlan& plan, Steering& steering, Placement& placement, HsaCalls::Stage stage) {
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

Status reserve_on_hsa(const hsa::Api& api, const ReplayPlan& plan, Steering& steering, Placement& placement, HsaCalls::Stage stage) {
  HsaCalls calls(api, std::move(stage));
  TRY(HsaRun(calls, plan, steering, placement).reserve());
  if (calls.troubles().empty()) return {};
  return fail(Errc::io, calls.troubles().front());
}

}  // namespace rpl
