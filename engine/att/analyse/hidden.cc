// SPDX-License-Identifier: MIT
#include "engine/att/analyse/hidden.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "engine/att/read/wave_file.h"
#include "engine/base/interrupt.h"

namespace rpl::att {
namespace {

/// Ranks of pipes; what is no pipe comes last.
constexpr std::size_t kMatrixRank = 0, kValuRank = 1, kMemoryRank = 2, kScalarRank = 3,
                      kOtherRank = 4;

std::size_t rank_of(const CodeTable& code, const WaveInstruction& now, std::uint32_t row) {
  if (row != CodeTable::kNone && code.rows[row].traits.category == Category::matrix)
    return kMatrixRank;
  if (now.category < 0 || now.category >= static_cast<std::int32_t>(kCategories)) return kOtherRank;
  switch (static_cast<Category>(now.category)) {
    case Category::valu:
      return kValuRank;
    case Category::vmem:
    case Category::flat:
    case Category::lds:
      return kMemoryRank;
    case Category::salu:
    case Category::smem:
      return kScalarRank;
    default:
      return kOtherRank;
  }
}

/// Both passes see instructions one by one.
class EachInstruction : public WaveConsumer {
 public:
  explicit EachInstruction(const CodeTable& code) : code_(code) {}
  void restart() override {}
  void head(const WaveHead& head) override { busy_until_ = head.begin; }
  void instructions(std::span<const WaveInstruction> some) override {
    for (const WaveInstruction& now : some) {
      const std::uint32_t row = code_.row_of(now.line);
      const auto end = now.time + static_cast<std::int64_t>(std::max(now.duration, now.stall));
      see(now, row, rank_of(code_, now, row), std::min(busy_until_, now.time), end);
      busy_until_ = std::max(busy_until_, end);
    }
  }
  void states(const StateCycles& /*cycles*/) override {}
  void stored_wait(std::int32_t /*line*/, std::span<const std::int32_t> /*waited_for*/) override {}

 private:
  /// `idle_from`: the end of what the wave ran before.
  virtual void see(const WaveInstruction& now, std::uint32_t row, std::size_t rank,
                   std::int64_t idle_from, std::int64_t end) = 0;
  const CodeTable& code_;
  std::int64_t busy_until_ = 0;
};

class BusyPipes final : public EachInstruction {
 public:
  using EachInstruction::EachInstruction;
  void restart() override { wave_.clear(); }
  void commit() {
    for (const auto& [rank, from, to] : wave_) busy_[rank].add(from, to);
  }
  /// From here on busy(r) is that of ranks 0 to r together.
  void settle() {
    for (std::size_t rank = 0; rank < busy_.size(); ++rank) {
      if (rank > 0) busy_[rank].add(busy_[rank - 1]);
      busy_[rank].settle();
    }
  }
  /// Of ranks above `rank`, and of `rank` itself when `same`.
  [[nodiscard]] std::int64_t hidden(std::size_t rank, bool same, std::int64_t from,
                                    std::int64_t to) const {
    const std::size_t ranks = std::min(same ? rank + 1 : rank, busy_.size());
    return ranks == 0 ? 0 : busy_[ranks - 1].within(from, to);
  }

 private:
  void see(const WaveInstruction& now, std::uint32_t /*row*/, std::size_t rank,
           std::int64_t /*idle_from*/, std::int64_t end) override {
    const std::int64_t issue = now.time + static_cast<std::int64_t>(now.stall);
    if (rank == kOtherRank || end <= issue) return;
    wave_.push_back({rank, issue, end});
    if (rank == kMatrixRank) wave_.push_back({kValuRank, issue, issue + (end - issue) * 3 / 4});
  }

  struct Busy {
    std::size_t rank;
    std::int64_t from, to;
  };
  std::vector<Busy> wave_;
  std::array<BusyTimes, kOtherRank> busy_;
};

class HiddenSum final : public EachInstruction {
 public:
  HiddenSum(const CodeTable& code, const BusyPipes& busy, HiddenFacts& facts)
      : EachInstruction(code), busy_(busy), facts_(facts) {}

 private:
  void see(const WaveInstruction& now, std::uint32_t row, std::size_t rank, std::int64_t idle_from,
           std::int64_t end) override {
    const std::int64_t issue = now.time + static_cast<std::int64_t>(now.stall);
    const auto add = [](HiddenCycles& sum, std::int64_t all, std::int64_t hidden) {
      // A damaged trace may have gaps whose sum no number holds.
      constexpr std::int64_t kLongest = std::int64_t{1} << 40;
      const std::int64_t cycles = std::clamp<std::int64_t>(all, 0, kLongest);
      sum.all += static_cast<std::uint64_t>(cycles);
      sum.hidden += static_cast<std::uint64_t>(std::clamp<std::int64_t>(hidden, 0, cycles));
    };
    const std::int64_t idle_hidden = busy_.hidden(rank, true, idle_from, now.time),
                       stall_hidden = busy_.hidden(rank, true, now.time, issue);
    add(facts_.idle, now.time - idle_from, idle_hidden);
    add(facts_.stall, issue - now.time, stall_hidden);
    add(facts_.issue, end - issue, busy_.hidden(rank, false, issue, end));
    if (row != CodeTable::kNone)
      add(facts_.rows[row], issue - idle_from, idle_hidden + stall_hidden);
  }

  const BusyPipes& busy_;
  HiddenFacts& facts_;
};

}  // namespace

void BusyTimes::add(std::int64_t from, std::int64_t to) {
  if (to <= from) return;
  intervals_.emplace_back(from, to);
  // Merging now and then keeps long traces small.
  constexpr std::size_t kMany = std::size_t{1} << 18;
  if (intervals_.size() > 2 * settled_ + kMany) settle();
}

void BusyTimes::add(const BusyTimes& other) {
  for (const auto& [from, to] : other.intervals_) add(from, to);
}

void BusyTimes::settle() {
  std::ranges::sort(intervals_);
  std::size_t kept = 0;
  for (const auto& [from, to] : intervals_) {
    if (kept > 0 && from <= intervals_[kept - 1].second) {
      intervals_[kept - 1].second = std::max(intervals_[kept - 1].second, to);
    } else {
      intervals_[kept++] = {from, to};
    }
  }
  intervals_.resize(kept);
  settled_ = kept;
  sums_.clear();
  std::int64_t sum = 0;
  for (const auto& [from, to] : intervals_) {
    sums_.push_back(sum);
    sum += to - from;
  }
}

std::int64_t BusyTimes::before(std::int64_t time) const {
  const auto next =
      std::ranges::lower_bound(intervals_, time, {}, &std::pair<std::int64_t, std::int64_t>::first);
  if (next == intervals_.begin()) return 0;
  const auto last = next - 1;
  return sums_[static_cast<std::size_t>(last - intervals_.begin())] + std::min(time, last->second) -
         last->first;
}

std::int64_t BusyTimes::within(std::int64_t from, std::int64_t to) const {
  return to <= from ? 0 : before(to) - before(from);
}

Result<HiddenFacts> hidden_cycles(const ThreadTrace& trace, const Monitor& monitor) {
  HiddenFacts facts;
  facts.rows.resize(trace.code.rows.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<const WaveFile*>> simds;
  for (const WaveFile& wave : trace.manifest.waves) simds[{wave.se, wave.simd}].push_back(&wave);
  WaveBuffers buffers;
  std::size_t lost = 0, seen = 0;
  for (auto& [simd, waves] : simds) {
    BusyPipes busy(trace.code);
    std::vector<const WaveFile*> whole;
    for (const WaveFile* wave : waves) {
      TRY(interrupt::check());
      monitor.report("reading waves", ++seen, trace.manifest.waves.size());
      const auto reading = read_wave(trace.path_of(*wave), busy, buffers);
      if (reading) {
        busy.commit();
        whole.push_back(wave);
      } else if (lost++ < 20) {
        facts.notes.push_back(reading.error().message + "; this wave is left out");
      }
    }
    busy.settle();
    HiddenSum sum(trace.code, busy, facts);
    for (const WaveFile* wave : whole) {
      TRY(interrupt::check());
      if (read_wave(trace.path_of(*wave), sum, buffers)) ++facts.waves;
    }
  }
  return facts;
}

}  // namespace rpl::att
