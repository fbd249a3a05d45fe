// SPDX-License-Identifier: MIT
// Breakpoints and watchpoints of a session: where they are in this launch, and what they see.
#include <algorithm>

#include "engine/device/debug/session.h"

namespace rpl::debug {

using emu::Wave;

/// Puts the handlers of the program where they belong again after breakpoints came or went.
void Session::patch() {
  if (patched_version_ == points_.version()) return;
  patched_version_ = points_.version();
  patches_->clear();
  breakpoint_at_.clear();
  for (const auto& [number, breakpoint] : points_.breakpoints()) {
    if (!breakpoint.enabled) continue;
    const auto ops = find(breakpoint.place);
    // One that means nothing in this kernel waits for another.
    if (!ops) continue;
    for (const std::uint32_t op : *ops) {
      breakpoint_at_.emplace(op, number);
      patches_->set(op);
    }
  }
  read_watches();
}

std::vector<std::span<const std::byte>> Session::parts_of(const Watched& watched,
                                                          const Wave* wave) const {
  if (watched.space == Watched::Space::memory) {
    const emu::Region* region = memory_.find(watched.address);
    if (region == nullptr || !region->contains(watched.address, watched.bytes)) return {};
    return {{region->host + (watched.address - region->base), watched.bytes}};
  }
  if (wave == nullptr) return {};
  if (watched.space == Watched::Space::scratch) {
    const std::uint64_t begin =
        watched.lane.value_or(0) * prepared_.scratch_bytes + watched.address;
    if (begin + watched.bytes > wave->scratch.size()) return {};
    return {std::span(wave->scratch).subspan(begin, watched.bytes)};
  }
  if (watched.space == Watched::Space::lds) {
    for (const emu::Workgroup& group : schedule_.active()) {
      if (group.number != watched.wave.workgroup ||
          watched.address + watched.bytes > group.lds.size())
        continue;
      return {{group.lds.data() + watched.address, watched.bytes}};
    }
    return {};
  }
  const RegisterName& name = watched.name;
  if (name.kind == RegisterName::Kind::scc) return {std::as_bytes(std::span(&wave->scc, 1))};
  if (name.kind == RegisterName::Kind::mode) return {std::as_bytes(std::span(&wave->mode, 1))};
  if (!name.has_lanes()) return {std::as_bytes(std::span(&wave->sgprs[name.number], name.count))};
  std::vector<std::span<const std::byte>> parts;
  const std::uint32_t first =
      name.number + (name.kind == RegisterName::Kind::accumulation ? program().first_agpr : 0);
  for (std::uint32_t i = first; i < first + name.count; ++i) {
    const auto& lanes = wave->vgprs[i].lane;
    parts.push_back(watched.lane ? std::as_bytes(std::span(&lanes[*watched.lane], 1))
                                 : std::as_bytes(std::span(lanes)));
  }
  return parts;
}

/// What the watchpoints see now, as what later changes are told from.
void Session::read_watches() {
  watches_.clear();
  for (const auto& [number, watchpoint] : points_.watchpoints()) {
    if (watchpoint.enabled) watches_.push_back({number, watchpoint.watched, watchpoint.kind, {}});
  }
  for (Watch& watch : watches_) {
    for (const auto part : parts_of(watch.watched, wave(watch.watched.wave)))
      watch.value.insert(watch.value.end(), part.begin(), part.end());
  }
}

/// The watched bytes that the running wave can change.
void Session::gather(const Wave& running) {
  std::vector<WatchedBytes>& out = watched_now_;
  out.clear();
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    Watch& watch = watches_[i];
    const bool of_wave = watch.watched.space == Watched::Space::registers ||
                         watch.watched.space == Watched::Space::scratch;
    if (of_wave && !(watch.watched.wave == id_of(running))) continue;
    if (watch.watched.space == Watched::Space::lds &&
        watch.watched.wave.workgroup != running.workgroup)
      continue;
    const auto parts = parts_of(watch.watched, &running);
    std::size_t size = 0;
    for (const auto part : parts) size += part.size();
    // It has begun only now: what it starts with is no change.
    if (watch.value.size() != size) {
      watch.value.clear();
      for (const auto part : parts) watch.value.insert(watch.value.end(), part.begin(), part.end());
    }
    std::size_t at = 0;
    for (const auto part : parts) {
      out.push_back({i, part, watch.value.data() + at, watch.kind, watch.watched.space,
                     watch.watched.address});
      at += part.size();
    }
  }
}

/// The stop for what a watchpoint saw; nothing when its condition does not hold, or the hit is to be ignored.
std::optional<Stop> Session::watch_hit(WaveId id, const WatchedBytes& changed) {
  Watch& watch = watches_[changed.watch];
  Stop stop{
      .kind = Stop::Kind::watchpoint, .wave = id, .numbers = {watch.number}, .before = watch.value};
  for (const WatchedBytes& bytes : watched_now_) {
    if (bytes.watch == changed.watch) std::memcpy(bytes.before, bytes.now.data(), bytes.now.size());
  }
  stop.after = watch.value;
  const auto found = points_.watchpoints().find(watch.number);
  if (found != points_.watchpoints().end() && !found->second.condition.empty() && condition) {
    const auto verdict = asked(watch.number, found->second.condition, id);
    if (!verdict) stop.error = verdict.error();
    if (verdict && !verdict->stop) return std::nullopt;
    if (verdict) stop.lane = verdict->lane;
  }
  if (counts_ignored_ && points_.ignores(watch.number)) return std::nullopt;
  return stop;
}

}  // namespace rpl::debug
