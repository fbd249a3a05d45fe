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

RaceFinder::RaceFinder(const Program& program, std::uint32_t workgroup, std::size_t lds_bytes)
    : program_(program), workgroup_(workgroup), lds_(lds_bytes) {}

RaceFinder::Cell* RaceFinder::cell_at(std::uint64_t address, bool lds) {
  if (lds) return address < lds_.size() ? &lds_[address] : nullptr;
  auto& line = global_[address / kLine];
  if (line == nullptr) line = std::make_unique<Line>();
  return &(*line)[address % kLine];
}

void RaceFinder::report(std::uint64_t address, bool lds, const Now& now, std::uint32_t op,
                        std::uint32_t wave, bool wrote) {
  count_race(found_, kMostRaces,
             {.lds = lds,
              .address = address,
              .first = op,
              .second = now.op,
              .first_wave = wave,
              .second_wave = now.wave,
              .first_writes = wrote,
              .second_writes = now.write,
              .workgroup = workgroup_});
}

void count_race(RaceFinder::Found& races, std::size_t most, const Race& race) {
  const std::pair<std::uint32_t, std::uint32_t> key = std::minmax(race.first, race.second);
  const auto known = races.find(key);
  if (known == races.end() && races.size() >= most) return;
  Race& kept = known == races.end() ? races.emplace(key, race).first->second : known->second;
  ++kept.times;
}

void RaceFinder::touch(std::uint64_t address, bool lds, const Now& now) {
  Cell* cell = cell_at(address, lds);
  if (cell == nullptr) return;
  const bool after_write = cell->write_interval == interval_ && cell->writer != now.wave &&
                           !(cell->write_atomic && now.atomic);
  if (after_write) report(address, lds, now, cell->write_op, cell->writer, true);
  const bool read_before = cell->read_interval == interval_;
  if (now.write) {
    if (read_before && (cell->several_readers || cell->reader != now.wave))
      report(address, lds, now, cell->read_op,
             cell->reader != now.wave ? cell->reader : cell->other_reader, false);
    cell->write_interval = interval_;
    cell->write_op = now.op;
    cell->writer = now.wave;
    cell->write_atomic = now.atomic;
    return;
  }
  if (now.atomic) return;  // an atomic load races with plain writes only
  cell->several_readers = read_before && (cell->several_readers || cell->reader != now.wave);
  if (read_before && cell->reader != now.wave) cell->other_reader = cell->reader;
  cell->read_interval = interval_;
  cell->read_op = now.op;
  cell->reader = now.wave;
}

void RaceFinder::note(const Wave& wave, const Op& op, const Access& access) {
  if (!touches_memory(op.kind) || access.active == 0) return;
  if (access.space == Access::Space::none || access.space == Access::Space::scratch) return;
  if (global_.size() > kMostLines) global_.clear();
  const Now now{.op = static_cast<std::uint32_t>(&op - program_.ops.data()),
                .wave = static_cast<std::uint16_t>(wave.id),
                .write = access.store,
                .atomic = access.atomic || (op.kind == isa::Class::vmem && op.instruction->glc)};
  const auto all_bytes = [&](std::uint64_t address) {
    bool lds = access.space == Access::Space::lds;
    if (access.space == Access::Space::global) {
      if (address >> 32 == kPrivateBaseHigh) return;
      lds = address >> 32 == kSharedBaseHigh;
      if (lds) address &= 0xffffffffU;
    }
    for (std::uint32_t i = 0; i < access.bytes; ++i) touch(address + i, lds, now);
  };
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    all_bytes(access.address[lane]);
    if (access.two_parts && access.space == Access::Space::lds)
      all_bytes(access.second_address[lane]);
    if (access.into_lds == 0) continue;
    const Now written{.op = now.op, .wave = now.wave, .write = true, .atomic = false};
    for (std::uint32_t i = 0; i < access.into_lds; ++i)
      touch(access.second_address[lane] + i, true, written);
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
  const std::string_view who = race.across ? "workgroup" : "wave";
  return fmt::format("{} {} {} {} at {}, which {} {} {} at {} with {} between", who,
                     race.second_wave, race.second_writes ? "writes" : "reads", race.place,
                     place(race.second), who, race.first_wave, race.first_writes ? "wrote" : "read",
                     place(race.first), race.across ? "nothing that orders them" : "no barrier");
}

}  // namespace rpl::emu
