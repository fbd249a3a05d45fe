// SPDX-License-Identifier: MIT
// Going back: the last state before that was kept is restored, and executed again up to where the launch should stand.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "engine/device/debug/session.h"
#include "engine/device/execute/launch/worker.h"
#include "engine/device/execute/state/handlers.h"

namespace rpl::debug {

using emu::Wave;

void Session::go_back_to(std::size_t snapshot) {
  schedule_ = snapshots_->restore(snapshot);
  time_ = snapshots_->time(snapshot);
  fruitless_ = schedule_.fruitless_rounds();
  fault_.reset();
  restore_arguments();
  edits_.go_to(time_);
  read_watches();
}

Stop Session::replay(std::uint64_t time, std::function<void(WaveId, std::uint64_t)> ran) {
  Stop stop = go({.until = time, .points = false, .ran = std::move(ran)});
  // What the watchpoints saw is that of the state from before.
  read_watches();
  return stop;
}

Stop Session::replay_from_snapshot(std::uint64_t time) {
  go_back_to(snapshots_->last_before(time + 1));
  return replay(time);
}

Session::Earlier Session::time_before(WaveId id, std::uint64_t count) {
  struct Stretch {
    std::uint64_t begin, instructions;
  };
  Earlier out{.time = time_, .beginning = true};
  for (std::uint64_t until = time_; until > 0;) {
    const std::size_t from = snapshots_->last_before(until);
    go_back_to(from);
    std::vector<Stretch> stretches;
    std::uint64_t at = time_;
    const Stop stop = replay(until, [&](WaveId wave, std::uint64_t instructions) {
      if (wave == id) stretches.push_back({at, instructions});
      at += instructions;
    });
    if (stop.kind == Stop::Kind::interrupted) return {.time = time_, .interrupted = true};
    for (auto stretch = stretches.rbegin(); stretch != stretches.rend(); ++stretch) {
      out.time = stretch->begin;
      if (stretch->instructions >= count)
        return {.time = stretch->begin + stretch->instructions - count};
      count -= stretch->instructions;
    }
    until = snapshots_->time(from);
  }
  return out;
}

Stop Session::step_back(std::uint64_t count) {
  const WaveId id = selected_wave;
  const Earlier earlier = time_before(id, count);
  if (earlier.interrupted) return reached(here(Stop::Kind::interrupted));
  Stop stop = replay_from_snapshot(earlier.time);
  if (earlier.beginning && stop.kind == Stop::Kind::step) stop.kind = Stop::Kind::beginning;
  return reached(stop);
}

/// The last place in front of which something would have stopped, from a snapshot on, before `until`.
std::optional<std::pair<std::uint64_t, Stop>> Session::last_hit(std::uint64_t from_snapshot,
                                                                std::uint64_t until,
                                                                bool& interrupted) {
  go_back_to(from_snapshot);
  std::optional<std::pair<std::uint64_t, Stop>> last;
  for (bool leave = false;;) {
    Stop stop = go({.until = until, .leave = leave});
    interrupted = stop.kind == Stop::Kind::interrupted;
    leave = stop.kind == Stop::Kind::breakpoint;
    const bool watch = stop.kind == Stop::Kind::watchpoint;
    if (!leave && !watch) return last;
    selected_wave = stop.wave;
    // Back to before the change that a watchpoint saw.
    last = std::pair(watch ? time_ - 1 : time_, std::move(stop));
  }
}

/// Goes back one instruction of the selected wave after the other while the line that it comes to lets it; the time of the last one that did.
/// `stop` becomes why it ended early: the beginning, or Ctrl-C.
std::uint64_t Session::back_while(std::uint64_t most,
                                  const std::function<bool(const LineTable::Entry&)>& goes_on,
                                  Stop& stop) {
  const WaveId id = selected_wave;
  const LineTable& table = line_table();
  std::uint64_t last = time_;
  for (std::uint64_t steps = 0; steps < most; ++steps) {
    const Earlier earlier = time_before(id, 1);
    if (earlier.interrupted) {
      stop.kind = Stop::Kind::interrupted;
      return last;
    }
    replay_from_snapshot(earlier.time);
    const Wave* now = wave(id);
    if (earlier.beginning || now == nullptr) {
      stop.kind = Stop::Kind::beginning;
      return last;
    }
    if (!goes_on(table.at(now->pc))) return last;
    last = time_;
  }
  return last;
}

constexpr std::uint64_t kMostBack = 1 << 16;

Stop Session::step_line_back(bool over) {
  choose_wave();
  const Wave* now = selected();
  if (now == nullptr || line_table().at(now->pc).line == 0) return step_back(1);
  const LineTable::Entry start = line_table().at(now->pc);
  Stop stop = here(Stop::Kind::step);
  stop.wave = selected_wave;
  const auto is_other = [&](const LineTable::Entry& entry) {
    return entry.line != 0 && entry.line != start.line && (!over || entry.depth <= start.depth);
  };
  back_while(kMostBack, [&](const LineTable::Entry& entry) { return !is_other(entry); }, stop);
  if (stop.kind != Stop::Kind::step) return reached(stop);
  // It stands at the last instruction of that line: on to its first one.
  const LineTable::Entry line = line_table().at(wave(selected_wave)->pc);
  const std::uint64_t first = back_while(
      kMostBack,
      [&](const LineTable::Entry& entry) {
        return entry.line == line.line && entry.depth == line.depth;
      },
      stop);
  if (stop.kind == Stop::Kind::beginning) stop.kind = Stop::Kind::step;
  if (stop.kind == Stop::Kind::step) replay_from_snapshot(first);
  return reached(stop);
}

Stop Session::finish_back() {
  choose_wave();
  const Wave* now = selected();
  if (now == nullptr) return step_back(1);
  const std::uint32_t depth = line_table().at(now->pc).depth;
  Stop stop = here(Stop::Kind::step);
  stop.wave = selected_wave;
  back_while(
      kMostBack,
      [&](const LineTable::Entry& entry) { return entry.line == 0 || entry.depth >= depth; }, stop);
  return reached(stop);
}

Stop Session::run_back() {
  patched_version_ = 0;
  counts_ignored_ = false;
  Stop stop = run_back_to_hit();
  counts_ignored_ = true;
  return stop;
}

Stop Session::run_back_to_hit() {
  for (std::uint64_t until = time_; until > 0;) {
    const std::size_t from = snapshots_->last_before(until);
    const std::uint64_t began = snapshots_->time(from);
    bool interrupted = false;
    auto hit = last_hit(from, until, interrupted);
    if (interrupted) return reached(here(Stop::Kind::interrupted));
    if (hit) {
      const Stop replayed = replay_from_snapshot(hit->first);
      if (replayed.kind == Stop::Kind::interrupted) return reached(replayed);
      return reached(std::move(hit->second));
    }
    until = began;
  }
  go_back_to(0);
  return reached(here(Stop::Kind::beginning));
}

/// Whether all waves have been seen to repeat themselves, with nothing left to begin. What the proof executes is undone.
bool Session::nobody_can_go_on() {
  if (schedule_.fruitless_rounds() <= fruitless_) return false;
  fruitless_ = schedule_.fruitless_rounds();
  if (!std::has_single_bit(fruitless_)) return false;
  snapshots_->keep(time_, schedule_);
  const std::uint64_t rounds = fruitless_;
  bool all = true;
  for (emu::Workgroup& group : schedule_.active()) {
    machine_.lds = group.lds;
    for (Wave& wave : group.waves) {
      if (wave.state != Wave::State::ready) continue;
      const bool repeats = emu::only_repeats(machine_, wave, [&] {
        bool hit = false;
        run_patched(machine_, wave, *plain_, 1, hit);
        ++machine_.clock;
        return !machine_.fault && wave.state == Wave::State::ready;
      });
      all = all && repeats && !machine_.fault;
    }
  }
  machine_.fault.reset();
  machine_.slept = false;
  go_back_to(snapshots_->count() - 1);
  fruitless_ = rounds;
  if (!all) return false;
  const Wave& wave = *schedule_.running();
  fault_ =
      Error{Errc::verification_failed,
            fmt::format("{}: never ends: {}: the wave repeats itself, and no wave is left that "
                        "could change what it reads",
                        program().kernel, emu::place_of(program(), wave, program().ops[wave.pc])),
            "look at the loop around this place: what should end it?"};
  return true;
}

}  // namespace rpl::debug
