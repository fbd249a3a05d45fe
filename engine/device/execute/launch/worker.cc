// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <thread>
#include <utility>

#include "engine/base/interrupt.h"
#include "engine/device/execute/launch/modelled.h"
#include "engine/device/execute/state/handlers.h"
#include "engine/device/execute/state/primitives.h"

namespace rpl::emu {
namespace {

constexpr std::uint64_t kStateBytes = std::uint64_t{512}
                                      << 20;  ///< registers and LDS of all workgroups in flight

std::uint64_t bytes_of_workgroup(const Prepared& prepared) {
  const std::uint64_t wave = std::uint64_t{prepared.program->vgprs} * sizeof(LaneRegister) +
                             std::uint64_t{kLanes} * prepared.scratch_bytes;
  return wave * prepared.waves_of_full_workgroup() + prepared.lds_bytes + 1;
}

const PageSet* written_pages(const ExecuteOptions& options) {
  return options.pages ? &options.pages->written_pages : nullptr;
}

}  // namespace

SharedRun::SharedRun(Memory& memory_, const Prepared& prepared_, const ExecuteOptions& options_)
    : memory(memory_),
      prepared(prepared_),
      options(options_),
      l1_line(caches_of(prepared_.program->arch, options_).l1_line) {
  workgroups = prepared.count();
  const std::uint32_t waves = prepared.waves_of_full_workgroup();
  if (options.max_waves != 0)
    workgroups = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(options.max_waves / waves, 1, workgroups));
  threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  if (options.variation.one_thread() || options.find_grid_races || options.watch_path) threads = 1;
  threads = std::clamp(threads, 1U, std::max(1U, workgroups));
  order = begin_order(options.variation, workgroups);
  const std::uint64_t fit = std::max<std::uint64_t>(kStateBytes / bytes_of_workgroup(prepared), 1);
  on_device = resident_workgroups_of_device(prepared, options);
  most_resident = static_cast<std::uint32_t>(std::min<std::uint64_t>(fit, on_device));
  live = threads;
}

std::uint32_t SharedRun::number_of(std::uint32_t i) const {
  if (!order.empty()) i = order[i];
  return static_cast<std::uint32_t>(std::uint64_t{i} * prepared.count() / workgroups);
}

Worker::Worker(SharedRun& shared, bool leads)
    : counter_(counts, *shared.prepared.program, shared.l1_line),
      random_(shared.options.variation.seed),
      shared_(shared),
      leads_(leads),
      slice_(kFirstSlice) {
  const Prepared& prepared = shared.prepared;
  machine_.program = prepared.program.get();
  machine_.wave_sync = &shared.wave_sync;
  machine_.memory = &shared.memory;
  machine_.load_base = prepared.load_base;
  machine_.scratch_bytes = prepared.scratch_bytes;
  machine_.last_access.assign(prepared.program->ops.size(), {});
  if (shared.options.find_grid_races)
    grid_races.emplace(*prepared.program, shared.memory, written_pages(shared.options),
                       shared.options.marked_build);
  marked_ = shared.options.find_races && shared.options.marked_build;
  if (shared.options.watch_path) path.emplace(*prepared.program, shared.options.trace_path);
  const bool each =
      shared.options.find_races || grid_races || shared.options.variation.side_by_side != 0;
  watched_ = each || path;
  on_path_ = path && !each && !shared.options.trace_path && shared.options.mode == Mode::functional;
  machine_.observed = shared.options.mode != Mode::functional || watched_;
  machine_.beyond_lds = prepared.lds_tail_bytes != 0;
  machine_.shared = shared.threads > 1 || shared.options.others_use_memory;
  if (shared.options.mode != Mode::functional)
    counts.by_instruction.resize(prepared.program->ops.size());
  reported_ = shared.began;
}

bool Worker::start_next() {
  const std::uint32_t begun = shared_.workgroups - shared_.waiting();
  if (begun - shared_.ended >= shared_.most_resident) return false;
  const std::uint32_t at = shared_.next++;
  if (at >= shared_.workgroups) return false;
  if (spare_.empty()) spare_.push_back(std::make_unique<InFlight>());
  active_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  active_.back()->turn = at;
  if (shared_.caches != nullptr) active_.back()->lines.begin(shared_.caches->skipped());
  Workgroup& workgroup = active_.back()->group;
  start_workgroup(shared_.prepared, shared_.number_of(at), workgroup,
                  shared_.options.variation.fill);
  active_.back()->races.reset();
  if (shared_.options.find_races && workgroup.waves.size() > 1)
    active_.back()->races.emplace(*machine_.program, workgroup.number, workgroup.lds.size(),
                                  written_pages(shared_.options));
  active_.back()->lanes.reset();
  if (marked_)
    active_.back()->lanes.emplace(*machine_.program, workgroup.number, workgroup.lds.size(),
                                  workgroup.waves.size());
  ++counts.workgroups;
  counts.waves += workgroup.waves.size();
  return true;
}

Status Worker::run() {
  Status status = shared_.options.variation.side_by_side != 0 ? run_side_by_side() : run_all();
  counter_.finish();
  return status;
}

Status Worker::run_all() {
  while (!shared_.stop.load(std::memory_order_relaxed)) {
    if (active_.empty() && !start_next() && !take_handed_over()) return {};
    bool cut = true;
    used_up_ = false;
    for (std::size_t i = 0; i < active_.size();) {
      failed_at = active_[i]->group.number;
      if (!TRY(turn(*active_[i]))) {
        ++i;
        continue;
      }
      cut = false;
      end_workgroup(i);
    }
    if (!cut) continue;
    slice_ = std::max(slice_ / 4, kLeastSlice);
    // Where all only wait, twice as many come sooner to what they wait for than one more.
    std::size_t more = used_up_ ? 1 : active_.size();
    const std::size_t before = active_.size();
    while (more-- > 0 && start_next()) {
    }
    if (active_.size() == before) TRY(all_wait());
  }
  return {};
}

void Worker::end_workgroup(std::size_t i) {
  ++shared_.ended;
  fruitless_ = 0;
  if (shared_.caches != nullptr)
    shared_.caches->take(active_[i]->turn, active_[i]->group.number, active_[i]->lines);
  if (active_[i]->races) merge(races, active_[i]->races->found());
  if (active_[i]->lanes) merge(races, active_[i]->lanes->found());
  spare_.push_back(std::move(active_[i]));
  active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(i));
}

Result<bool> Worker::turn(InFlight& flight) {
  machine_.lds = std::span<std::byte>(flight.group.lds).first(shared_.prepared.lds_bytes);
  for (;;) {
    bool cut = false;
    for (Wave& wave : flight.group.waves) {
      const bool waits = shared_.wave_sync.holds(wave);
      if (!waits && wave.state == Wave::State::ready) TRY(run_wave(flight, wave, slice_));
      cut = cut || wave.state == Wave::State::ready || wave.state == Wave::State::at_grid_barrier;
    }
    if (cut) return false;
    if (!open_barrier(flight)) return true;
  }
}

bool Worker::waits_for_others(InFlight& flight) const {
  bool any = false;
  for (Wave& wave : flight.group.waves) any = shared_.wave_sync.holds(wave) || any;
  return any;
}

// A wave that has ended no longer takes part in barriers. False when all have ended.
bool Worker::open_barrier(InFlight& flight) {
  bool waiting = false;
  for (Wave& wave : flight.group.waves) {
    if (wave.state != Wave::State::at_barrier) continue;
    wave.state = Wave::State::ready;
    waiting = true;
  }
  if (waiting && flight.races) flight.races->barrier();
  return waiting;
}

Status Worker::run_wave(InFlight& flight, Wave& wave, std::uint64_t instructions) {
  const std::uint64_t budget = shared_.options.max_instructions;
  while (wave.state == Wave::State::ready && instructions > 0) {
    std::uint64_t most = std::min(kTurn, instructions);
    if (budget != 0) {
      const std::uint64_t before = shared_.instructions.fetch_add(most);
      if (before >= budget) return too_long(wave);
      const std::uint64_t left = budget - before;
      if (left < most) shared_.instructions -= most - left;
      most = std::min(most, left);
    }
    const std::uint64_t done = step(flight, wave, most);
    if (budget != 0) shared_.instructions -= most - done;
    counts.instructions += done;
    machine_.clock += done;
    instructions -= done;
    if (machine_.fault) return fail(machine_.fault->code, std::move(machine_.fault->message));
    const bool slept = std::exchange(machine_.slept, false);
    if (gave_way_ || slept || shared_.stop.load(std::memory_order_relaxed)) return {};
    used_up_ = used_up_ || (instructions == 0 && wave.state == Wave::State::ready);
    if (shared_.options.monitor.progress) report();
    TRY(interrupt::check());
    if (canceled()) return fail(Errc::interrupted, "the launch was cancelled");
  }
  return {};
}

bool Worker::canceled() const {
  const auto* cancel = shared_.options.cancel;
  return cancel != nullptr && cancel->load(std::memory_order_relaxed);
}

std::uint64_t Worker::step_plain(Wave& wave, std::uint64_t most) {
  const Op* ops = machine_.program->ops.data();
  std::uint64_t done = 0;
  while (done + kMostIdle < most) {
    const Op& op = ops[wave.pc++];
    ++done;
    if (!op.handler(machine_, wave, op)) return done;
    wave.pc += op.followed;
    done += op.followed;
  }
  while (done < most) {
    const Op& op = ops[wave.pc++];
    ++done;
    if (!op.handler(machine_, wave, op)) return done;
  }
  return done;
}

// Operations that follow each other with the same lanes are counted together. With kPasses those that do nothing are not noted.
template <bool kPasses, class Note>
std::uint64_t Worker::step_counted(Wave& wave, std::uint64_t most, const Note& note) {
  const Op* ops = machine_.program->ops.data();
  std::uint64_t done = 0;
  for (bool more = true; more && done < most;) {
    const std::uint32_t first = wave.pc;
    const std::uint64_t exec = wave.exec();
    std::uint32_t at = first;
    do {
      const Op& op = ops[at];
      wave.pc = ++at;
      more = op.handler(machine_, wave, op);
      note(op, at - 1);
      ++done;
      if (!kPasses || !more || done + kMostIdle >= most) continue;
      wave.pc += op.followed;
      at += op.followed;
      done += op.followed;
    } while (more && done < most && wave.pc == at && wave.exec() == exec);
    counter_.count(first, at, exec);
  }
  return done;
}

std::uint64_t Worker::step_modelled(ModelRecorder& recorder, Wave& wave, std::uint64_t most) {
  recorder.enter(wave);
  std::uint64_t done = 0;
  if (recorder.keeps()) {
    // One by one: the stream of a wave may be full after any of them.
    done = step_counted<false>(wave, most, [&](const Op& op, std::uint32_t index) {
      if (touches_memory(op.kind)) {
        recorder.note(index, machine_.access, counter_.count_access(op, machine_.access));
      } else if (recorder.keeps()) {
        recorder.note(index, wave);
      }
    });
  } else {
    done = step_counted<true>(wave, most, [&](const Op& op, std::uint32_t index) {
      if (touches_memory(op.kind))
        recorder.note(index, machine_.access, counter_.count_access(op, machine_.access));
    });
  }
  recorder.leave(wave, done);
  return done;
}

std::uint64_t Worker::step_on_path(Wave& wave, std::uint64_t most) {
  const Op* ops = machine_.program->ops.data();
  for (std::uint64_t done = 1; done <= most; ++done) {
    const std::uint32_t at = wave.pc++;
    const Op& op = ops[at];
    if (path->looks_at(at)) path->before(wave, at);
    const bool behind = machine_.observed = path->looks_behind(at);
    const bool more = op.handler(machine_, wave, op);
    if (behind) {
      spread(machine_.access);
      path->after(op, at, 0, machine_.access);
    }
    if (!more) return done;
  }
  return most;
}

std::uint64_t Worker::step_watched(InFlight& flight, Wave& wave, std::uint64_t most) {
  const Op* ops = machine_.program->ops.data();
  for (std::uint64_t done = 1; done <= most; ++done) {
    const std::uint32_t at = wave.pc++;
    const Op& op = ops[at];
    const std::uint64_t exec = wave.exec();
    if (path && path->looks_at(at)) path->before(wave, at);
    const bool more = op.handler(machine_, wave, op);
    spread(machine_.access);
    if (shared_.options.mode != Mode::functional) {
      counter_.count(at, at + 1, exec);
      if (touches_memory(op.kind)) counter_.count_access(op, machine_.access);
    }
    if (path && path->looks_behind(at)) path->after(op, at, exec, machine_.access);
    if (grid_races) grid_races->note_meetings(shared_.wave_sync);
    if (!more) return done;
    if (flight.races) flight.races->note(wave, op, machine_.access);
    if (flight.lanes) flight.lanes->note(wave, op, machine_.access);
    if (grid_races) grid_races->note(wave, op, machine_.access);
    if (gives_way(op)) return done;
  }
  return most;
}

std::uint64_t Worker::step(InFlight& flight, Wave& wave, std::uint64_t most) {
  if (shared_.caches != nullptr) {
    flight.lines.enter(wave.id);
    counter_.log_to(&flight.lines);
  }
  if (on_path_) return step_on_path(wave, most);
  if (watched_) return step_watched(flight, wave, most);
  if (shared_.recorder != nullptr) return step_modelled(*shared_.recorder, wave, most);
  if (shared_.options.mode == Mode::functional) return step_plain(wave, most);
  return step_counted<true>(wave, most, [&](const Op& op, std::uint32_t) {
    if (touches_memory(op.kind)) counter_.count_access(op, machine_.access);
  });
}

bool Worker::step_once(InFlight& flight, Wave& wave) {
  counts.instructions += step(flight, wave, 1);
  ++machine_.clock;
  machine_.slept = false;
  return !machine_.fault && wave.state == Wave::State::ready;
}

// Nothing of this thread got to an end or a barrier. If every wave only repeats itself, another thread must help, or nobody can. Looked at ever more rarely:
// it costs more than a round of waves that sleep.
Status Worker::all_wait() {
  if (shared_.options.others_use_memory) {
    constexpr std::chrono::microseconds kForOthers{50};
    std::this_thread::sleep_for(kForOthers);
    return {};
  }
  if (!std::has_single_bit(++fruitless_)) return {};
  bool all = true;
  for (auto& flight : active_) {
    machine_.lds = std::span<std::byte>(flight->group.lds).first(shared_.prepared.lds_bytes);
    failed_at = flight->group.number;
    static_cast<void>(waits_for_others(*flight));
    for (Wave& wave : flight->group.waves) {
      if (wave.state != Wave::State::ready) continue;
      const bool repeats = only_repeats(machine_, wave, [&] { return step_once(*flight, wave); });
      if (machine_.fault) return fail(machine_.fault->code, std::move(machine_.fault->message));
      all = all && repeats;
    }
  }
  if (!all) return {};
  const std::lock_guard lock(shared_.mutex);
  if (shared_.live == 1 && shared_.handed_over.empty()) return deadlock();
  if (shared_.live == 1) {
    for (auto& flight : shared_.handed_over) active_.push_back(std::move(flight));
    shared_.handed_over.clear();
    return {};
  }
  for (auto& flight : active_) shared_.handed_over.push_back(std::move(flight));
  active_.clear();
  return {};
}

// With nothing left to begin: the last thread takes what others could not finish, the others are done.
bool Worker::take_handed_over() {
  const std::lock_guard lock(shared_.mutex);
  if (shared_.live > 1 || shared_.handed_over.empty()) {
    --shared_.live;
    return false;
  }
  active_.swap(shared_.handed_over);
  return true;
}

Status Worker::deadlock() const {
  std::size_t spinning = 0, waiting = 0, at_grid = 0;
  const Wave *first = nullptr, *first_at_grid = nullptr;
  for (const auto& flight : active_) {
    for (const Wave& wave : flight->group.waves) {
      if (wave.state == Wave::State::at_barrier) ++waiting;
      if (wave.state == Wave::State::at_grid_barrier && ++at_grid == 1) first_at_grid = &wave;
      if (wave.state == Wave::State::ready && ++spinning == 1) first = &wave;
    }
  }
  const Program& program = *machine_.program;
  std::string others;
  if (spinning > 1) others += fmt::format("; {} more repeat themselves", spinning - 1);
  if (at_grid > 0) others += fmt::format("; {} wait for other workgroups", at_grid);
  if (waiting > 0) others += fmt::format("; {} wait at a barrier", waiting);
  if (active_.size() > 1) others += fmt::format("; {} workgroups are in flight", active_.size());
  const std::uint32_t left = shared_.waiting();
  if (left > 0 && shared_.most_resident < shared_.on_device) {
    return fail(Errc::limit,
                fmt::format("{}: all {} workgroups in flight wait, {} more have not begun, and the "
                            "emulator has no room for their registers",
                            program.kernel, active_.size(), left),
                "run a smaller grid");
  }
  if (left > 0)
    others +=
        fmt::format("; {} have not begun: the device holds {} at once", left, shared_.on_device);
  if (first == nullptr) {
    return fail(
        Errc::verification_failed,
        fmt::format("{}: never ends: {}: the wave waits for waves of other workgroups that "
                    "never come{}",
                    program.kernel,
                    place_of(program, *first_at_grid, program.ops[first_at_grid->pc - 1]), others),
        "every workgroup must come here; launch no more of them than fit on the device");
  }
  return fail(
      Errc::verification_failed,
      fmt::format("{}: never ends: {}: the wave repeats itself, and no wave is left that could "
                  "change what it reads{}",
                  program.kernel, place_of(program, *first, program.ops[first->pc]), others),
      "look at the loop around this place: what should end it?");
}

Status Worker::too_long(const Wave& wave) const {
  const Program& program = *machine_.program;
  return fail(Errc::limit,
              fmt::format("{}: stopped after {} wave-instructions, {} of {} workgroups done; {}",
                          program.kernel, shared_.options.max_instructions, shared_.ended.load(),
                          shared_.workgroups, place_of(program, wave, program.ops[wave.pc])),
              "raise the limit, or look for a loop that does not end");
}

void Worker::report() {
  using std::chrono::steady_clock, std::chrono::milliseconds, std::chrono::duration;
  if (!leads_) return;
  const auto now = steady_clock::now();
  if (now - reported_ < milliseconds(200)) return;
  reported_ = now;
  const double elapsed = duration<double>(now - shared_.began).count();
  const std::uint32_t ended = shared_.ended;
  const double rate = static_cast<double>(counts.instructions) * shared_.threads / elapsed / 1e6;
  std::string what = fmt::format("running workgroups, {:.0f} M wave-instructions/s", rate);
  if (ended > 0)
    what += fmt::format(", about {:.0f} s left", elapsed * (shared_.workgroups - ended) / ended);
  shared_.options.monitor.report(what, ended, shared_.workgroups);
}

}  // namespace rpl::emu
