// SPDX-License-Identifier: MIT
#include "engine/device/cycle/compute_unit.h"

#include <algorithm>
#include <bit>

#include "engine/base/interrupt.h"
#include "engine/isa/traits/architecture.h"

namespace rpl::cycle {
namespace {

constexpr std::uint64_t kNever = ~std::uint64_t{0};
constexpr std::uint32_t kWaveLanes = isa::kWaveSize;

bool is_vector(Unit unit) {
  return unit == Unit::valu || unit == Unit::transcendental || unit == Unit::matrix;
}

/// What every wait costs at least: the cycles of its own issue.
std::uint64_t at_least(std::uint64_t value, std::uint64_t least) { return std::max(value, least); }

}  // namespace

ComputeUnit::ComputeUnit(const Parameters& parameters, std::span<const Operation> operations,
                         MemorySide* memory)
    : p_(parameters),
      operations_(operations),
      memory_(memory),
      vector_(p_.simds, 0),
      scalar_(p_.simds, 0),
      matrix_(p_.simds, 0),
      slots_(p_.simds, 0),
      vmem_(p_.vmem_queue),
      lds_(p_.lds_queue),
      stalls_(operations.size()) {}

ComputeUnit::Group& ComputeUnit::group_of(std::uint32_t workgroup) {
  const auto found = std::ranges::find(groups_, workgroup, &Group::id);
  if (found != groups_.end()) return *found;
  groups_.push_back(
      {.id = workgroup, .live = 0, .at_barrier = 0, .last = 0, .end = 0, .late_by = 0});
  return groups_.back();
}

Status ComputeUnit::run() {
  constexpr std::uint64_t kTurn = std::uint64_t{1} << 16;
  for (;;) {
    std::size_t which = pick();
    const std::uint64_t now =
        which == waves_.size() ? kNever : std::max(waves_[which]->ready, *waves_[which]->port);
    if (!waiting_.empty()) {
      const std::size_t before = waves_.size();
      begin_waves(now);
      if (waves_.size() != before) continue;
    }
    if (which == waves_.size()) return {};
    issue(which);
    if (executed_ % kTurn == 0) TRY(interrupt::check());
  }
}

// Waves begin when the rest of the unit has come to their cycle; without any other wave the first of them does.
void ComputeUnit::begin_waves(std::uint64_t until) {
  const auto earlier = [](const WaveStart& a, const WaveStart& b) { return a.begin < b.begin; };
  if (!std::ranges::is_sorted(waiting_, earlier)) std::ranges::stable_sort(waiting_, earlier);
  if (until == kNever) until = waiting_.front().begin;
  const auto later =
      std::ranges::find_if(waiting_, [&](const WaveStart& start) { return start.begin > until; });
  std::vector<WaveStart> now(waiting_.begin(), later);
  waiting_.erase(waiting_.begin(), later);
  for (const WaveStart& start : now) begin(start);
}

void ComputeUnit::begin(const WaveStart& start) {
  auto wave = std::make_unique<Wave>();
  wave->stream = start.stream;
  wave->workgroup = start.workgroup;
  wave->simd = start.simd % p_.simds;
  wave->slot = static_cast<std::uint32_t>(std::countr_one(slots_[wave->simd]));
  slots_[wave->simd] |= wave->slot < 64 ? std::uint64_t{1} << wave->slot : 0;
  wave->record = static_cast<std::uint32_t>(done_.size());
  done_.push_back({.workgroup = start.workgroup,
                   .wave = start.wave,
                   .simd = wave->simd,
                   .slot = wave->slot,
                   .begin = start.begin,
                   .end = start.begin,
                   .stream = start.stream,
                   .steps = {}});
  prepare(*wave, start.begin + p_.wave_start, false);
  waves_.push_back(std::move(wave));
  if (waves_.back()->next == nullptr) finish(waves_.size() - 1, start.begin);
}

std::size_t ComputeUnit::pick() const {
  std::size_t best = waves_.size();
  std::uint64_t earliest = kNever;
  for (std::size_t i = 0; i < waves_.size(); ++i) {
    const Wave& wave = *waves_[i];
    const std::uint64_t at = std::max(wave.ready, *wave.port);
    if (at < earliest) {
      earliest = at;
      best = i;
    }
  }
  return best;
}

// Sets what the wave does next, which it first tries at the end of its last instruction and a gap that depends on both.
void ComputeUnit::prepare(Wave& wave, std::uint64_t end, bool taken) {
  wave.next = nullptr;
  wave.port = &free_port_;
  if (wave.at >= wave.stream->steps.size()) return;
  const Operation& op = operations_[wave.stream->steps[wave.at].operation];
  wave.next = &op;
  std::uint64_t gap = taken ? p_.gap_branch_taken : 0;
  const bool memory = op.unit == Unit::vmem || op.unit == Unit::lds;
  const bool scalar = op.unit == Unit::salu || op.unit == Unit::branch;
  if (wave.after_vector && memory) gap += p_.gap_vector_memory;
  if (wave.wrote_scalar && scalar) gap += p_.gap_vector_scalar;
  if (wave.after_scalar && op.unit == Unit::branch) gap += p_.gap_scalar_branch;
  wave.attempt = wave.ready = end + gap;
  if (is_vector(op.unit)) wave.port = &vector_[wave.simd];
  if (op.unit == Unit::vmem) wave.port = &vmem_.room();
  if (op.unit == Unit::lds) wave.port = &lds_.room();
  if (scalar) wave.port = &scalar_[wave.simd];
  if (!wave.matrix.empty()) wave.ready = std::max(wave.ready, matrix_ready(wave, op));
  wave.after_vector = is_vector(op.unit);
  wave.after_scalar = op.unit == Unit::salu;
  wave.wrote_scalar = op.scalar_result;
}

// A matrix instruction that adds to the registers that the one before it wrote takes them from the unit itself.
std::uint64_t ComputeUnit::matrix_ready(Wave& wave, const Operation& op) const {
  std::uint64_t ready = 0;
  std::erase_if(wave.matrix, [&](const Pending& pending) { return pending.done <= wave.attempt; });
  for (const Pending& pending : wave.matrix) {
    for (std::uint8_t i = 0; i < op.register_count; ++i) {
      if (!op.registers[i].overlaps(pending.range)) continue;
      const bool accumulates =
          op.unit == Unit::matrix && (i == 0 || i == 3) && op.registers[i] == pending.range;
      ready = std::max(ready, accumulates ? pending.forwarded : pending.done);
    }
  }
  return ready;
}

void ComputeUnit::issue(std::size_t which) {
  Wave& wave = *waves_[which];
  const Operation& op = *wave.next;
  if (op.unit == Unit::matrix && matrix_[wave.simd] > std::max(wave.ready, *wave.port)) {
    wave.ready = matrix_[wave.simd];
    return;
  }
  const std::uint64_t start = std::max(wave.ready, *wave.port);
  const Step step = wave.stream->steps[wave.at];
  ++wave.at;
  ++executed_;
  std::uint64_t stall = start - wave.attempt, duration = stall + op.issue;
  std::uint32_t cause = step.operation;
  switch (op.unit) {
    case Unit::wait: {
      const Outstanding::Done done = waited(wave, op);
      stall = duration = at_least(done.at - wave.attempt, p_.issue);
      if (done.at > wave.attempt) cause = done.operation;
      break;
    }
    case Unit::pause:
      stall = duration = op.busy;
      break;
    case Unit::barrier:
      arrive(which);
      return;
    case Unit::end:
      duration = stall + at_least(std::max({wave.vm.wait(0).at, wave.lgkm.wait(0).at,
                                            wave.exp.wait(0).at, start}) -
                                      start,
                                  p_.issue);
      note(wave, op, stall, duration, cause);
      finish(which, wave.attempt + duration);
      return;
    default:
      execute(wave, op, step, start);
      break;
  }
  note(wave, op, stall, duration, cause);
  const std::uint64_t end = wave.attempt + duration;
  prepare(wave, end, op.unit == Unit::branch && step.detail != 0);
  if (wave.next == nullptr) finish(which, end);
}

void ComputeUnit::note(Wave& wave, const Operation& op, std::uint64_t stall, std::uint64_t duration,
                       std::uint32_t cause) {
  stalls_[number_of(op)].suffered += stall;
  stalls_[cause].caused += stall;
  if (stall > wave.longest) {
    wave.longest = stall;
    wave.longest_of = cause;
  }
  UnitCycles& unit = units_[static_cast<std::size_t>(op.unit)];
  ++unit.executed;
  unit.stall += stall;
  unit.issue += duration - stall;
  if (!keep_times) return;
  constexpr std::uint64_t kMost = ~std::uint32_t{0};
  done_[wave.record].steps.push_back(
      {.time = wave.attempt,
       .stall = static_cast<std::uint32_t>(std::min(stall, kMost)),
       .duration = static_cast<std::uint32_t>(std::min(duration, kMost))});
}

void ComputeUnit::execute(Wave& wave, const Operation& op, const Step& step, std::uint64_t start) {
  switch (op.unit) {
    case Unit::valu:
    case Unit::transcendental:
      vector_[wave.simd] = start + op.issue;
      break;
    case Unit::matrix:
      vector_[wave.simd] = start + op.issue;
      matrix_[wave.simd] = start + op.busy;
      matrix_busy_ += op.busy;
      if (op.register_count > 0) {
        const std::uint64_t done = start + op.busy;
        wave.matrix.push_back(
            {.range = op.registers[0], .done = done + p_.matrix_result, .forwarded = done});
      }
      break;
    case Unit::vmem:
      vector_memory(wave, op, step, start);
      break;
    case Unit::lds:
      local(wave, op, step, start);
      break;
    case Unit::smem:
      scalar_memory(wave, op, step, start);
      break;
    case Unit::salu:
    case Unit::branch:
      scalar_[wave.simd] = start + op.issue;
      break;
    default:
      break;
  }
}

// When the counters are down, the attempt at the earliest.
Outstanding::Done ComputeUnit::waited(Wave& wave, const Operation& op) {
  using Done = Outstanding::Done;
  const auto later = [](const Done& a, const Done& b) { return a.at >= b.at ? a : b; };
  Done vm, local;
  if (op.wait_vm != Operation::kNoWait) vm = wave.vm.wait(op.wait_vm);
  if (op.wait_lgkm != Operation::kNoWait) local = wave.lgkm.wait(op.wait_lgkm);
  if (op.wait_exp != Operation::kNoWait) local = later(local, wave.exp.wait(op.wait_exp));
  if (vm.at > wave.attempt) vmem_wait_ += vm.at - wave.attempt;
  const Done before = later({.at = wave.attempt}, vm);
  if (local.at > before.at) lds_wait_ += local.at - before.at;
  return later(before, local);
}

std::span<const std::uint64_t> ComputeUnit::lines_of(const Wave& wave, const Step& step,
                                                     AccessHead& head) const {
  const auto& lines = wave.stream->lines;
  // A record that was read from a file may say anything.
  if (step.detail == 0 || step.detail == kAssumed || step.detail > lines.size()) return {};
  head = AccessHead::of(lines[step.detail - 1]);
  return std::span(lines).subspan(step.detail,
                                  std::min<std::size_t>(head.lines, lines.size() - step.detail));
}

// A store of parts of a line waits for those before it that write other parts of the same line, and the unit with it: cycles beyond its own service.
double ComputeUnit::store_wait(const AccessHead& head, std::span<const std::uint64_t> lines,
                               std::uint64_t start) {
  // The ends of a row that is not aligned do not make a store one of parts.
  if (2 * head.partial <= head.requests) return 0;
  const double begin = vmem_.next_begin(start);
  double wait = 0;
  for (const PartialStore& before : partial_) {
    if (before.line_1 == 0 || std::ranges::find(lines, before.line_1 - 1) == lines.end()) continue;
    wait = std::max(wait, before.at + p_.store_conflict - begin);
  }
  for (const std::uint64_t line : lines) {
    partial_[next_partial_] = {line + 1, begin + wait};
    next_partial_ = (next_partial_ + 1) % partial_.size();
  }
  return wait;
}

// The unit takes 16 addresses a cycle, and the L1 looks up a line and moves its width of data a cycle.
void ComputeUnit::vector_memory(Wave& wave, const Operation& op, const Step& step,
                                std::uint64_t start) {
  constexpr double kAddresses = 16;
  AccessHead head;
  const auto lines = lines_of(wave, step, head);
  const double bytes = op.bytes * kWaveLanes;
  double service = std::max(kWaveLanes / kAddresses, static_cast<double>(lines.size()));
  constexpr double kKiB = 1024;
  if (step.detail == kAssumed) service = std::max(service, p_.assumed_service * bytes / kKiB);
  service = std::max(service, bytes / p_.l1_bandwidth);
  if (step.detail == 0) service = kWaveLanes / kAddresses;
  if (!op.store && !op.atomic) service = std::max(service, p_.l1_scatter * head.requests);
  // Lanes of one address follow each other as requests of their own.
  if (op.atomic && p_.atomic > 0) service += head.detail;
  if (head.partial > 0 && op.store && p_.store_conflict > 0)
    service += store_wait(head, lines, start);
  const double begun = vmem_.take(start, service);
  double done = begun + service;
  if (step.detail == kAssumed) {
    done += op.store ? p_.assumed_store : p_.assumed_load;
  } else if (!lines.empty()) {
    const double part = std::clamp(bytes / static_cast<double>(lines.size()),
                                   std::min(64.0, static_cast<double>(p_.l1_line)),
                                   static_cast<double>(p_.l1_line));
    const bool writes = op.store || op.atomic;
    done = std::max(done, writes ? memory_->store(step.operation, lines, done, part)
                                 : memory_->load(step.operation, lines, done));
  }
  const Outstanding::Done all{static_cast<std::uint64_t>(done), step.operation};
  wave.vm.add(all);
  if (op.flat) wave.lgkm.add(all);
}

void ComputeUnit::local(Wave& wave, const Operation& op, const Step& step, std::uint64_t start) {
  double service = op.bytes * kWaveLanes / p_.lds_bandwidth;
  service = std::max(service, 1.0) + (step.detail == kAssumed ? 0 : step.detail);
  if (op.atomic) service *= 2;
  const double begun = lds_.take(start, service);
  wave.lgkm.add({static_cast<std::uint64_t>(begun + service) + p_.lds_latency, step.operation});
}

void ComputeUnit::scalar_memory(Wave& wave, const Operation& /*op*/, const Step& step,
                                std::uint64_t start) {
  AccessHead head;
  const auto lines = lines_of(wave, step, head);
  double done = static_cast<double>(start) +
                (step.detail == kAssumed ? p_.assumed_scalar : p_.scalar_latency);
  if (!lines.empty()) done = memory_->scalar(step.operation, lines, static_cast<double>(start));
  wave.lgkm.add({static_cast<std::uint64_t>(done), step.operation});
}

// A barrier opens when every wave of the workgroup that has not ended is at it.
void ComputeUnit::arrive(std::size_t which) {
  Wave& wave = *waves_[which];
  wave.at_barrier = true;
  wave.ready = kNever;
  Group& group = group_of(wave.workgroup);
  ++group.at_barrier;
  if (wave.attempt >= group.last) {
    group.last = wave.attempt;
    group.late_by = wave.longest > 0 ? wave.longest_of : number_of(*wave.next);
  }
  if (group.at_barrier == group.live) release(group);
}

void ComputeUnit::release(Group& group) {
  const std::uint64_t open = group.last + p_.issue;
  group.at_barrier = 0;
  group.last = 0;
  const std::uint32_t id = group.id, late_by = group.late_by;
  for (std::size_t i = waves_.size(); i-- > 0;) {
    if (i >= waves_.size()) continue;  // ended as well, in between
    Wave& wave = *waves_[i];
    if (wave.workgroup != id || !wave.at_barrier) continue;
    wave.at_barrier = false;
    note(wave, *wave.next, open - wave.attempt, open - wave.attempt, late_by);
    wave.longest = 0;
    prepare(wave, open, false);
    if (wave.next == nullptr) finish(i, open);
  }
}

void ComputeUnit::finish(std::size_t which, std::uint64_t end) {
  const Wave& wave = *waves_[which];
  const std::uint32_t workgroup = wave.workgroup;
  done_[wave.record].end = end;
  end_ = std::max(end_, end);
  if (wave.slot < 64) slots_[wave.simd] &= ~(std::uint64_t{1} << wave.slot);
  waves_.erase(waves_.begin() + static_cast<std::ptrdiff_t>(which));
  Group& group = group_of(workgroup);
  --group.live;
  group.end = std::max(group.end, end);
  if (group.live > 0) {
    if (group.at_barrier == group.live) release(group);
    return;
  }
  const std::uint64_t last = group.end;
  std::erase_if(groups_, [&](const Group& one) { return one.id == workgroup; });
  if (workgroup_ended) workgroup_ended(workgroup, last);
}

}  // namespace rpl::cycle
