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

/// All rows from `from` on, one behind the other.
std::vector<std::byte> gathered(const std::byte* from, const MemoryStep& step) {
  std::vector<std::byte> out(step.bytes());
  for (std::uint64_t row = 0; row < step.rows; ++row)
    std::memcpy(out.data() + row * step.width, from + row * step.from_pitch, step.width);
  return out;
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
    capture_->then.back().steps = std::move(steps_);
    steps_.clear();
    TRY(check_code(launch));
    TRY(check_host());
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
    watched_[base].host_reads = allocation.kind != Allocation::Kind::device;
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
    watched.computed = true;
  }
}

SliceCapture::Watched* SliceCapture::watched_at(std::uint64_t address, std::uint64_t bytes) {
  const auto after = watched_.upper_bound(address);
  if (after == watched_.begin()) return nullptr;
  Watched& found = std::prev(after)->second;
  const std::uint64_t offset = address - found.region.base;
  const bool inside = offset <= found.region.size && bytes <= found.region.size - offset;
  return inside ? &found : nullptr;
}

void SliceCapture::take_step(const AddressSpace& space, MemoryStep step, Watched& to) {
  const std::uint64_t bytes = step.extent(step.to_pitch);
  const std::byte* const host = space.host_of(step.to, bytes);
  if (!to.now) to.now = to.region.before;
  // Only these bytes: what the host changed beside them is still found.
  std::memcpy(to.now->data() + (step.to - to.region.base), host, bytes);
  steps_.push_back(std::move(step));
}

void SliceCapture::moved(const AddressSpace& space, Movement movement) {
  if (!capture_) return;
  MemoryStep& step = movement.step;
  Watched* const to = watched_at(step.to, step.extent(step.to_pitch));
  if (step.kind == MemoryStep::Kind::fill) {
    if (to != nullptr) take_step(space, std::move(step), *to);
    return;
  }
  const Allocation* const held = space.find(step.from);
  Watched* const from = watched_at(step.from, step.extent(step.from_pitch));
  if (from != nullptr && from->computed && (to == nullptr || to->host_reads))
    downloads_.push_back({from->region.base, movement.end_ns, movement.call});
  if (to == nullptr) return;
  if (from != nullptr && (from->computed || !from->host_reads)) {
    to->computed = to->computed || from->computed;
  } else if (from == nullptr && held != nullptr && held->kind != Allocation::Kind::host &&
             held->kind != Allocation::Kind::registered) {
    // What it holds may come from a dispatch of the slice, which nobody followed.
    if (unsupported_.empty())
      unsupported_ =
          fmt::format("{} copied from memory at 0x{:x}, which was allocated after {} began",
                      movement.call, step.from, name_of(0));
    return;
  } else {
    step.kind = MemoryStep::Kind::upload;
    step.data = gathered(reinterpret_cast<const std::byte*>(step.from), step);
    step.from = step.from_pitch = 0;
  }
  take_step(space, std::move(step), *to);
}

void SliceCapture::host_knows(std::int64_t time_ns, const char* call) {
  if (!capture_) return;
  for (const auto& [base, watched] : watched_) {
    if (watched.host_reads && watched.computed) waited_by_ = call;
  }
  const auto arrived =
      std::ranges::find_if(downloads_, [&](const Download& one) { return one.end_ns <= time_ns; });
  if (!seen_ && arrived != downloads_.end()) seen_ = *arrived;
}

Status SliceCapture::check_host() const {
  const std::size_t last = capture_->then.size();
  const char* const next = "name a slice that ends before it, or begins after it";
  if (!unsupported_.empty()) return fail(Errc::unsupported, unsupported_, next);
  if (!seen_) return {};
  return fail(
      Errc::unsupported,
      fmt::format("{} read what was computed (memory at 0x{:x}) before {}: the host may have "
                  "decided by it what follows",
                  seen_->call, seen_->base, name_of(last)),
      next);
}

void SliceCapture::keep_steps() {
  const auto region = [&](std::uint64_t address) { return watched_at(address, 0); };
  // What is copied into needed memory is needed, from wherever it came.
  for (bool more = true; more;) {
    more = false;
    for (const FollowingDispatch& dispatch : capture_->then) {
      for (const MemoryStep& step : dispatch.steps) {
        if (step.kind != MemoryStep::Kind::copy || !region(step.to)->needed) continue;
        more = more || !region(step.from)->needed;
        region(step.from)->needed = true;
      }
    }
  }
  for (FollowingDispatch& dispatch : capture_->then)
    std::erase_if(dispatch.steps, [&](const MemoryStep& step) { return !region(step.to)->needed; });
}

Result<Capture> SliceCapture::finish(bool all_memory, std::uint64_t most_bytes) {
  if (!all_memory) keep_steps();
  Capture out = std::move(*capture_);
  out.has_after = true;
  out.facts.host_saw_by = waited_by_;
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
  for (const FollowingDispatch& dispatch : out.then) {
    for (const MemoryStep& step : dispatch.steps) bytes += step.data.size();
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
                            kept[i]->released ? "released" : "changed by the host",
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
