// SPDX-License-Identifier: MIT
#include "engine/device/cycle/counterfactual.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "engine/device/cycle/spread_work.h"
#include "engine/isa/traits/architecture.h"

namespace rpl::cycle {
namespace {

/// Of the lines of a wave, in no order.
std::uint64_t distinct(std::vector<std::uint64_t>& lines) {
  std::ranges::sort(lines);
  return static_cast<std::uint64_t>(
      std::distance(lines.begin(), std::ranges::unique(lines).begin()));
}

/// A step with the lines that it touches, while a stream is written again.
struct Access {
  const Operation* op = nullptr;
  const OperationKind* kind = nullptr;
  Step step;
  bool has_lines = false;
  AccessHead head;
  std::vector<std::uint64_t> lines;
};

/// What a wave did before, for ideals that look back.
struct History {
  /// How often the same lines were asked for, by the first of them and how many, whatever instruction asked.
  std::map<std::pair<std::uint64_t, std::size_t>, std::uint32_t> asked;
  std::map<std::pair<std::uint64_t, std::size_t>, std::uint32_t> stored;  ///< the same of stores
  /// By the first line and the head, the stores that there were.
  std::set<std::pair<std::uint64_t, std::uint64_t>> written;
  /// Executions to leave out: of vector instructions, loads, stores, LDS, scalar instructions.
  std::array<double, 5> owed{};
  double lanes = 1;  ///< share of the lanes that the last vector instruction had on
};

class Changed {
 public:
  Changed(const Question& question, std::span<const Ideal> wanted)
      : from_(question.record),
        p_(question.parameters),
        operations_(question.operations),
        kinds_(question.kinds),
        facts_(question.facts),
        counts_(question.counts),
        before_(operations_.size()),
        after_(operations_.size()) {
    for (const Ideal one : wanted) wanted_[static_cast<std::size_t>(one)] = true;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (from_.instructions[i].starts_with("v_")) filled_ = std::max(filled_, counts_[i].lanes);
    }
    if (filled_ <= 0) filled_ = 1;
    double products = 0, feeds = 0;
    for (const OperationFacts& facts : facts_) {
      products += static_cast<double>(facts.products);
      feeds += static_cast<double>(facts.feeds);
    }
    if (feeds > 0) uses_ = 2 * products / feeds;
  }

  Result<std::uint64_t> cycles();

 private:
  [[nodiscard]] bool is(Ideal one) const { return wanted_[static_cast<std::size_t>(one)]; }
  [[nodiscard]] bool changes_steps() const;
  /// Whether some lanes are off in all instructions.
  [[nodiscard]] bool never_used() const {
    constexpr double kFull = 0.95;
    return filled_ < kFull;
  }
  bool keeps(Access& access, History& history) const;
  [[nodiscard]] std::uint32_t parts_of(const Access& access) const;
  [[nodiscard]] bool keeps_load(const Access& access, std::uint32_t before) const;
  [[nodiscard]] bool joins(const Access& access, std::uint32_t before) const;
  [[nodiscard]] std::size_t least_lines(const Access& access) const;
  void coalesce(Access& access, std::uint32_t before) const;
  [[nodiscard]] bool is_free(const Access& access) const;
  [[nodiscard]] double share_left_out(const Access& access, const History& history) const;
  [[nodiscard]] double matrix_gain(const Operation& op, ProductType type) const;
  std::unique_ptr<WaveStream> stream(const WaveStream& from);
  [[nodiscard]] bool takes_pieces(std::size_t operation) const;
  void change_counts(LaunchRecord& out) const;
  static void join_dies(LaunchRecord& out);
  void relax_waits(LaunchRecord& out) const;
  void change_parameters(Parameters& out) const;
  void fill_waves(LaunchRecord& out) const;

  const LaunchRecord& from_;
  const Parameters& p_;
  std::span<const Operation> operations_;
  std::span<const OperationKind> kinds_;
  std::span<const OperationFacts> facts_;
  std::span<const OperationCounts> counts_;
  std::array<bool, kIdeals> wanted_{};
  std::vector<std::uint64_t> before_, after_;  ///< lines of the kept waves, by operation
  std::uint64_t distinct_before_ = 0, distinct_after_ = 0;  ///< of each wave, whoever asks
  double uses_ = 1;    ///< products that a loaded factor goes into
  double filled_ = 0;  ///< the most lanes that any vector instruction has on: others are never used
};

bool Changed::changes_steps() const {
  constexpr Ideal kSteps[] = {Ideal::coalesced_loads,     Ideal::coalesced_stores,
                              Ideal::wide_loads,          Ideal::wide_stores,
                              Ideal::reused_loads,        Ideal::reused_stores,
                              Ideal::aligned_accesses,    Ideal::matrix_units,
                              Ideal::exact_waits,         Ideal::no_bank_conflicts,
                              Ideal::no_spills,           Ideal::no_scratch_lines,
                              Ideal::all_lanes,           Ideal::fewer_scalars,
                              Ideal::free_barriers,       Ideal::own_lines_for_atomics,
                              Ideal::no_division,         Ideal::no_conversions,
                              Ideal::no_double_precision, Ideal::no_transcendentals,
                              Ideal::no_addressing,       Ideal::no_accumulator_moves};
  return std::ranges::any_of(kSteps, [&](Ideal one) { return is(one); });
}

/// Accesses that it takes to ask for all bytes of these lines. Of lines side by side one is touched for the sake of those that begin beside its boundary: what asks for them again
/// from a few elements further on wants the same bytes, not others.
std::uint32_t Changed::parts_of(const Access& access) const {
  const double bytes = access.kind->bytes * isa::kWaveSize * counts_[access.step.operation].lanes;
  if (bytes <= 0) return 1;
  std::size_t filled = access.lines.size();
  for (std::size_t i = 1; i < access.lines.size(); ++i) {
    const bool goes_on = access.lines[i] == access.lines[i - 1] + 1;
    const bool ends = i + 1 == access.lines.size() || access.lines[i + 1] != access.lines[i] + 1;
    if (goes_on && ends) --filled;
  }
  return std::max(
      1U, static_cast<std::uint32_t>(std::ceil(static_cast<double>(filled) * p_.l1_line / bytes)));
}

/// Loads of lines that the wave has asked for `before` times: of other parts of them, or again.
bool Changed::keeps_load(const Access& access, std::uint32_t before) const {
  if (before == 0) return true;
  if (before >= parts_of(access)) return !is(Ideal::reused_loads);
  return !is(Ideal::wide_loads) || !joins(access, before);
}

/// Whether it is of the same 16 bytes of each lane as one of the `before` others of these lines.
bool Changed::joins(const Access& access, std::uint32_t before) const {
  constexpr std::uint32_t kWidest = 16;
  return before % std::max(1U, kWidest / std::max(1U, access.kind->bytes)) != 0;
}

/// Lines that the bytes of its lanes fill.
std::size_t Changed::least_lines(const Access& access) const {
  const double bytes = access.kind->bytes * isa::kWaveSize * counts_[access.step.operation].lanes;
  return std::max<std::size_t>(
      1, static_cast<std::size_t>(std::ceil(bytes / std::max(1U, p_.l1_line))));
}

/// Lanes that walk along lines of their own come to each part of them: all lines are needed in the end, each once.
void Changed::coalesce(Access& access, std::uint32_t before) const {
  const std::size_t least = least_lines(access);
  if (access.lines.size() > least) {
    const std::size_t first = before * least % access.lines.size();
    const std::size_t last = std::min(first + least, access.lines.size());
    access.lines = {access.lines.begin() + static_cast<std::ptrdiff_t>(first),
                    access.lines.begin() + static_cast<std::ptrdiff_t>(last)};
    access.head.lines = static_cast<std::uint16_t>(access.lines.size());
    access.head.partial = 0;
  }
  if (access.kind->load) access.head.requests = 0;
}

/// Whether an instruction that was free is left out.
bool Changed::is_free(const Access& access) const {
  const OperationKind& kind = *access.kind;
  const bool to_double =
      kind.conversion || (kind.double_precision && access.op->unit == Unit::transcendental);
  return (is(Ideal::no_spills) && kind.scratch) || (is(Ideal::free_barriers) && kind.barrier) ||
         (is(Ideal::no_scratch_lines) && kind.beside_scratch) ||
         (is(Ideal::no_division) && kind.division) ||
         (is(Ideal::no_conversions) && kind.conversion) ||
         (is(Ideal::no_double_precision) && to_double) ||
         (is(Ideal::no_addressing) && kind.addressing) ||
         (is(Ideal::no_accumulator_moves) && kind.accumulator_move);
}

/// The part of its time that the matrix unit would save of a multiply-add.
double Changed::matrix_gain(const Operation& op, ProductType type) const {
  constexpr std::array<std::string_view, 5> kNames{"", "f32", "f16", "bf16", "f64"};
  const auto rate = p_.matrix_flops.find(kNames[static_cast<std::size_t>(type)]);
  if (rate == p_.matrix_flops.end()) return 0;
  // Two operations a lane; a packed or mixed instruction that does more is as fast as the matrix unit in less, which is left to it.
  const double vector = 2.0 * isa::kWaveSize / op.issue * p_.simds;
  return std::max(0.0, 1 - vector / rate->second);
}

/// A function of double precision takes about twice the instructions of that of float: more terms, more correction. Arithmetic takes as many in both.
constexpr double kDoubleIsLonger = 0.5;

/// Of the instructions of an accurate function (expf, sinf, powf), those that the fast variant or a few multiplications do without.
constexpr double kFastVariant = 0.85;

bool is_scalar(const Operation& op) { return op.unit == Unit::salu || op.unit == Unit::branch; }

/// The share of an instruction's executions that an ideal takes away.
double Changed::share_left_out(const Access& access, const History& history) const {
  const OperationKind& kind = *access.kind;
  if (is(Ideal::no_transcendentals) && kind.function && !kind.double_precision) return kFastVariant;
  // So many fewer of them take as long as all at the usual rate.
  if (is(Ideal::no_transcendentals) && kind.transcendental && p_.transcendental > p_.issue)
    return 1 - static_cast<double>(p_.issue) / p_.transcendental;
  if (is(Ideal::no_double_precision) && kind.double_precision && kind.function)
    return kDoubleIsLonger;
  const OperationFacts& facts = facts_[access.step.operation];
  const auto of_executed = [&](std::uint64_t some) {
    return static_cast<double>(some) / static_cast<double>(facts.executed);
  };
  if (is(Ideal::matrix_units) && facts.products > 0)
    return matrix_gain(*access.op, facts.type) * of_executed(facts.products);
  // A matrix instruction of 16 by 16 uses each factor 16 times.
  constexpr double kUses = 16;
  if (is(Ideal::matrix_units) && kind.lds && facts.feeds > 0)
    return of_executed(facts.feeds) * std::max(0.0, 1 - uses_ / kUses);
  const double lanes = counts_[access.step.operation].lanes;
  const bool has_lanes = access.op->unit == Unit::valu || access.op->unit == Unit::transcendental ||
                         kind.load || kind.store || kind.lds;
  // Loops and branches of a way that few lanes walk are walked once for all; a loop that lanes leave one after the other is gone through as often as its last one needs.
  if (is_scalar(*access.op) &&
      (is(Ideal::fewer_scalars) || (is(Ideal::all_lanes) && !kind.leaving)))
    return std::max(0.0, 1 - history.lanes / filled_);
  return is(Ideal::all_lanes) && has_lanes && lanes > 0 && lanes < filled_ ? 1 - lanes / filled_
                                                                           : 0;
}

bool Changed::keeps(Access& access, History& history) const {
  if (is_free(access)) return false;
  const OperationKind& kind = *access.kind;
  const double lanes = counts_[access.step.operation].lanes;
  if (access.op->unit == Unit::valu && lanes > 0) history.lanes = lanes;
  if (kind.restores_lanes) history.lanes = filled_;
  if (const double share = share_left_out(access, history); share > 0) {
    double& owed = history.owed[kind.load               ? 1
                                : kind.store            ? 2
                                : kind.lds              ? 3
                                : is_scalar(*access.op) ? 4
                                                        : 0];
    owed += share;
    if (owed >= 1) {
      owed -= 1;
      return false;
    }
  }
  if (is(Ideal::no_bank_conflicts) && kind.lds && access.step.detail != kAssumed)
    access.step.detail = 0;
  if (is(Ideal::own_lines_for_atomics) && kind.atomic) access.head.detail = 0;
  const bool coalesces =
      (kind.load && is(Ideal::coalesced_loads)) || (kind.store && is(Ideal::coalesced_stores));
  const bool looks_back = kind.load && (is(Ideal::wide_loads) || is(Ideal::reused_loads));
  if (access.lines.empty()) return true;
  if (kind.store && is(Ideal::wide_stores)) {
    const std::uint32_t before = history.stored[{access.lines.front(), access.lines.size()}]++;
    if (before < parts_of(access) && joins(access, before)) return false;
    access.head.partial = 0;
  }
  if (kind.store && is(Ideal::reused_stores))
    return history.written.emplace(access.lines.front(), access.head.packed()).second;
  if ((kind.load || kind.store) && is(Ideal::aligned_accesses) && access.head.detail != 0 &&
      access.lines.size() == least_lines(access) + 1 &&
      access.lines.back() - access.lines.front() + 1 == access.lines.size())
    coalesce(access, 0);
  if (!(coalesces || looks_back)) return true;
  const std::uint32_t before = history.asked[{access.lines.front(), access.lines.size()}]++;
  // What is in order now is loaded a line after the other, and no line piece by piece.
  const bool in_order = coalesces && access.lines.size() > least_lines(access);
  const bool keep =
      !looks_back || keeps_load(access, before) || (in_order && before < parts_of(access));
  if (coalesces) coalesce(access, before);
  return keep;
}

std::unique_ptr<WaveStream> Changed::stream(const WaveStream& from) {
  auto out = std::make_unique<WaveStream>();
  History history;
  Access access;
  std::vector<std::uint64_t> were, are;
  std::vector<std::pair<std::uint32_t, Step>> later;  // waits, and after how many steps
  for (const Step& step : from.steps) {
    std::erase_if(later, [&](auto& one) {
      if (one.first-- > 0) return false;
      out->steps.push_back(one.second);
      return true;
    });
    if (is(Ideal::exact_waits) && facts_[step.operation].is_strict() &&
        facts_[step.operation].early > 0) {
      later.emplace_back(facts_[step.operation].early, step);
      continue;
    }
    access.step = step;
    access.op = &operations_[step.operation];
    access.kind = &kinds_[step.operation];
    const bool memory = access.op->unit == Unit::vmem || access.op->unit == Unit::smem;
    access.has_lines =
        memory && step.detail != 0 && step.detail != kAssumed && step.detail <= from.lines.size();
    access.head = {};
    access.lines.clear();
    if (access.has_lines) {
      access.head = AccessHead::of(from.lines[step.detail - 1]);
      const auto count = std::min<std::size_t>(access.head.lines, from.lines.size() - step.detail);
      access.lines.assign(from.lines.begin() + step.detail,
                          from.lines.begin() + step.detail + static_cast<std::ptrdiff_t>(count));
      before_[step.operation] += count;
      were.insert(were.end(), access.lines.begin(), access.lines.end());
    }
    if (!keeps(access, history)) continue;
    if (access.has_lines) {
      access.step.detail = static_cast<std::uint32_t>(out->lines.size() + 1);
      out->lines.push_back(access.head.packed());
      out->lines.insert(out->lines.end(), access.lines.begin(), access.lines.end());
      after_[step.operation] += access.lines.size();
      are.insert(are.end(), access.lines.begin(), access.lines.end());
    }
    out->steps.push_back(access.step);
  }
  distinct_before_ += distinct(were);
  distinct_after_ += distinct(are);
  const double left = from.steps.empty() ? 1
                                         : static_cast<double>(out->steps.size()) /
                                               static_cast<double>(from.steps.size());
  out->executed = std::max<std::uint64_t>(
      out->steps.size(),
      static_cast<std::uint64_t>(std::llround(static_cast<double>(from.executed) * left)));
  return out;
}

/// Whether waves with lanes that are never used take rows of an eighth to a half of a line: the rest of it is for their neighbours, of which there are fewer with full waves.
bool Changed::takes_pieces(std::size_t operation) const {
  constexpr double kPiece = 0.125, kHalf = 0.5;
  const double bytes = static_cast<double>(facts_[operation].executed) * kinds_[operation].bytes *
                       isa::kWaveSize * counts_[operation].lanes;
  const double filled =
      bytes / (static_cast<double>(before_[operation]) * std::max(1U, p_.l1_line));
  return never_used() && filled >= kPiece && filled < kHalf;
}

/// What the whole launch moves, in proportion to what the kept waves do.
void Changed::change_counts(LaunchRecord& out) const {
  TrafficCounts& traffic = out.traffic;
  std::array<double, 2> was{}, is_now{};  // of loads, of stores
  for (std::size_t i = 0; i < traffic.rows.size() && i < before_.size(); ++i) {
    TrafficCounts::Row& row = traffic.rows[i];
    if (before_[i] == 0) continue;
    const double share = static_cast<double>(after_[i]) / static_cast<double>(before_[i]) *
                         (is(Ideal::all_lanes) && takes_pieces(i) ? filled_ : 1);
    const std::size_t side = row.stores ? 1 : 0;
    // Bytes that lanes ask for have to be moved, however they lie.
    const double moved = static_cast<double>(row.missing) * traffic.line;
    const double needed = moved > 0 ? std::min(1.0, counts_[i].bytes / moved) : 1;
    was[side] += static_cast<double>(row.missing);
    // Lines that are loaded again are mostly found in the L2: only fewer distinct ones mean less traffic behind it.
    is_now[side] +=
        static_cast<double>(row.missing) * (is(Ideal::no_spills) ? share : std::max(share, needed));
    // Dies that no longer share lines of which each takes a part have none of another.
    row.elsewhere =
        static_cast<std::uint64_t>(static_cast<double>(row.elsewhere) * std::max(share, needed));
  }
  const auto scaled = [](std::uint64_t& value, double now, double before) {
    if (before > 0) value = static_cast<std::uint64_t>(static_cast<double>(value) * now / before);
  };
  scaled(traffic.read_lines, is_now[0], was[0]);
  scaled(traffic.written_lines, is_now[1], was[1]);
  scaled(traffic.written_back, is_now[1], was[1]);
  scaled(traffic.busiest_channel, is_now[0] + is_now[1], was[0] + was[1]);
  // A channel of the L2 counts a line once for each workgroup: those that its waves ask for no more are gone, whether the L2 has them or not.
  scaled(traffic.busiest_l2_channel, static_cast<double>(distinct_after_),
         static_cast<double>(distinct_before_));
}

/// What another die's L2 had is found in the own.
void Changed::join_dies(LaunchRecord& out) {
  std::uint64_t elsewhere = 0;
  for (TrafficCounts::Row& row : out.traffic.rows) {
    elsewhere += row.elsewhere;
    row.in_l2 += std::min(row.elsewhere, row.first - std::min(row.first, row.in_l2));
  }
  out.traffic.read_lines -= std::min(out.traffic.read_lines, elsewhere);
}

void Changed::relax_waits(LaunchRecord& out) const {
  constexpr std::uint8_t kMost = 63;
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    if (facts_[i].enough != Operation::kNoWait)
      out.instructions[i] = with_wait(out.instructions[i], std::min(facts_[i].enough, kMost));
  }
}

void Changed::change_parameters(Parameters& out) const {
  if (is(Ideal::no_latency))
    out.l1_latency = out.l2_latency = out.mall_latency = out.hbm_latency = out.scalar_latency =
        out.store_latency = 0;
  if (is(Ideal::no_lds_latency)) out.lds_latency = 0;
  if (is(Ideal::no_launch)) out.launch = out.drain = 0;
  if (is(Ideal::large_workgroups)) {
    out.workgroup_launch = 0;
    out.wave_launch = 0;
  }
  if (is(Ideal::own_lines_for_atomics)) out.atomic = 0;
  if (is(Ideal::even_channels)) {
    out.l2_channel = 0;
    out.channel_bandwidth = 0;
  }
}

/// Lanes that are never used: with full waves there are fewer of them.
void Changed::fill_waves(LaunchRecord& out) const {
  if (!never_used()) return;
  const auto fewer = [&](std::uint64_t many) {
    return std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::ceil(static_cast<double>(many) * filled_)));
  };
  out.workgroups = static_cast<std::uint32_t>(fewer(out.workgroups));
  const std::uint64_t of_unit = fewer((from_.workgroups + out.by_unit.size() - 1) /
                                      std::max<std::size_t>(1, out.by_unit.size()));
  if (out.kept.size() > of_unit) out.kept.resize(of_unit);
  for (std::uint64_t& one : out.by_unit) one = fewer(one);
  for (LaunchRecord::Equal& some : out.by_workgroup) some.workgroups = fewer(some.workgroups);
}

Result<std::uint64_t> Changed::cycles() {
  LaunchRecord out;
  out.gpu = from_.gpu;
  out.instructions = from_.instructions;
  out.matrix_passes = from_.matrix_passes;
  out.workgroups = from_.workgroups;
  out.waves = from_.waves;
  out.vgprs = is(Ideal::unlimited_registers) ? 1 : from_.vgprs;
  out.lds_bytes = is(Ideal::unlimited_lds) ? 0 : from_.lds_bytes;
  out.by_unit = from_.by_unit;
  out.traffic = from_.traffic;
  out.by_workgroup = from_.by_workgroup;
  const bool steps = changes_steps();
  for (const auto& workgroup : from_.kept) {
    auto& copy = out.kept.emplace_back();
    for (const auto& wave : workgroup)
      copy.push_back(steps ? stream(*wave) : std::make_unique<WaveStream>(*wave));
  }
  if (steps) change_counts(out);
  if (is(Ideal::one_die)) join_dies(out);
  if (is(Ideal::exact_waits)) relax_waits(out);
  if (is(Ideal::unlimited_registers) || is(Ideal::unlimited_lds)) fill_rounds(p_, out);
  if (is(Ideal::balanced_workgroups)) level(out);
  if (is(Ideal::all_lanes)) fill_waves(out);
  if (is(Ideal::own_lines_for_atomics)) out.traffic.hottest_line = 0;
  Parameters p = p_;
  change_parameters(p);
  const LaunchTime timed = TRY(time_launch(out, p, false));
  if (!is(Ideal::whole_device)) return timed.cycles;
  // A part of the device works; with all of it the same work takes that part of the time.
  const double slots = static_cast<double>(p.compute_units) * p.simds;
  const double used = std::min(slots, static_cast<double>(out.workgroups) * out.waves);
  const double fixed = static_cast<double>(p.launch) + p.drain;
  return static_cast<std::uint64_t>(
      std::llround(fixed + (static_cast<double>(timed.cycles) - fixed) * used / slots));
}

}  // namespace

Result<std::uint64_t> cycles_with(const Question& question, std::span<const Ideal> ideal) {
  return Changed(question, ideal).cycles();
}

Result<std::vector<Counterfactual>> counterfactuals(const Question& question) {
  const auto matters = could_matter(question);
  std::vector<Counterfactual> out;
  for (const IdealInfo& one : ideals()) {
    if (!matters[static_cast<std::size_t>(one.ideal)]) continue;
    const Ideal wanted[] = {one.ideal};
    const std::uint64_t cycles = TRY(cycles_with(question, wanted));
    out.push_back({.ideal = one.ideal, .cycles = cycles});
  }
  return out;
}

}  // namespace rpl::cycle
