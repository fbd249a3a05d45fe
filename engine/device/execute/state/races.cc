// SPDX-License-Identifier: MIT
#include "engine/device/execute/state/races.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/device/execute/state/handlers.h"

namespace rpl::emu {
namespace {

constexpr std::size_t kMostRaces =
    1000;  ///< pairs of instructions; a kernel without any barrier has many
constexpr std::size_t kMostLines = std::size_t{1}
                                   << 18;  ///< of global memory that are followed in one interval

}  // namespace

RaceFinder::RaceFinder(const Program& program, std::uint32_t workgroup, std::size_t lds_bytes,
                       const PageSet* pages)
    : program_(program),
      workgroup_(workgroup),
      lds_bytes_(lds_bytes),
      lds_((lds_bytes + kLine - 1) / kLine),
      pages_(pages) {}

RaceFinder::Line* RaceFinder::line_at(std::uint64_t number, bool lds) {
  if (lds) return number < lds_.size() ? &lds_[number] : nullptr;
  Known& known = known_[number % known_.size()];
  if (known.number == number) return known.line;
  auto& line = global_[number];
  if (line == nullptr) line = std::make_unique<Line>();
  known = {.number = number, .line = line.get()};
  return known.line;
}

void RaceFinder::forget_global() {
  global_.clear();
  known_.fill({});
}

void RaceFinder::report(std::uint64_t address, std::uint32_t bytes, bool lds, const Now& now,
                        std::uint32_t op, std::uint32_t wave, bool wrote) {
  count_race(found_, kMostRaces,
             {.lds = lds,
              .address = address,
              .first = op,
              .second = now.op,
              .first_wave = wave,
              .second_wave = now.wave,
              .first_writes = wrote,
              .second_writes = now.write,
              .workgroup = workgroup_},
             bytes);
}

void count_race(RaceFinder::Found& races, std::size_t most, const Race& race, std::uint32_t times) {
  const std::pair<std::uint32_t, std::uint32_t> key = std::minmax(race.first, race.second);
  const auto known = races.find(key);
  if (known == races.end() && races.size() >= most) return;
  Race& kept = known == races.end() ? races.emplace(key, race).first->second : known->second;
  kept.times += times;
}

void RaceFinder::touch_bytes(std::uint64_t address, std::uint32_t bytes, bool lds, const Now& now) {
  const std::uint64_t end =
      lds ? std::min<std::uint64_t>(address + bytes, lds_bytes_) : address + bytes;
  while (address < end) {
    Line* line = line_at(address / kLine, lds);
    if (line == nullptr) return;
    const std::uint64_t line_end = std::min<std::uint64_t>(end, (address / kLine + 1) * kLine);
    if (line->bytes == nullptr && (address % 4 != 0 || line_end % 4 != 0)) {
      line->bytes = std::make_unique<std::array<Cell, kLine>>();
      for (std::size_t i = 0; i < kLine; ++i) (*line->bytes)[i] = line->dwords[i / 4];
    }
    const std::uint32_t step = line->bytes == nullptr ? 4 : 1;
    for (; address < line_end; address += step) {
      const std::size_t at = address % kLine;
      touch(step == 4 ? line->dwords[at / 4] : (*line->bytes)[at], address, step, lds, now);
    }
  }
}

void RaceFinder::touch(Cell& cell, std::uint64_t address, std::uint32_t bytes, bool lds,
                       const Now& now) {
  const bool after_write = cell.write_interval == interval_ && cell.writer != now.wave &&
                           !(cell.write_atomic && now.atomic);
  if (after_write) report(address, bytes, lds, now, cell.write_op, cell.writer, true);
  const bool read_before = cell.read_interval == interval_;
  if (now.write) {
    if (read_before && (cell.several_readers || cell.reader != now.wave))
      report(address, bytes, lds, now, cell.read_op,
             cell.reader != now.wave ? cell.reader : cell.other_reader, false);
    cell.write_interval = interval_;
    cell.write_op = now.op;
    cell.writer = now.wave;
    cell.write_atomic = now.atomic;
    return;
  }
  if (now.atomic) return;  // an atomic load races with plain writes only
  cell.several_readers = read_before && (cell.several_readers || cell.reader != now.wave);
  if (read_before && cell.reader != now.wave) cell.other_reader = cell.reader;
  cell.read_interval = interval_;
  cell.read_op = now.op;
  cell.reader = now.wave;
}

void RaceFinder::note(const Wave& wave, const Op& op, const Access& access) {
  if (!touches_memory(op.kind) || access.active == 0) return;
  if (access.space == Access::Space::none || access.space == Access::Space::scratch) return;
  if (global_.size() > kMostLines) forget_global();
  const Now now{.op = static_cast<std::uint32_t>(&op - program_.ops.data()),
                .wave = static_cast<std::uint16_t>(wave.id),
                .write = access.store,
                .atomic = access.atomic || (op.kind == isa::Class::vmem &&
                                            (op.instruction->glc || op.instruction->scc))};
  const auto all_bytes = [&](std::uint64_t address) {
    bool lds = access.space == Access::Space::lds;
    if (access.space == Access::Space::global) {
      if (address >> 32 == kPrivateBaseHigh) return;
      lds = address >> 32 == kSharedBaseHigh;
      if (lds) address &= 0xffffffffU;
      // Of what nobody writes no read races.
      if (!lds && !now.write && !pages_.contains(address)) return;
    }
    touch_bytes(address, access.bytes, lds, now);
  };
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    all_bytes(access.address[lane]);
    if (access.two_parts && access.space == Access::Space::lds)
      all_bytes(access.second_address[lane]);
    if (access.into_lds == 0) continue;
    const Now written{.op = now.op, .wave = now.wave, .write = true, .atomic = false};
    touch_bytes(access.second_address[lane], access.into_lds, true, written);
  }
}

void merge(RaceFinder::Found& races, const RaceFinder::Found& others) {
  for (const auto& [key, race] : others) {
    const auto [at, fresh] = races.try_emplace(key, race);
    if (fresh) continue;
    const std::uint64_t times = at->second.times + race.times;
    if (race.workgroup < at->second.workgroup) at->second = race;
    at->second.times = times;
  }
}

std::string sentence_of(const Race& race, const Program& of_launch) {
  const Program& program = race.program ? *race.program : of_launch;
  const auto place = [&](std::uint32_t op) {
    const std::uint64_t address = program.ops[op].address;
    return fmt::format("0x{:x}{}", address, source_of(program, address));
  };
  if (!race.across && race.first_wave == race.second_wave)
    return fmt::format(
        "a lane of wave {} {} {} at {}, which another lane of it {} at {} with no barrier between",
        race.second_wave, race.second_writes ? "writes" : "reads", race.place, place(race.second),
        race.first_writes ? "wrote" : "read", place(race.first));
  const std::string_view who = race.across ? "workgroup" : "wave";
  return fmt::format("{} {} {} {} at {}, which {} {} {} at {} with {} between", who,
                     race.second_wave, race.second_writes ? "writes" : "reads", race.place,
                     place(race.second), who, race.first_wave, race.first_writes ? "wrote" : "read",
                     place(race.first), race.across ? "nothing that orders them" : "no barrier");
}

}  // namespace rpl::emu
