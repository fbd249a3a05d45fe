// SPDX-License-Identifier: MIT
#include "engine/device/execute/state/grid_races.h"

#include <algorithm>
#include <cstring>

namespace rpl::emu {
namespace {

constexpr std::size_t kMostGridRaces = 200;  ///< pairs of instructions
constexpr std::size_t kMostGridLines = std::size_t{1} << 17;

std::string_view name_of(const Op& op) {
  return op.instruction == nullptr ? std::string_view() : op.instruction->opcode->mnemonic;
}

/// Until no access to global memory is under way: vmcnt(0), whose six bits are split (ISA documents, "S_WAITCNT").
bool waits_for_stores(const Op& op) {
  constexpr unsigned kMemoryBits = 0xc00f;
  return name_of(op) == "s_waitcnt" &&
         (static_cast<unsigned>(op.instruction->immediate) & kMemoryBits) == 0;
}

}  // namespace

// Of several L2 caches a fence that releases to the agent writes back the own one. Elsewhere the caches below the agent are written through, and waiting for stores is all that such a fence does.
GridRaces::GridRaces(const Program& program, const Memory& memory, const PageSet* pages,
                     bool scoped)
    : program_(program),
      memory_(memory),
      pages_(pages),
      scoped_(scoped && isa::traits(program.arch).has_scope_bits),
      fences_(program.ops.size(), Fence::none) {
  const bool writes_back = isa::traits(program.arch).has_scope_bits;
  for (std::size_t i = 0; i < fences_.size(); ++i) {
    const auto name = name_of(program.ops[i]);
    if (writes_back ? name.starts_with("buffer_wbl2") : waits_for_stores(program.ops[i]))
      fences_[i] = Fence::release;
    else if (name.starts_with("buffer_inv") || name.starts_with("buffer_wbinv"))
      fences_[i] = Fence::acquire;
  }
}

bool GridRaces::ordered(std::uint32_t group, std::uint32_t epoch, const Now& now) const {
  const auto mine = groups_.find(now.group);
  if (mine == groups_.end()) return false;
  const auto known = mine->second.known.find(group);
  return known != mine->second.known.end() && known->second >= epoch;
}

std::uint32_t GridRaces::value_at(std::uint64_t dword) {
  const std::uint64_t address = dword * 4;
  if (region_ == nullptr || !region_->contains(address, 4)) region_ = memory_.find(address);
  std::uint32_t value = 0;
  if (region_ != nullptr)
    std::memcpy(&value, region_->host + (address - region_->base),
                std::min<std::uint64_t>(4, region_->base + region_->size - address));
  return value;
}

void GridRaces::report(std::uint64_t dword, std::uint8_t bytes, const Now& now, std::uint32_t op,
                       std::uint32_t group, bool wrote) {
  count_race(found_, kMostGridRaces,
             {.across = true,
              .address = dword * 4 + static_cast<unsigned>(std::countr_zero(bytes)),
              .first = op,
              .second = now.op,
              .first_wave = group - 1,
              .second_wave = now.group - 1,
              .first_writes = wrote,
              .second_writes = now.write,
              .workgroup = now.group - 1});
}

GridRaces::Line& GridRaces::line_at(std::uint64_t number) {
  Known& known = known_[number % known_.size()];
  if (known.number != number) {
    auto& line = lines_[number];
    if (line == nullptr) line = std::make_unique<Line>();
    known = {.number = number, .line = line.get()};
  }
  return *known.line;
}

void GridRaces::touch(std::uint64_t dword, std::uint8_t bytes, const Now& now) {
  Cell& cell = line_at(dword / kLine)[dword % kLine];
  const std::uint32_t value = now.write ? value_at(dword) : 0;
  const bool wrote = cell.writer != 0 && cell.writer != now.group && (cell.written & bytes) != 0 &&
                     !(cell.write_atomic && now.atomic) &&
                     !ordered(cell.writer, cell.write_epoch, now);
  // Groups that store the same value everywhere, a flag perhaps, do not disagree.
  if (wrote && !(now.write && value == cell.value))
    report(dword, cell.written & bytes, now, cell.write_op, cell.writer, true);
  if (now.write) {
    const auto after_read = [&](std::uint32_t reader, std::uint32_t epoch, std::uint32_t op,
                                std::uint8_t read) {
      if (reader == 0 || reader == now.group || (read & bytes) == 0) return;
      if (cell.writer != 0 && value == cell.value) return;
      if (!ordered(reader, epoch, now)) report(dword, read & bytes, now, op, reader, false);
    };
    after_read(cell.reader, cell.read_epoch, cell.read_op, cell.read);
    after_read(cell.other_reader, cell.other_epoch, cell.other_op, cell.other_read);
    cell.written = static_cast<std::uint8_t>(
        bytes | (cell.writer == now.group && cell.write_epoch == now.epoch ? cell.written : 0));
    cell.writer = now.group;
    cell.write_epoch = now.epoch;
    cell.write_op = now.op;
    cell.write_atomic = now.atomic;
    cell.value = value;
    return;
  }
  if (now.atomic) return;
  if (cell.reader != 0 && cell.reader != now.group) {
    cell.other_reader = cell.reader;
    cell.other_epoch = cell.read_epoch;
    cell.other_op = cell.read_op;
    cell.other_read = cell.read;
    cell.read = 0;
  }
  cell.read |= bytes;
  cell.reader = now.group;
  cell.read_epoch = now.epoch;
  cell.read_op = now.op;
}

void GridRaces::touch_bytes(std::uint64_t address, std::uint32_t bytes, const Now& now) {
  const std::uint64_t end = address + bytes;
  while (address < end) {
    const std::uint64_t dword = address / 4;
    const auto first = static_cast<unsigned>(address % 4);
    const auto last = static_cast<unsigned>(std::min<std::uint64_t>(end - dword * 4, 4));
    touch(dword, static_cast<std::uint8_t>(((1U << last) - 1) & ~((1U << first) - 1)), now);
    address = (dword + 1) * 4;
  }
}

void GridRaces::join(Clock& into, const Clock& from) {
  for (const auto& [who, epoch] : from) {
    std::uint32_t& known = into[who];
    known = std::max(known, epoch);
  }
}

void GridRaces::note_meetings(const WaveSync& sync) {
  if (sync.meetings() == meetings_) return;
  meetings_ = sync.meetings();
  Clock all;
  for (const auto& [number, group] : groups_) join(all, group.released);
  for (auto& [number, group] : groups_) join(group.known, all);
}

// An atomic tells what its workgroup released, and learns what was told there before.
void GridRaces::synchronize(std::uint64_t address, const Now& now) {
  Group& group = groups_[now.group];
  const auto told = told_.find(address);
  if (told != told_.end()) join(group.known, told->second);
  if (now.write && !group.released.empty()) join(told_[address], group.released);
}

void GridRaces::note(const Wave& wave, const Op& op, const Access& access) {
  const auto at = static_cast<std::uint32_t>(&op - program_.ops.data());
  const std::uint32_t number = wave.workgroup + 1;
  if (fences_[at] == Fence::release) {
    Group& group = groups_[number];
    group.released = group.known;
    group.released[number] = group.epoch++;
    return;
  }
  if (!touches_memory(op.kind) || access.active == 0) return;
  if (access.space != Access::Space::global && access.space != Access::Space::scalar) return;
  const auto mine = groups_.find(number);
  const bool by_bits = op.kind == isa::Class::vmem && (op.instruction->glc || op.instruction->scc);
  const Now now{.op = at,
                .group = number,
                .epoch = mine == groups_.end() ? 1 : mine->second.epoch,
                .write = access.store,
                .atomic = scoped_ ? op.instruction->scc : access.atomic || by_bits};
  if (lines_.size() > kMostGridLines) {
    lines_.clear();
    known_.fill({});
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    const std::uint64_t address = access.address[lane];
    if (address >> 32 == kPrivateBaseHigh || address >> 32 == kSharedBaseHigh) continue;
    if (now.atomic) synchronize(address, now);
    if (now.write || (!scoped_ && pages_.contains(address)))
      touch_bytes(address, access.bytes, now);
  }
}

}  // namespace rpl::emu
