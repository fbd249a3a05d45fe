// SPDX-License-Identifier: MIT
// Writing into a launch. Time stays what it was: an edit happens between two instructions, and is made again whenever that moment is executed again.
#include <fmt/format.h>

#include <algorithm>

#include "engine/device/debug/edits.h"
#include "engine/device/debug/session.h"

namespace rpl::debug {

using emu::Wave;

void Edits::go_to(std::uint64_t time) {
  next_ = static_cast<std::size_t>(std::ranges::lower_bound(all_, time, {}, &Edit::time) -
                                   all_.begin());
}

std::uint64_t Edits::due() const { return next_ < all_.size() ? all_[next_].time : kNever; }

const Edit* Edits::take(std::uint64_t time) { return due() == time ? &all_[next_++] : nullptr; }

void Edits::forget_after(std::uint64_t time) {
  std::erase_if(all_, [&](const Edit& edit) { return edit.time > time; });
  next_ = std::min(next_, all_.size());
}

namespace {

/// What would be written must be there, in a wave that is in flight and in memory that kernels may write.
Status check_target(const Session& session, const Watched& where, const Wave* wave) {
  const bool of_wave =
      where.space == Watched::Space::registers || where.space == Watched::Space::scratch;
  if (of_wave && (wave == nullptr || wave->state == Wave::State::ended))
    return fail(Errc::not_found,
                fmt::format("wave {} of workgroup {} is not in flight", where.wave.wave,
                            where.wave.workgroup),
                "'info waves' lists those that are");
  if (where.space != Watched::Space::memory) return {};
  const emu::Region* region = session.memory().find(where.address);
  if (region == nullptr || !region->contains(where.address, where.bytes))
    return fail(Errc::not_found,
                fmt::format("cannot write {} bytes at 0x{:x}", where.bytes, where.address),
                session.memory().describe(where.address));
  // The arguments are the launch's own.
  if (!region->writable && region->base != session.prepared().kernarg)
    return fail(Errc::denied, fmt::format("{} cannot be written to", region->name),
                "registers, buffers, LDS and scratch memory can");
  return {};
}

}  // namespace

Status Session::write(const Watched& where, std::span<const std::byte> bytes, std::string text) {
  const Wave* wave = this->wave(where.wave);
  TRY(check_target(*this, where, wave));
  const bool pc =
      where.space == Watched::Space::registers && where.name.kind == RegisterName::Kind::pc;
  std::size_t size = pc ? sizeof(std::uint32_t) : 0;
  if (!pc) {
    for (const auto part : parts_of(where, wave)) size += part.size();
  }
  if (size == 0 || bytes.size() != size)
    return fail(Errc::usage, fmt::format("{} bytes do not fit where {} are", bytes.size(), size),
                "write a value of the same size");
  callers_at_ = kNever;
  edits_.add({.time = time_,
              .where = where,
              .bytes = {bytes.begin(), bytes.end()},
              .text = std::move(text)});
  make_edits();
  note_changes();
  return {};
}

/// The kernarg segment, which no kernel writes to, is in none of the kept states.
void Session::restore_arguments() {
  const emu::Region& segment = *memory_.find(prepared_.kernarg);
  std::copy(arguments_.begin(), arguments_.end(), segment.host);
  for (const Edit& edit : edits_.all()) {
    const bool argument = edit.where.space == Watched::Space::memory &&
                          segment.contains(edit.where.address, edit.where.bytes);
    if (argument && edit.time < time_) make(edit);
  }
}

/// Makes the edits of this moment.
void Session::make_edits() {
  bool any = false;
  while (const Edit* edit = edits_.take(time_)) {
    make(*edit);
    any = true;
  }
  // What a person wrote is no change that a watchpoint looks for.
  if (any) read_watches();
}

void Session::make(const Edit& edit) {
  Wave* wave = schedule_.find(edit.where.wave);
  if (edit.where.space == Watched::Space::registers &&
      edit.where.name.kind == RegisterName::Kind::pc) {
    if (wave != nullptr) std::memcpy(&wave->pc, edit.bytes.data(), sizeof(wave->pc));
    return;
  }
  std::size_t at = 0;
  for (const auto part : parts_of(edit.where, wave)) {
    // The parts are of this session's own state, which reading it takes as constant.
    std::memcpy(const_cast<std::byte*>(part.data()), edit.bytes.data() + at, part.size());
    at += part.size();
  }
}

}  // namespace rpl::debug
