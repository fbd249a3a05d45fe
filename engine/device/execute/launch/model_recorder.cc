// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/model_recorder.h"

#include <algorithm>
#include <bit>

namespace rpl::emu {
namespace {

constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 21;  ///< of all waves that are kept
constexpr std::uint64_t kLeastSteps = 4096;                   ///< of one wave

using Lines = std::array<std::uint64_t, 2 * kLanes>;

/// The lines of an access in the order of its lanes; neighbours that share one count once.
std::size_t lines_in_order(const Access& access, unsigned shift, Lines& lines) {
  const std::uint32_t last_byte = access.bytes == 0 ? 0 : access.bytes - 1;
  std::size_t size = 0;
  std::uint64_t previous = ~std::uint64_t{0};
  for (std::uint64_t left = access.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t begin = access.address[lane] >> shift,
                        end = (access.address[lane] + last_byte) >> shift;
    if (begin != previous) lines[size++] = begin;
    if (end != begin) lines[size++] = end;
    previous = end;
  }
  return size;
}

/// Requests of a store or atomic, and the lanes that meet on one address.
cycle::AccessHead head_of(const Access& access) {
  cycle::AccessHead head;
  if (!access.store && !access.atomic) return head;
  constexpr std::uint64_t kRequest = 64;
  struct Piece {
    std::uint64_t number = 0, bytes = 0;  ///< of memory, and of it a bit for each that is written
  };
  std::array<Piece, 2 * kLanes> pieces;
  std::size_t count = 0;
  // Lanes of one piece are near each other, if not always neighbours.
  constexpr std::size_t kNear = 8;
  const auto add = [&](std::uint64_t number, std::uint64_t bytes) {
    for (std::size_t i = count; i > 0 && i + kNear > count; --i) {
      if (pieces[i - 1].number != number) continue;
      pieces[i - 1].bytes |= bytes;
      return;
    }
    pieces[count++] = {number, bytes};
  };
  const std::uint64_t width =
      access.bytes >= kRequest ? ~std::uint64_t{0} : (std::uint64_t{1} << access.bytes) - 1;
  std::array<std::uint64_t, kLanes> addresses;
  std::size_t lanes = 0;
  for (std::uint64_t left = access.active; left != 0; left &= left - 1) {
    const std::uint64_t address = access.address[static_cast<unsigned>(std::countr_zero(left))];
    addresses[lanes++] = address;
    const std::uint64_t at = address % kRequest;
    add(address / kRequest, width << at);
    if (at + access.bytes > kRequest) add(address / kRequest + 1, width >> (kRequest - at));
  }
  head.requests = static_cast<std::uint16_t>(count);
  head.partial = static_cast<std::uint16_t>(
      std::ranges::count_if(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(count),
                            [](const Piece& piece) { return ~piece.bytes != 0; }));
  if (access.atomic) {
    const auto end = addresses.begin() + static_cast<std::ptrdiff_t>(lanes);
    std::sort(addresses.begin(), end);
    head.conflicts = static_cast<std::uint16_t>(end - std::unique(addresses.begin(), end));
  }
  return head;
}

}  // namespace

ModelRecorder::ModelRecorder(const Prepared& prepared, const cycle::Parameters& p,
                             std::uint32_t units, std::uint32_t kept,
                             std::shared_ptr<cycle::MemoryState> state)
    : first_(prepared.program->ops.data()),
      units_(units),
      steps_of_wave_(std::max(
          kLeastSteps, kMostSteps / (std::uint64_t{kept} * prepared.waves_of_full_workgroup()))),
      line_shift_(static_cast<unsigned>(std::countr_zero(std::bit_floor(p.l1_line)))),
      kinds_(prepared.program->ops.size(), Kind::other),
      patterns_(prepared.program->ops.size()),
      traffic_(p, units, prepared.program->ops.size(), std::move(state)),
      by_unit_(units),
      kept_(kept) {
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const isa::Class kind = prepared.program->ops[i].kind;
    if (kind == isa::Class::vmem || kind == isa::Class::smem) kinds_[i] = Kind::memory;
    if (kind == isa::Class::lds) kinds_[i] = Kind::local;
    if (kind == isa::Class::branch) kinds_[i] = Kind::branch;
  }
}

void ModelRecorder::count_boundary(const Prepared& prepared, const cycle::Parameters& parameters) {
  boundary_.emplace(parameters);
  arguments_ = prepared.kernarg;
  argument_bytes_ = prepared.launch->kernel->kernarg_bytes;
  packet_ = prepared.packet;
}

std::optional<cycle::BoundaryCounts> ModelRecorder::boundary() {
  return boundary_ ? std::optional(boundary_->finish()) : std::nullopt;
}

void ModelRecorder::cross_boundary(const Access& access, std::span<const std::uint64_t> lines) {
  if (access.space == Access::Space::scalar) {
    constexpr std::uint64_t kPacketBytes = 64;
    const std::uint64_t at = access.address[0];
    if (at - arguments_ < argument_bytes_ || at - packet_ < kPacketBytes) return;
  }
  if (!access.store || access.atomic) {
    for (const std::uint64_t line : lines) boundary_->load(line, workgroup_);
  }
  if (!access.store && !access.atomic) return;
  if (access.space == Access::Space::scalar)
    return boundary_->store(access.address[0], access.bytes, workgroup_);
  for (std::uint64_t left = access.active; left != 0; left &= left - 1) {
    boundary_->store(access.address[static_cast<unsigned>(std::countr_zero(left))], access.bytes,
                     workgroup_);
  }
}

void ModelRecorder::count_atomic(const Access& access) {
  std::array<std::uint64_t, kLanes> addresses;
  std::size_t lanes = 0;
  for (std::uint64_t left = access.active; left != 0; left &= left - 1)
    addresses[lanes++] = access.address[static_cast<unsigned>(std::countr_zero(left))];
  traffic_.touch_atomic({addresses.data(), lanes});
}

void ModelRecorder::enter(const Wave& wave) {
  stream_ = counted_ = nullptr;
  workgroup_ = wave.workgroup;
  const std::uint32_t turn = wave.workgroup / units_;
  if (wave.workgroup % units_ != 0 || turn >= kept_.size()) return;
  auto& waves = kept_[turn];
  while (waves.size() <= wave.id) waves.push_back(std::make_unique<cycle::WaveStream>());
  counted_ = waves[wave.id].get();
  if (counted_->steps.size() < steps_of_wave_) stream_ = counted_;
}

void ModelRecorder::leave(const Wave& wave, std::uint64_t executed) {
  by_unit_[wave.workgroup % units_] += executed;
  if (counted_ != nullptr) counted_->executed += executed;
}

// What an access is made of does not depend on where it begins but in its first line: loops access memory in the same pattern again and again.
ModelRecorder::Pattern& ModelRecorder::pattern_of(std::uint32_t index, Access& access,
                                                  const Counter::Seen& seen) {
  auto& pattern = patterns_[index];
  if (pattern != nullptr && seen.known && pattern->store == access.store &&
      pattern->atomic == access.atomic)
    return *pattern;
  if (pattern == nullptr) pattern = std::make_unique<Pattern>();
  if (seen.lines.empty() || std::uint64_t{1} << line_shift_ < kLineBytes) {
    const std::uint64_t base = access.first() >> line_shift_;
    spread(access);
    pattern->in_order = lines_in_order(access, line_shift_, pattern->line);
    for (std::size_t i = 0; i < pattern->in_order; ++i) pattern->line[i] -= base;
  } else {
    pattern->in_order = seen.lines.size();
    std::ranges::copy(seen.lines, pattern->line.begin());
  }
  pattern->distinct = 0;
  pattern->store = access.store;
  pattern->atomic = access.atomic;
  return *pattern;
}

void ModelRecorder::memory(std::uint32_t index, Access& access, const Counter::Seen& seen) {
  const bool global = access.space == Access::Space::global && access.active != 0;
  if (access.space == Access::Space::scalar) return scalar(index, access);
  if (!global) {
    if (stream_ != nullptr) keep(index, 0);
    return;
  }
  const std::uint64_t base = access.first() >> line_shift_;
  Pattern& pattern = pattern_of(index, access, seen);
  Lines lines;
  const std::size_t size = pattern.in_order;
  for (std::size_t i = 0; i < size; ++i) lines[i] = base + pattern.line[i];
  traffic_.touch(index, {lines.data(), size}, workgroup_, access.store || access.atomic);
  if (access.atomic) count_atomic(access);
  if (boundary_) {
    spread(access);
    cross_boundary(access, {lines.data(), size});
  }
  if (stream_ == nullptr) return;
  if (pattern.distinct == 0) describe(pattern, access, base);
  stream_->lines.push_back(pattern.head.packed());
  const auto detail = static_cast<std::uint32_t>(stream_->lines.size());
  for (std::size_t i = 0; i < pattern.distinct; ++i)
    stream_->lines.push_back(base + pattern.own[i]);
  keep(index, detail);
}

// Only what is kept asks for it.
void ModelRecorder::describe(Pattern& pattern, Access& access, std::uint64_t base) const {
  spread(access);
  const auto begin = pattern.own.begin();
  for (std::size_t i = 0; i < pattern.in_order; ++i) pattern.own[i] = base + pattern.line[i];
  const auto end = begin + static_cast<std::ptrdiff_t>(pattern.in_order);
  if (!std::is_sorted(begin, end)) std::sort(begin, end);
  pattern.distinct = static_cast<std::size_t>(std::unique(begin, end) - begin);
  for (std::size_t i = 0; i < pattern.distinct; ++i) pattern.own[i] -= base;
  pattern.head = head_of(access);
  pattern.head.lines = static_cast<std::uint16_t>(pattern.distinct);
}

void ModelRecorder::scalar(std::uint32_t index, const Access& access) {
  const std::uint64_t line = access.address[0] >> line_shift_;
  traffic_.touch(index, {&line, 1}, workgroup_, access.store || access.atomic);
  if (boundary_) cross_boundary(access, {&line, 1});
  if (stream_ == nullptr) return;
  cycle::AccessHead head = head_of(access);
  head.lines = 1;
  stream_->lines.push_back(head.packed());
  stream_->lines.push_back(line);
  keep(index, static_cast<std::uint32_t>(stream_->lines.size() - 1));
}

}  // namespace rpl::emu
