// SPDX-License-Identifier: MIT
#include "engine/device/hip/slice_capture.h"

#include <fmt/format.h>

#include <cstring>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/capture/dispatches.h"
#include "engine/device/hip/frozen_memory.h"

namespace rpl::emu::hip {
namespace {

bool equal(const std::byte* host, const std::vector<std::byte>& bytes) {
  return bytes.empty() || std::memcmp(host, bytes.data(), bytes.size()) == 0;
}

FollowingDispatch following(Capture dispatch) {
  return {.kernel = std::move(dispatch.kernel),
          .grid = dispatch.grid,
          .workgroup = dispatch.workgroup,
          .dynamic_lds_bytes = dispatch.dynamic_lds_bytes,
          .scratch_bytes = dispatch.scratch_bytes,
          .kernarg = std::move(dispatch.kernarg),
          .arguments = {}};
}

}  // namespace

Status SliceCapture::begin(const AddressSpace& space, const Launch& launch) {
  Capture dispatch = TRY(dispatch_of(launch));
  if (!capture_) {
    object_ = launch.object;
    capture_ = std::move(dispatch);
    watch_all(space, launch);
  } else {
    capture_->then.push_back(following(std::move(dispatch)));
    TRY(check_code(launch));
    look_for_disturbance(space);
  }
  return mark_reached(space, launch);
}

void SliceCapture::watch(CapturedRegion region) {
  const std::uint64_t base = region.base;
  watched_[base].region = std::move(region);
}

void SliceCapture::watch_all(const AddressSpace& space, const Launch& launch) {
  for (CapturedRegion& variable : variables_at(space, launch)) {
    const std::uint64_t base = variable.base;
    watch(std::move(variable));
    watched_[base].needed = true;
  }
  for (const auto& [base, allocation] : space.allocations()) {
    watch(region_at(space, base, allocation.bytes, {}));
    watched_[base].region.kind = RegionKind::pool;
  }
}

Status SliceCapture::check_code(const Launch& launch) const {
  const std::size_t last = capture_->then.size();
  const auto differ = [&](const char* how) {
    return fail(Errc::unsupported,
                fmt::format("{} and {} are {}", name_of(last - 1), name_of(last), how),
                "name a slice of one code object and one device");
  };
  if (launch.object != object_ && launch.object->hash() != object_->hash())
    return differ("of two code objects");
  if (launch.load_base != capture_->load_base)
    return differ("of code that lies at two addresses: on two devices, or loaded twice");
  return {};
}

void SliceCapture::look_for_disturbance(const AddressSpace& space) {
  for (auto& [base, watched] : watched_) {
    const std::byte* host = space.host_of(base, watched.region.size);
    if (host != nullptr && equal(host, watched.held())) continue;
    if (!watched.disturbed_before) watched.disturbed_before = capture_->then.size();
    watched.released = watched.released || host == nullptr;
    if (host != nullptr) watched.now.emplace(host, host + watched.region.size);
  }
}

Status SliceCapture::mark_reached(const AddressSpace& space, const Launch& launch) {
  for (const std::uint64_t base : reached_from(space, launch, variables_at(space, launch))) {
    const auto found = watched_.find(base);
    if (found == watched_.end()) {
      const std::size_t last = capture_->then.size();
      return fail(Errc::unsupported,
                  fmt::format("memory at 0x{:x}, which {} uses, was allocated after {} began", base,
                              name_of(last), name_of(0)),
                  "name a slice that begins later");
    }
    found->second.needed = true;
  }
  return {};
}

void SliceCapture::end(const AddressSpace& space) {
  for (auto& [base, watched] : watched_) {
    const std::byte* host = space.host_of(base, watched.region.size);
    if (host == nullptr || equal(host, watched.held())) continue;
    watched.now.emplace(host, host + watched.region.size);
    watched.needed = true;
  }
}

Result<Capture> SliceCapture::finish(bool all_memory, std::uint64_t most_bytes) {
  Capture out = std::move(*capture_);
  out.has_after = true;
  std::vector<const Watched*> kept;
  std::uint64_t bytes = 0;
  for (auto& [base, watched] : watched_) {
    if (!all_memory && !watched.needed) continue;
    kept.push_back(&watched);
    CapturedRegion& region = watched.region;
    if (region.variable.empty()) bytes += region.size;
    if (watched.now && *watched.now != region.before) region.after = std::move(watched.now);
    out.regions.push_back(std::move(region));
  }
  if (most_bytes != 0 && bytes > most_bytes)
    return fail(
        Errc::limit,
        fmt::format("the dispatches reach more than {} of memory", format_bytes(most_bytes)),
        "--limit takes more; or name a shorter slice");
  find_arguments(*object_, out);
  capture_ = std::move(out);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!kept[i]->disturbed_before) continue;
    const std::size_t next = *kept[i]->disturbed_before;
    return fail(Errc::unsupported,
                fmt::format("{} was {} between {} and {}", capture_->regions[i].name,
                            kept[i]->released ? "released" : "changed, by a copy or by the host,",
                            name_of(next - 1), name_of(next)),
                "name a slice that begins after it, or ends before it");
  }
  return std::move(*capture_);
}

std::string SliceCapture::name_of(std::size_t index) const {
  return fmt::format("dispatch {} ({})", first_ + index,
                     demangled(dispatch_view(*capture_, index).kernel));
}

}  // namespace rpl::emu::hip
