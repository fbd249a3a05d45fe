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

/// Turns in which an L1 that takes four lanes at once takes those of a load: sixteen that read dwords side by side, or eight, are one turn; of four that
/// lie apart those wait that meet in one of four banks of a dword, or of sixteen when each reads two.
std::uint16_t turns_of(const Access& access) {
  constexpr unsigned kQuad = 4, kDword = 4;
  if (access.bytes > 2 * kDword) return 0;
  const bool dwords = access.bytes <= kDword;
  // Lanes that are off ask for nothing: as if they wanted what the one before them does.
  std::array<std::uint64_t, kLanes> address;
  std::uint64_t last = access.address[static_cast<unsigned>(std::countr_zero(access.active))];
  for (unsigned i = 0; i < kLanes; ++i)
    address[i] = last = (access.active >> i & 1) != 0 ? access.address[i] : last;
  const auto side_by_side = [&](unsigned first, unsigned lanes) {
    for (unsigned i = first + 1; i < first + lanes; ++i) {
      if (address[i] - address[i - 1] > kDword) return false;
    }
    return true;
  };
  const auto quad = [&](unsigned first) {
    std::array<std::uint8_t, 16> banks{};
    unsigned most = 1;
    for (unsigned i = first; i < first + kQuad; ++i) {
      unsigned same = 0;
      const std::uint64_t word = address[i] / kDword;
      for (unsigned k = first; k < i; ++k) same += address[k] / kDword == word ? 1 : 0;
      if (same > 0) continue;
      most = std::max<unsigned>(most, ++banks[dwords ? word % kQuad : word % banks.size()]);
    }
    return most;
  };
  unsigned turns = 0;
  for (unsigned first = 0; first < kLanes;) {
    constexpr unsigned kWide = 4 * kQuad, kHalf = 2 * kQuad;
    const bool wide = dwords && first % kWide == 0 && side_by_side(first, kWide);
    const bool half = !wide && dwords && first % kHalf == 0 && side_by_side(first, kHalf);
    turns += wide || half ? 1 : quad(first);
    first += wide ? kWide : half ? kHalf : kQuad;
  }
  return static_cast<std::uint16_t>(turns);
}

/// Requests of a store or atomic, and the lanes that meet on one address; turns of a load. What is kept must not depend on more of an address than its place in a line.
cycle::AccessHead head_of(const Access& access, unsigned line_shift) {
  cycle::AccessHead head;
  if (!access.atomic && access.active != 0) {
    const std::uint64_t first =
        access.address[static_cast<unsigned>(std::countr_zero(access.active))];
    head.detail = static_cast<std::uint16_t>(first & ((std::uint64_t{1} << line_shift) - 1));
  }
  if (!access.store && !access.atomic) {
    head.requests = turns_of(access);
    return head;
  }
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
    head.detail = static_cast<std::uint16_t>(end - std::unique(addresses.begin(), end));
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
      kept_(kept),
      scratch_bytes_(prepared.scratch_bytes),
      waves_(prepared.waves_of_full_workgroup()),
      resident_(
          cycle::resident_workgroups(p, waves_, prepared.program->vgprs, prepared.lds_bytes)) {
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
  if (wave.workgroup != workgroup_) end_workgroup();
  workgroup_ = wave.workgroup;
  wave_ = wave.id;
  traffic_.enter_wave();
  const std::uint32_t turn = wave.workgroup / units_;
  if (wave.workgroup % units_ != 0 || turn >= kept_.size()) return;
  auto& waves = kept_[turn];
  while (waves.size() <= wave.id) waves.push_back(std::make_unique<cycle::WaveStream>());
  counted_ = waves[wave.id].get();
  if (counted_->steps.size() < steps_of_wave_) stream_ = counted_;
}

void ModelRecorder::leave(const Wave& wave, std::uint64_t executed) {
  by_unit_[wave.workgroup % units_] += executed;
  if (of_waves_.size() <= wave.id) of_waves_.resize(wave.id + std::size_t{1});
  of_waves_[wave.id] += executed;
  if (counted_ != nullptr) counted_->executed += executed;
}

// Beyond conflicts of banks, lanes of an atomic on one address take turns.
void ModelRecorder::local_atomic(std::uint32_t index, Access& access, std::uint32_t conflicts) {
  spread(access);
  std::array<std::uint64_t, kLanes> addresses;
  std::size_t lanes = 0;
  for (std::uint64_t left = access.active; left != 0; left &= left - 1)
    addresses[lanes++] = access.address[static_cast<unsigned>(std::countr_zero(left))];
  std::sort(addresses.begin(), addresses.begin() + static_cast<std::ptrdiff_t>(lanes));
  std::uint32_t most = 1, same = 1;
  for (std::size_t i = 1; i < lanes; ++i) {
    same = addresses[i] == addresses[i - 1] ? same + 1 : 1;
    most = std::max(most, same);
  }
  keep(index, std::max(conflicts, most - 1));
}

void ModelRecorder::end_workgroup() {
  if (of_waves_.empty()) return;
  const std::uint64_t longest = *std::ranges::max_element(of_waves_);
  of_waves_.clear();
  if (by_workgroup_.empty() || by_workgroup_.back().instructions != longest)
    by_workgroup_.push_back({.workgroups = 0, .instructions = longest});
  ++by_workgroup_.back().workgroups;
}

// The dwords of the lanes lie side by side, those of a wave in one piece, which the next wave in its place has again. The pieces lie where no other memory does.
void ModelRecorder::scratch(std::uint32_t index, const Access& access) {
  constexpr std::uint64_t kDword = 4, kPlace = std::uint64_t{0x7f} << 40;
  const std::uint64_t piece = std::uint64_t{scratch_bytes_ + 3U} / kDword * kDword * kLanes;
  const std::uint64_t place =
      workgroup_ % units_ * std::uint64_t{resident_} + workgroup_ / units_ % resident_;
  const std::uint64_t base = kPlace + (place * waves_ + wave_) * piece;
  Access swizzled = access;
  swizzled.space = Access::Space::global;
  swizzled.bytes = std::min<std::uint32_t>(access.bytes, kDword);
  std::array<std::uint64_t, kLanes * 4 * 2> all;
  std::size_t size = 0;
  for (std::uint64_t part = 0; part < access.bytes; part += kDword) {
    for (unsigned i = 0; i < kLanes; ++i) {
      const std::uint64_t at = access.address[i] + part;
      swizzled.address[i] = base + at / kDword * kDword * kLanes + kDword * i + at % kDword;
    }
    Lines lines;
    const std::size_t some = lines_in_order(swizzled, line_shift_, lines);
    std::copy_n(lines.begin(), some, all.begin() + static_cast<std::ptrdiff_t>(size));
    size += some;
  }
  traffic_.touch(index, {all.data(), size}, workgroup_, access.store);
  if (stream_ != nullptr) keep_access(index, swizzled, {all.data(), size});
}

void ModelRecorder::keep_access(std::uint32_t index, const Access& access,
                                std::span<std::uint64_t> lines) {
  std::uint32_t detail = 0;
  if (!lines.empty()) {
    std::ranges::sort(lines);
    const auto end = std::unique(lines.begin(), lines.end());
    cycle::AccessHead head = head_of(access, line_shift_);
    head.lines = static_cast<std::uint16_t>(end - lines.begin());
    stream_->lines.push_back(head.packed());
    detail = static_cast<std::uint32_t>(stream_->lines.size());
    stream_->lines.insert(stream_->lines.end(), lines.begin(), end);
  }
  keep(index, detail);
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
  if (access.space == Access::Space::scratch && access.active != 0) return scratch(index, access);
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
  if (access.atomic) {
    spread(access);
    count_atomic(access);
  }
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
  pattern.head = head_of(access, line_shift_);
  pattern.head.lines = static_cast<std::uint16_t>(pattern.distinct);
}

void ModelRecorder::scalar(std::uint32_t index, const Access& access) {
  const std::uint64_t line = access.address[0] >> line_shift_;
  traffic_.touch(index, {&line, 1}, workgroup_, access.store || access.atomic);
  if (boundary_) cross_boundary(access, {&line, 1});
  if (stream_ == nullptr) return;
  cycle::AccessHead head = head_of(access, line_shift_);
  head.lines = 1;
  stream_->lines.push_back(head.packed());
  stream_->lines.push_back(line);
  keep(index, static_cast<std::uint32_t>(stream_->lines.size() - 1));
}

}  // namespace rpl::emu
