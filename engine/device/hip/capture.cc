// SPDX-License-Identifier: MIT
#include "engine/device/hip/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/capture/marks.h"
#include "engine/device/hip/frozen_memory.h"

namespace rpl::emu::hip {
DispatchCapturer::DispatchCapturer(CaptureWish wish) : wish_(std::move(wish)) {
  if (wish_.slice) slice_.emplace(wish_.slice->first);
  if (!wanted() || slice_) return;
  auto pattern = KernelPattern::of(wish_.kernel);
  if (pattern) {
    pattern_ = std::move(*pattern);
  } else {
    outcome_.failure = pattern.error().message;
  }
}

bool DispatchCapturer::is_due(const isa::Kernel& kernel, const std::array<std::uint32_t, 3>& grid) {
  if (wish_.slice) return wish_.slice->holds(++outcome_.matches) && slice_;
  if (wish_.longer_us != 0) {
    const auto last = last_ns_.find({kernel.name, grid});
    if (last == last_ns_.end() || last->second < static_cast<std::int64_t>(wish_.longer_us) * 1000)
      return false;
  }
  return pattern_ && pattern_->names(kernel.name) && (!wish_.grid || *wish_.grid == grid) &&
         ++outcome_.matches == wish_.dispatch;
}

void DispatchCapturer::ran(const isa::Kernel& kernel, const std::array<std::uint32_t, 3>& grid,
                           std::int64_t duration_ns) {
  if (wish_.longer_us != 0) last_ns_[{kernel.name, grid}] = duration_ns;
}

void DispatchCapturer::begin(const AddressSpace& space, const Launch& launch) {
  if (slice_) {
    if (outcome_.kernel.empty()) outcome_.kernel = launch.kernel->name;
    if (const Status begun = slice_->begin(space, launch); !begun) abandon(begun.error().message);
    return;
  }
  outcome_.kernel = launch.kernel->name;
  auto dispatch = dispatch_of(launch);
  if (!dispatch) return abandon(dispatch.error().message);
  Capture capture = std::move(*dispatch);
  capture.regions = variables_at(space, launch);
  const std::set<std::uint64_t> reached = reached_from(space, launch, capture.regions);
  std::uint64_t bytes = 0;
  for (const auto& [base, allocation] : space.allocations()) {
    if (!wish_.all_memory && !reached.contains(base)) continue;
    bytes += allocation.bytes;
    if (wish_.most_bytes != 0 && bytes > wish_.most_bytes) {
      return abandon(fmt::format("the dispatch reaches more than {} of memory",
                                 format_bytes(wish_.most_bytes)));
    }
    capture.regions.push_back(region_at(space, base, allocation.bytes, {}));
    capture.regions.back().kind = RegionKind::pool;
  }
  std::ranges::sort(capture.regions, {}, &CapturedRegion::base);
  find_arguments(*launch.object, capture);
  capture_ = std::move(capture);
}

void DispatchCapturer::finish(const AddressSpace& space, const std::string& model) {
  if (slice_) return finish_in_slice(space, model);
  if (!capture_) return;
  Capture capture = std::move(*capture_);
  capture_.reset();
  capture.has_after = true;
  capture.model = model;
  for (CapturedRegion& region : capture.regions) {
    const std::byte* host = space.host_of(region.base, region.size);
    if (host == nullptr || std::memcmp(host, region.before.data(), region.size) == 0) continue;
    region.after.emplace(host, host + region.size);
  }
  capture.source_note =
      fmt::format("dispatch {} of those that {} names", wish_.dispatch, wish_.kernel);
  write(std::move(capture));
}

void DispatchCapturer::finish_in_slice(const AddressSpace& space, const std::string& model) {
  slice_->end(space);
  if (outcome_.matches < wish_.slice->last) return;
  auto capture = slice_->finish(wish_.all_memory, wish_.most_bytes);
  slice_.reset();
  if (!capture) return abandon(capture.error().message);
  capture->model = model;
  capture->facts.dispatch_index = wish_.slice->first - 1;
  capture->source_note = fmt::format("dispatches {} of the process", to_text(*wish_.slice));
  write(std::move(*capture));
}

void DispatchCapturer::moved(const AddressSpace& space, Movement movement) {
  if (slice_) slice_->moved(space, std::move(movement));
}

void DispatchCapturer::host_knows(std::int64_t time_ns, const char* call) {
  if (slice_) slice_->host_knows(time_ns, call);
}

void DispatchCapturer::write(Capture capture) {
  capture.tool = "rpl, emulated HIP runtime";
  capture.facts.demangled = demangled(capture.kernel);
  capture.facts.time = utc_now();
  if (const auto written = write_capture(wish_.folder, capture); !written)
    return abandon(written.error().message);
  outcome_.folder = wish_.folder;
}

void DispatchCapturer::abandon(const std::string& why) {
  capture_.reset();
  slice_.reset();
  if (outcome_.failure.empty()) outcome_.failure = why;
}

}  // namespace rpl::emu::hip
