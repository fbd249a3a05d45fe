// SPDX-License-Identifier: MIT
#include "engine/att/read/wave_collector.h"

#include <algorithm>

namespace rpl::att {
namespace {

constexpr std::uint32_t kWorthWhile = 8;  ///< cycles; a shorter stall says nothing about memory
constexpr std::size_t kMostRetired = std::size_t{1} << 17;
constexpr std::size_t kLongestList = std::size_t{1}
                                     << 20;  ///< numbers of a wait list that are compared
constexpr std::int64_t kLatencyCap = std::int64_t{1} << 40;

std::uint64_t pair_key(std::uint32_t wait_row, std::uint32_t row) {
  return (std::uint64_t{wait_row} << 32) | row;
}

}  // namespace

Program::Program(const ThreadTrace& trace, bool wants_strip) : code(&trace.code) {
  for (const Instruction& row : trace.code.rows) {
    steps.push_back(row.label ? CounterSteps() : counter_steps(row.text, trace.gfxip()));
    categories.push_back(row.traits.category);
  }
  if (wants_strip && trace.states.empty()) strip = span_of(trace.manifest.waves);
}

void CycleHistogram::add(std::int64_t cycles) {
  if (cycles < 0 || cycles >= static_cast<std::int64_t>(kDense)) {
    // A damaged trace may hold a different value each time.
    constexpr std::size_t kMostValues = std::size_t{1} << 16;
    if (rest_.size() < kMostValues || rest_.contains(cycles)) ++rest_[cycles];
    return;
  }
  if (dense_.empty()) dense_.resize(kDense);
  ++dense_[static_cast<std::size_t>(cycles)];
}

void CycleHistogram::merge(const CycleHistogram& other) {
  if (dense_.empty()) dense_.resize(other.dense_.size());
  for (std::size_t i = 0; i < other.dense_.size(); ++i) dense_[i] += other.dense_[i];
  for (const auto& [cycles, times] : other.rest_) rest_[cycles] += times;
}

LatencyStats CycleHistogram::stats() const {
  std::map<std::int64_t, std::uint64_t> all(rest_);
  for (std::size_t i = 0; i < dense_.size(); ++i) {
    if (dense_[i] > 0) all[static_cast<std::int64_t>(i)] = dense_[i];
  }
  LatencyStats stats;
  double sum = 0;
  for (const auto& [cycles, times] : all) {
    stats.n += times;
    sum += static_cast<double>(cycles) * static_cast<double>(times);
  }
  if (stats.n == 0) return stats;
  stats.mean = sum / static_cast<double>(stats.n);
  stats.max = all.rbegin()->first;
  const auto at = [&](std::uint64_t index) {
    for (const auto& [cycles, times] : all) {
      if (index < times) return cycles;
      index -= times;
    }
    return stats.max;
  };
  stats.p50 = at(stats.n / 2);
  stats.p95 = at(stats.n * 95 / 100);
  return stats;
}

WaveCollector::WaveCollector(const Program& program) : program_(program) {
  facts_.rows.resize(program.code->rows.size());
  wave_rows_.resize(program.code->rows.size());
  pairs_.resize(program.code->rows.size());
  if (program.strip) strip_.emplace(*program.strip);
}

void WaveCollector::restart() {
  for (const std::uint32_t row : touched_) wave_rows_[row] = {};
  touched_.clear();
  wave_categories_ = {};
  head_ = {};
  began_ = has_timeline_ = has_stored_ = false;
  count_ = unmapped_ = unknown_ = 0;
  idle_ = wait_ = stall_ = 0;
  timeline_ = {};
  waits_.reset();
  retired_.clear();
  rebuilt_list_.clear();
  stored_list_.clear();
  if (strip_) strip_->restart();
}

void WaveCollector::head(const WaveHead& head) {
  head_ = head;
  busy_until_ = head.begin;
}

void WaveCollector::instructions(std::span<const WaveInstruction> some) {
  count_ += some.size();
  for (const WaveInstruction& now : some) {
    const std::uint32_t row = program_.code->row_of(now.line);
    const bool mapped = row != CodeTable::kNone;
    bool known = true;
    const Category category =
        executed_category(now.category, mapped ? program_.categories[row] : Category::none, known);
    const std::uint64_t latency = std::max(now.duration, now.stall);
    const std::int64_t gap = now.time - busy_until_;
    const Cost cost{1, latency, now.stall, gap > 0 ? static_cast<std::uint64_t>(gap) : 0};
    if (!began_) {
      idle_ += std::max<std::int64_t>(now.time - head_.begin, 0);
      if (strip_) strip_->rebuilt(kIdleState, head_.begin, now.time);
    }
    began_ = true;
    busy_until_ = std::max(busy_until_, now.time + static_cast<std::int64_t>(latency));
    wave_categories_[static_cast<std::size_t>(category)] += cost;
    if (category == Category::message || (category == Category::immed && now.stall > 0)) {
      wait_ += static_cast<std::int64_t>(latency);
      if (strip_)
        strip_->rebuilt(kWaitState, now.time, now.time + static_cast<std::int64_t>(latency));
    } else if (category != Category::immed) {
      stall_ += now.stall;
      if (strip_) strip_->rebuilt(kStallState, now.time, now.time + std::int64_t{now.stall});
    }
    unknown_ += known ? 0 : 1;
    if (!mapped) {
      ++unmapped_;
      continue;
    }
    if (wave_rows_[row].hits == 0) touched_.push_back(row);
    wave_rows_[row] += cost;
    if (program_.steps[row].count > 0) follow_waits(now, row);
  }
}

void WaveCollector::follow_waits(const WaveInstruction& now, std::uint32_t row) {
  const Outstanding self{row, now.line, now.time + now.stall};
  waits_.run(program_.steps[row], self, [&](Counter counter, std::span<const Outstanding> done) {
    remember_list(row, done);
    const std::int64_t end = now.time + static_cast<std::int64_t>(now.duration);
    for (const Outstanding& one : done) {
      retired_.push_back({row, one.row, std::clamp(end - one.issued, -kLatencyCap, kLatencyCap),
                          now.stall, counter, &one == &done.back()});
    }
    // A wave of the size that the hardware allows never gets here before its end.
    if (retired_.size() > kMostRetired) apply_retired();
  });
}

void WaveCollector::remember_list(std::uint32_t row, std::span<const Outstanding> retired) {
  if (rebuilt_list_.size() + retired.size() > kLongestList) return;
  const std::size_t at = rebuilt_list_.size();
  rebuilt_list_.push_back(static_cast<std::int32_t>(program_.code->rows[row].line));
  rebuilt_list_.push_back(0);
  for (const Outstanding& one : retired) {
    if (!program_.steps[one.row].extra) rebuilt_list_.push_back(one.line);
  }
  const std::size_t listed = rebuilt_list_.size() - at - 2;
  if (listed == 0) {
    rebuilt_list_.resize(at);
  } else {
    rebuilt_list_[at + 1] = static_cast<std::int32_t>(listed);
  }
}

void WaveCollector::states(const StateCycles& cycles) {
  has_timeline_ = true;
  timeline_ = cycles;
}

void WaveCollector::stored_wait(std::int32_t line, std::span<const std::int32_t> waited_for) {
  has_stored_ = true;
  if (stored_list_.size() + waited_for.size() > kLongestList) return;
  stored_list_.push_back(line);
  stored_list_.push_back(static_cast<std::int32_t>(waited_for.size()));
  stored_list_.insert(stored_list_.end(), waited_for.begin(), waited_for.end());
}

WaveCollector::PairSum& WaveCollector::pair_of(std::uint32_t wait_row, std::uint32_t row) {
  constexpr std::size_t kFew = 64;
  WaitedFor& all = pairs_[wait_row];
  for (std::size_t tried = 0; tried < std::min(all.rows.size(), kFew); ++tried) {
    if (all.next >= all.rows.size()) all.next = 0;
    auto& [known, sum] = all.rows[all.next++];
    if (known == row) return sum;
  }
  if (all.rows.size() >= kFew) {
    if (all.places.empty()) {
      for (std::size_t i = 0; i < all.rows.size(); ++i) all.places[all.rows[i].first] = i;
    }
    if (const auto found = all.places.find(row); found != all.places.end()) {
      all.next = found->second + 1;
      return all.rows[found->second].second;
    }
    all.places[row] = all.rows.size();
  }
  all.next = all.rows.size() + 1;
  return all.rows.emplace_back(row, PairSum()).second;
}

void WaveCollector::apply_retired() {
  for (const Retired& one : retired_) {
    PairSum& pair = pair_of(one.wait_row, one.row);
    ++pair.times;
    pair.latency_sum += one.cycles;
    if (one.youngest) pair.exposed += one.stall;
    if (one.stall > kWorthWhile) histograms_[static_cast<std::size_t>(one.counter)].add(one.cycles);
  }
  retired_.clear();
}

void WaveCollector::add_states() {
  const std::int64_t life = head_.end - head_.begin;
  // A wave that lives on after its last instruction is idle again.
  const std::int64_t idle = idle_ + std::max<std::int64_t>(head_.end - busy_until_, 0);
  facts_.rebuilt[kIdleState] += idle;
  facts_.rebuilt[kWaitState] += wait_;
  facts_.rebuilt[kStallState] += stall_;
  facts_.rebuilt[kExecState] += std::max<std::int64_t>(life - idle - wait_ - stall_, 0);
  if (!has_timeline_) return;
  ++facts_.timelines;
  for (std::size_t i = 0; i < kWaveStates; ++i) facts_.recorded[i] += timeline_[i];
}

void WaveCollector::commit(std::uint32_t se, std::optional<std::uint32_t> unit) {
  ++facts_.waves;
  for (const std::uint32_t row : touched_) facts_.rows[row] += wave_rows_[row];
  for (std::size_t i = 0; i < kCategories; ++i) facts_.categories[i] += wave_categories_[i];
  facts_.unmapped += unmapped_;
  facts_.unknown_categories += unknown_;
  apply_retired();
  add_states();
  if (strip_) {
    strip_->rebuilt(kIdleState, busy_until_, head_.end);
    strip_->commit(head_.begin, head_.end);
  }
  if (has_stored_) {
    ++facts_.stored_waits;
    facts_.equal_waits += stored_list_ == rebuilt_list_ ? 1 : 0;
  }
  const auto cu = head_.cu ? head_.cu : unit;
  Unit& at = units_[{se, cu ? std::int64_t{*cu} : -1}];
  ++at.waves;
  at.instructions += count_;
  at.lives.emplace_back(head_.begin, std::max(head_.begin, head_.end));
}

void WaveCollector::merge(const WaveCollector& other) {
  const WaveFacts& from = other.facts_;
  facts_.waves += from.waves;
  facts_.failed += from.failed;
  facts_.bytes += from.bytes;
  facts_.by_simdjson += from.by_simdjson;
  facts_.unmapped += from.unmapped;
  facts_.unknown_categories += from.unknown_categories;
  facts_.timelines += from.timelines;
  facts_.stored_waits += from.stored_waits;
  facts_.equal_waits += from.equal_waits;
  for (std::size_t i = 0; i < facts_.rows.size(); ++i) facts_.rows[i] += from.rows[i];
  for (std::size_t i = 0; i < kCategories; ++i) facts_.categories[i] += from.categories[i];
  for (std::size_t i = 0; i < kWaveStates; ++i) {
    facts_.recorded[i] += from.recorded[i];
    facts_.rebuilt[i] += from.rebuilt[i];
  }
  for (std::size_t i = 0; i < kCounters; ++i) histograms_[i].merge(other.histograms_[i]);
  for (std::uint32_t wait = 0; wait < other.pairs_.size(); ++wait) {
    for (const auto& [row, sum] : other.pairs_[wait].rows) {
      PairSum& pair = pair_of(wait, row);
      pair.times += sum.times;
      pair.exposed += sum.exposed;
      pair.latency_sum += sum.latency_sum;
    }
  }
  for (const auto& [key, unit] : other.units_) {
    Unit& at = units_[key];
    at.waves += unit.waves;
    at.instructions += unit.instructions;
    at.lives.insert(at.lives.end(), unit.lives.begin(), unit.lives.end());
  }
  if (strip_ && other.strip_) strip_->merge(*other.strip_);
  facts_.notes.insert(facts_.notes.end(), from.notes.begin(), from.notes.end());
}

WaveFacts WaveCollector::finish() {
  for (std::size_t i = 0; i < kCounters; ++i) facts_.latencies[i] = histograms_[i].stats();
  for (std::uint32_t wait = 0; wait < pairs_.size(); ++wait) {
    for (const auto& [row, sum] : pairs_[wait].rows) {
      facts_.pairs.push_back({.wait_row = wait,
                              .row = row,
                              .times = sum.times,
                              .latency_sum = sum.latency_sum,
                              .exposed = sum.exposed});
    }
  }
  std::ranges::sort(facts_.pairs, {},
                    [](const WaitPair& pair) { return pair_key(pair.wait_row, pair.row); });
  for (auto& [key, unit] : units_) {
    UnitFacts& made = facts_.units.emplace_back();
    made.se = key.first;
    if (key.second >= 0) made.cu = static_cast<std::uint32_t>(key.second);
    made.waves = unit.waves;
    made.instructions = unit.instructions;
    for (const auto& [begin, end] : unit.lives) made.wave_cycles += end - begin;
    made.busy_cycles = union_length(unit.lives);
  }
  if (strip_ && facts_.waves > 0)
    facts_.strip =
        facts_.timelines == facts_.waves ? strip_->from_timelines() : strip_->from_instructions();
  std::ranges::sort(facts_.notes);
  return std::move(facts_);
}

}  // namespace rpl::att
