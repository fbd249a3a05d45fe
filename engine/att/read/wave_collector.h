// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <unordered_map>

#include "engine/att/read/wave_facts.h"
#include "engine/att/read/wave_file.h"
#include "engine/att/read/wave_strip.h"

namespace rpl::att {

/// What the rows of a listing do, compiled once for all threads.
struct Program {
  /// `strip`: whether states over time are wanted where the trace has no wstates files.
  Program(const ThreadTrace& trace, bool strip);

  const CodeTable* code = nullptr;
  std::vector<CounterSteps> steps;   ///< by row
  std::vector<Category> categories;  ///< by row, as the text says
  std::optional<WaveSpan> strip;     ///< where states over time are wanted
};

/// How often each number of cycles was seen.
class CycleHistogram {
 public:
  void add(std::int64_t cycles);
  void merge(const CycleHistogram& other);
  [[nodiscard]] LatencyStats stats() const;

 private:
  static constexpr std::size_t kDense = std::size_t{1} << 15;
  std::vector<std::uint32_t> dense_;  ///< below kDense; made on first use
  std::map<std::int64_t, std::uint64_t> rest_;
};

/// Adds waves up, one after the other, in one thread. A wave counts only when commit() is called for it.
class WaveCollector final : public WaveConsumer {
 public:
  explicit WaveCollector(const Program& program);

  void restart() override;
  void head(const WaveHead& head) override;
  void instructions(std::span<const WaveInstruction> some) override;
  void states(const StateCycles& cycles) override;
  [[nodiscard]] bool wants_runs() const override { return strip_.has_value(); }
  void state_run(std::int64_t state, std::int64_t from, std::int64_t cycles) override {
    strip_->run(state, from, cycles);
  }
  void stored_wait(std::int32_t line, std::span<const std::int32_t> waited_for) override;

  /// The wave was read to its end. `se` and the unit otherwise unknown are the caller's.
  void commit(std::uint32_t se, std::optional<std::uint32_t> unit);
  [[nodiscard]] WaveFacts& facts() { return facts_; }
  /// Adds everything of another collector.
  void merge(const WaveCollector& other);
  /// Statistics, lists and unions, from what was added.
  WaveFacts finish();

 private:
  struct Retired {
    std::uint32_t wait_row = 0, row = 0;
    std::int64_t cycles = 0;
    std::uint32_t stall = 0;
    Counter counter = Counter::vmcnt;
    bool youngest = false;
  };
  struct PairSum {
    std::uint64_t times = 0, exposed = 0;
    std::int64_t latency_sum = 0;
  };
  struct Unit {
    std::uint64_t waves = 0, instructions = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> lives;
  };
  using UnitKey = std::pair<std::uint32_t, std::int64_t>;  ///< se, unit or -1

  PairSum& pair_of(std::uint32_t wait_row, std::uint32_t row);
  void follow_waits(const WaveInstruction& now, std::uint32_t row);
  void remember_list(std::uint32_t row, std::span<const Outstanding> retired);
  void apply_retired();
  void add_states();

  const Program& program_;
  WaveFacts facts_;
  std::array<CycleHistogram, kCounters> histograms_;
  /// By wait row: the rows that it waited for, in the order of their first time. The next one is nearly always the one behind the last.
  struct WaitedFor {
    std::vector<std::pair<std::uint32_t, PairSum>> rows;
    std::size_t next = 0;
    std::unordered_map<std::uint32_t, std::size_t> places;  ///< of `rows`, once there are many
  };
  std::vector<WaitedFor> pairs_;
  std::map<UnitKey, Unit> units_;
  std::optional<WaveStrip> strip_;

  // The wave that is being read.
  WaveHead head_;
  bool began_ = false;
  std::int64_t busy_until_ = 0;
  std::uint64_t count_ = 0, unmapped_ = 0, unknown_ = 0;
  std::vector<Cost> wave_rows_;
  std::vector<std::uint32_t> touched_;
  std::array<Cost, kCategories> wave_categories_{};
  std::int64_t idle_ = 0, wait_ = 0, stall_ = 0;
  StateCycles timeline_{};
  bool has_timeline_ = false, has_stored_ = false;
  WaitState waits_;
  std::vector<Retired> retired_;
  std::vector<std::int32_t> rebuilt_list_, stored_list_;
};

}  // namespace rpl::att
