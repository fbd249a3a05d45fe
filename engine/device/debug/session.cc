// SPDX-License-Identifier: MIT
#include "engine/device/debug/session.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "engine/base/interrupt.h"
#include "engine/device/execute/launch/worker.h"
#include "engine/device/execute/state/handlers.h"

namespace rpl::debug {

using emu::Wave;

std::string_view to_string(Stop::Kind kind) {
  constexpr std::string_view kNames[] = {"entry",      "step",        "breakpoint",
                                         "watchpoint", "fault",       "wave ended",
                                         "ended",      "interrupted", "beginning"};
  return kNames[static_cast<std::size_t>(kind)];
}

Session::Session(emu::KernelRun run, Points& points)
    : run_(std::move(run)), points_(points), schedule_(prepared_, 1) {}

Result<std::unique_ptr<Session>> Session::start(emu::KernelRun run, Points& points) {
  std::unique_ptr<Session> session(new Session(std::move(run), points));
  TRY(session->prepare());
  return session;
}

Status Session::prepare() {
  placed_ = TRY(emu::place(memory_, run_));
  prepared_ = TRY(emu::prepare(memory_, placed_.launch));
  const emu::Region& segment = *memory_.find(prepared_.kernarg);
  arguments_.assign(segment.host, segment.host + segment.size);
  if (auto lines = run_.object->source_lines()) lines_ = std::move(*lines);
  machine_.program = prepared_.program.get();
  machine_.memory = &memory_;
  machine_.load_base = prepared_.load_base;
  machine_.scratch_bytes = prepared_.scratch_bytes;
  machine_.last_access.assign(program().ops.size(), {});
  run_.options.threads = 1;
  schedule_ = Schedule(prepared_, emu::SharedRun(memory_, prepared_, run_.options).most_resident);
  snapshots_ = std::make_unique<Snapshots>(memory_, schedule_);
  patches_ = std::make_unique<Patches>(program());
  plain_ = std::make_unique<Patches>(program());
  static_cast<void>(reached(here(Stop::Kind::entry)));
  return {};
}

Result<std::vector<std::uint32_t>> Session::find(const Place& place) const {
  return find_place(program(), prepared_.load_base, lines_, place);
}

Stop Session::here(Stop::Kind kind) const {
  Stop stop{.kind = kind, .wave = selected_wave};
  if (const Wave* running = schedule_.running()) stop.wave = id_of(*running);
  return stop;
}

/// Everything that ends a command comes through here.
Stop Session::reached(Stop stop) {
  edits_.forget_after(time_);
  callers_at_ = kNever;
  for (const int number : stop.numbers) points_.hit(number);
  if (stop.kind == Stop::Kind::wave_ended && ended()) stop.kind = Stop::Kind::ended;
  selected_wave = stop.wave;
  if (stop.kind == Stop::Kind::wave_ended) choose_wave();
  if (stop.lane) selected_lane = *stop.lane;
  settle_lane();
  note_changes();
  return stop;
}

void Session::select(WaveId id) {
  selected_wave = id;
  settle_lane();
  note_changes();
}

/// A lane that does not execute is of little interest.
void Session::settle_lane() {
  const Wave* now = selected();
  const std::uint64_t exec = now == nullptr ? 0 : now->exec();
  if (exec != 0 && (exec >> selected_lane & 1) == 0)
    selected_lane = static_cast<unsigned>(std::countr_zero(exec));
}

void Session::note_changes() {
  changed_.clear();
  const Wave* now = selected();
  if (now == nullptr) {
    seen_.reset();
    return;
  }
  if (seen_ && id_of(*seen_) == id_of(*now)) changed_ = changed_registers(program(), *seen_, *now);
  seen_ = *now;
}

/// Whether every wave waits for waves of other workgroups that never come.
bool Session::never_meets() {
  if (schedule_.running()->state == Wave::State::ready) return false;
  const Wave& wave = *schedule_.stuck();
  fault_ = Error{
      Errc::verification_failed,
      fmt::format("{}: never ends: {}: the wave waits for waves of other workgroups that "
                  "never come",
                  program().kernel, emu::place_of(program(), wave, program().ops[wave.pc - 1])),
      "every workgroup must come here"};
  return true;
}

/// What keeps the running wave from going on.
std::optional<Stop> Session::before_chunk(const Goal& goal) {
  if (schedule_.running() == nullptr) return here(Stop::Kind::ended);
  if (time_ >= goal.until) return here(Stop::Kind::step);
  if (goal.hears_interrupt && interrupt::pending()) return here(Stop::Kind::interrupted);
  run_.options.monitor.report("running the kernel: wave-instructions", time_, 0);
  if (time_ >= snapshots_->due()) snapshots_->keep(time_, schedule_);
  if (!never_meets() && (!goal.points || !nobody_can_go_on())) return std::nullopt;
  Stop stop = here(Stop::Kind::fault);
  stop.error = fault_;
  return stop;
}

std::optional<Stop> Session::at_breakpoint(WaveId id) {
  Stop stop{.kind = Stop::Kind::breakpoint, .wave = id};
  const std::uint32_t op = wave(id)->pc;
  for (auto [at, end] = breakpoint_at_.equal_range(op); at != end; ++at) {
    const auto found = points_.breakpoints().find(at->second);
    if (found == points_.breakpoints().end()) continue;
    if (found->second.condition.empty() || !condition) {
      stop.numbers.push_back(at->second);
      continue;
    }
    const auto verdict = asked(at->second, found->second.condition, id);
    if (!verdict) stop.error = verdict.error();
    if (!verdict || verdict->stop) stop.numbers.push_back(at->second);
    if (verdict && verdict->stop && !stop.lane) stop.lane = verdict->lane;
  }
  if (counts_ignored_)
    std::erase_if(stop.numbers, [this](int number) { return points_.ignores(number); });
  if (stop.numbers.empty()) return std::nullopt;
  return stop;
}

/// Asks a condition about a wave; which wave and lane are selected stays as it was.
Result<Verdict> Session::asked(int number, const std::string& text, WaveId id) {
  const WaveId before = selected_wave;
  const unsigned lane_before = selected_lane;
  selected_wave = id;
  auto verdict = condition(number, text);
  selected_wave = before;
  selected_lane = lane_before;
  return verdict;
}

Session::Chunk Session::run_chunk(const Goal& goal, Wave& wave, bool leave) {
  Chunk chunk{.first = wave.pc};
  const bool one = leave || (goal.enough && goal.wave == id_of(wave));
  chunk.most = one ? 1
                   : std::min({schedule_.turn(), goal.until - time_, snapshots_->due() - time_,
                               edits_.due() - time_});
  machine_.lds = schedule_.group().lds;
  machine_.wave_sync = &schedule_.wave_sync();
  machine_.clock = schedule_.clock();
  const Patches& usual = goal.calls != nullptr ? *goal.calls : *plain_;
  const Patches& patches = leave ? *plain_ : goal.points ? *patches_ : usual;
  bool hit = false;
  if (goal.points && !watches_.empty()) {
    gather(wave);
    chunk.ran = run_watched(machine_, wave, patches, watched_now_, chunk.most, hit, chunk.changed);
  } else {
    chunk.ran = run_patched(machine_, wave, patches, chunk.most, hit);
  }
  return chunk;
}

/// Whether what the running wave just did ends the run.
std::optional<Stop> Session::after_chunk(const Goal& goal, WaveId id, const Chunk& chunk) {
  if (machine_.fault) {
    fault_ = Error{machine_.fault->code, std::move(machine_.fault->message), ""};
    machine_.fault.reset();
    return Stop{.kind = Stop::Kind::fault, .wave = id, .error = fault_};
  }
  if (chunk.changed != nullptr) {
    if (auto stop = watch_hit(id, *chunk.changed)) return stop;
  }
  if (!goal.enough || !(goal.wave == id) || chunk.ran != 1) return std::nullopt;
  const Wave& now = *wave(id);
  if (now.state == Wave::State::ended) return Stop{.kind = Stop::Kind::wave_ended, .wave = id};
  if (goal.enough(program().ops[chunk.first], now))
    return Stop{.kind = Stop::Kind::step, .wave = id};
  return std::nullopt;
}

Stop Session::go(const Goal& goal) {
  struct Going {
    explicit Going(bool& flag) : flag_(flag), before_(std::exchange(flag, true)) {}
    ~Going() { flag_ = before_; }
    bool& flag_;
    bool before_;
  } going(going_);
  if (fault_) {
    Stop stop = here(Stop::Kind::fault);
    stop.error = fault_;
    return stop;
  }
  if (goal.points) patch();
  bool leave =
      goal.leave && schedule_.running() != nullptr && id_of(*schedule_.running()) == selected_wave;
  for (;;) {
    make_edits();
    if (auto stop = before_chunk(goal)) return std::move(*stop);
    Wave& running = *schedule_.running();
    const WaveId id = id_of(running);
    if (goal.points && !leave && patches_->is_set(running.pc)) {
      if (auto stop = at_breakpoint(id)) return std::move(*stop);
      leave = true;
    }
    if (goal.calls != nullptr && goal.calls->is_set(running.pc)) {
      if (goal.wave == id) goal.called(running);
      leave = true;
    }
    const Chunk chunk = run_chunk(goal, running, leave);
    leave = false;
    time_ += chunk.ran;
    auto stop = after_chunk(goal, id, chunk);
    if (chunk.ran == 0) {
      if (stop) return std::move(*stop);
      continue;
    }
    if (goal.ran) goal.ran(id, chunk.ran);
    schedule_.ran(chunk.ran, std::exchange(machine_.slept, false));
    if (stop) return std::move(*stop);
  }
}

Stop Session::run(bool from_start) { return reached(go({.leave = !from_start})); }

}  // namespace rpl::debug
