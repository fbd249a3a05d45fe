// SPDX-License-Identifier: MIT
#include "engine/device/execute/state/lane_races.h"

#include "engine/device/execute/state/handlers.h"

namespace rpl::emu {
namespace {

constexpr std::size_t kMostLaneRaces = 200;  ///< pairs of instructions
constexpr std::uint16_t kMarker = 13;

}  // namespace

bool is_marker(const Op& op) {
  return op.instruction != nullptr && op.instruction->opcode->mnemonic == "s_nop" &&
         op.instruction->immediate == kMarker;
}

LaneRaces::LaneRaces(const Program& program, std::uint32_t workgroup, std::size_t lds_bytes,
                     std::size_t waves)
    : program_(program), workgroup_(workgroup), intervals_(waves, 1), cells_((lds_bytes + 3) / 4) {}

void LaneRaces::report(std::uint64_t dword, const Now& now, std::uint32_t op, bool wrote) {
  count_race(found_, kMostLaneRaces,
             {.lds = true,
              .address = dword * 4,
              .first = op,
              .second = now.op,
              .first_wave = now.wave,
              .second_wave = now.wave,
              .first_writes = wrote,
              .second_writes = now.write,
              .workgroup = workgroup_});
}

void LaneRaces::touch(std::uint64_t dword, const Now& now) {
  if (dword >= cells_.size()) return;
  Cell& cell = cells_[dword];
  const bool written = cell.write_interval == now.interval && cell.write_wave == now.wave;
  if (written && cell.writer != now.lane && cell.write_op != now.op &&
      !(cell.write_atomic && now.atomic))
    report(dword, now, cell.write_op, true);
  const bool read = cell.read_interval == now.interval && cell.read_wave == now.wave;
  if (now.write) {
    if (read && (cell.several_readers || cell.reader != now.lane) && cell.read_op != now.op)
      report(dword, now, cell.read_op, false);
    cell.write_interval = now.interval;
    cell.write_wave = now.wave;
    cell.write_op = now.op;
    cell.writer = now.lane;
    cell.write_atomic = now.atomic;
    return;
  }
  cell.several_readers = read && (cell.several_readers || cell.reader != now.lane);
  cell.read_interval = now.interval;
  cell.read_wave = now.wave;
  cell.read_op = now.op;
  cell.reader = now.lane;
}

void LaneRaces::note(const Wave& wave, const Op& op, const Access& access) {
  if (wave.id >= intervals_.size()) return;
  if (is_marker(op) || op.kind == isa::Class::barrier) {
    ++intervals_[wave.id];
    return;
  }
  if (!touches_memory(op.kind) || access.active == 0 || access.space != Access::Space::lds) return;
  Now now{.op = static_cast<std::uint32_t>(&op - program_.ops.data()),
          .interval = intervals_[wave.id],
          .wave = static_cast<std::uint16_t>(wave.id),
          .write = access.store,
          .atomic = access.atomic};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    now.lane = static_cast<std::uint8_t>(lane);
    const auto all = [&](std::uint64_t address) {
      for (std::uint64_t at = address / 4; at * 4 < address + access.bytes; ++at) touch(at, now);
    };
    all(access.address[lane]);
    if (access.two_parts) all(access.second_address[lane]);
  }
}

}  // namespace rpl::emu
