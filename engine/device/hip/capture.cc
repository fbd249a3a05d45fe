// SPDX-License-Identifier: MIT
#include "engine/device/hip/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/capture/marks.h"
#include "engine/capture/reach.h"

namespace rpl::emu::hip {
namespace {

/// From what lies at `address`, and on from what is found.
void follow(const AddressSpace& space, Reach& reach, std::uint64_t address,
            std::span<const std::byte> bytes) {
  reach.look_at(address, bytes);
  while (const auto next = reach.next()) {
    const Allocation* found = space.find(*next);
    const std::byte* host = space.host_of(found->base, found->bytes);
    if (host != nullptr) reach.look_at(found->base, {host, found->bytes});
  }
}

CapturedRegion region_at(const AddressSpace& space, std::uint64_t base, std::uint64_t bytes,
                         std::string name) {
  CapturedRegion out{
      .base = base, .size = bytes, .name = std::move(name), .before = {}, .after = std::nullopt};
  if (const std::byte* host = space.host_of(base, bytes)) out.before.assign(host, host + bytes);
  return out;
}

}  // namespace

DispatchCapturer::DispatchCapturer(CaptureWish wish) : wish_(std::move(wish)) {
  if (!wanted()) return;
  auto pattern = KernelPattern::of(wish_.kernel);
  if (pattern) {
    pattern_ = std::move(*pattern);
  } else {
    outcome_.failure = pattern.error().message;
  }
}

bool DispatchCapturer::is_due(const isa::Kernel& kernel, const std::array<std::uint32_t, 3>& grid) {
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
  outcome_.kernel = launch.kernel->name;
  const auto kernarg = kernarg_of(launch);
  if (!kernarg) return abandon(kernarg.error().message);
  Capture capture{.kernel = launch.kernel->name,
                  .architecture = std::string(isa::to_string(launch.object->arch())),
                  .grid = launch.grid,
                  .workgroup = launch.workgroup,
                  .dynamic_lds_bytes = launch.dynamic_lds_bytes,
                  .kernarg = *kernarg,
                  .code_object = {},
                  .load_base = launch.load_base,
                  .regions = {},
                  .arguments = {},
                  .has_after = false,
                  .target = "emu",
                  .model = {},
                  .tool = {},
                  .source_note = {}};
  const auto code = launch.object->bytes();
  capture.code_object.assign(code.begin(), code.end());
  Reach reach([&space](std::uint64_t address) -> std::optional<std::uint64_t> {
    const Allocation* found = space.find(address);
    if (found == nullptr) return std::nullopt;
    return found->base;
  });
  follow(space, reach, 0, launch.arguments);
  for (const isa::Symbol* variable : variables_of(*launch.object)) {
    CapturedRegion region = region_at(space, *launch.load_base + variable->address, variable->size,
                                      "variable " + variable->name);
    if (region.before.size() != region.size) continue;
    region.variable = variable->name;
    region.kind = RegionKind::variable;
    follow(space, reach, region.base, region.before);
    capture.regions.push_back(std::move(region));
  }
  std::uint64_t bytes = 0;
  for (const auto& [base, allocation] : space.allocations()) {
    if (!wish_.all_memory && !reach.has(base)) continue;
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
  capture.tool = "rpl, emulated HIP runtime";
  capture.facts.demangled = demangled(capture.kernel);
  capture.facts.time = utc_now();
  capture.source_note =
      fmt::format("dispatch {} of those that {} names", wish_.dispatch, wish_.kernel);
  if (const auto written = write_capture(wish_.folder, capture); !written)
    return abandon(written.error().message);
  outcome_.folder = wish_.folder;
}

void DispatchCapturer::abandon(const std::string& why) {
  capture_.reset();
  if (outcome_.failure.empty()) outcome_.failure = why;
}

}  // namespace rpl::emu::hip
