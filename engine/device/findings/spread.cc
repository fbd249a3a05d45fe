// SPDX-License-Identifier: MIT
// How work is spread over workgroups and waves, and what they touch over addresses, in which order.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/device/findings/measures.h"
#include "engine/isa/traits/architecture.h"

namespace rpl::findings {
namespace {

/// Of the lines between the first and the last, those that are wanted: fewer are rows that lie apart.
constexpr double kDense = 0.5;

/// Of the loads of the waves that were kept; of the waves that the device could hold.
constexpr double kMostLoads = 0.5, kFewWaves = 0.5;

double part_of(double part, double all) { return all > 0 ? part / all : 0; }

}  // namespace

/// How far the work of workgroups lies from their mean, in the root mean square; or by how much the longest wave of those that were kept is longer than the mean of its
/// workgroup, in the mean.
double Measures::imbalance() const {
  double workgroups = 0, sum = 0, squares = 0;
  for (const auto& some : record_.by_workgroup) {
    const auto many = static_cast<double>(some.workgroups),
               work = static_cast<double>(some.instructions);
    workgroups += many;
    sum += many * work;
    squares += many * work * work;
  }
  const double mean = part_of(sum, workgroups);
  const double between =
      mean > 0 ? std::sqrt(std::max(0.0, squares / workgroups - mean * mean)) / mean : 0;
  double longest = 0, usual = 0;
  for (const auto& workgroup : record_.kept) {
    std::uint64_t most = 0, all = 0;
    for (const auto& wave : workgroup) {
      most = std::max(most, wave->executed);
      all += wave->executed;
    }
    longest += static_cast<double>(most);
    usual += part_of(static_cast<double>(all), static_cast<double>(workgroup.size()));
  }
  // Waves that have nothing to do between two barriers close to each other cannot be given any of it.
  const double within = usual > 0 && !has_dense_barriers() ? longest / usual - 1 : 0;
  return std::max(between, within);
}

/// Of what the device could hold at once.
bool Measures::has_few_waves() const {
  const double room = static_cast<double>(p_.compute_units) * p_.simds * p_.waves_per_simd;
  return static_cast<double>(executed_.counts.waves) < kFewWaves * room;
}

/// Whether several multiply-adds of a product of matrices lie between two barriers: a tile, and no step of something that goes on from one barrier to the next.
bool Measures::computes_tiles() const {
  constexpr double kSeveral = 2;
  double products = 0, barriers = 0;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    products += static_cast<double>(facts_[i].products);
    barriers += kinds_[i].barrier ? static_cast<double>(facts_[i].executed) : 0;
  }
  return products >= kSeveral * barriers;
}

/// Whether waves do most of their loads behind a barrier, which holds them back with it.
bool Measures::loads_behind_barriers() const {
  double loads = 0, behind = 0;
  for (const auto& workgroup : record_.kept) {
    for (const auto& wave : workgroup) {
      bool passed = false;
      for (const cycle::Step& step : wave->steps) {
        passed |= kinds_[step.operation].barrier;
        if (!kinds_[step.operation].load) continue;
        ++loads;
        behind += passed ? 1 : 0;
      }
    }
  }
  return part_of(behind, loads) >= kMostLoads;
}

/// Whether most loads of a wave are of lines that it has loaded before, by this instruction or another.
bool Measures::repeats_most_loads() const {
  double loads = 0, again = 0;
  for (const auto& workgroup : record_.kept) {
    for (const auto& wave : workgroup) {
      std::set<std::pair<std::uint64_t, std::size_t>> before;
      for (const cycle::Step& step : wave->steps) {
        if (!kinds_[step.operation].load) continue;
        if (step.detail == 0 || step.detail >= wave->lines.size()) continue;
        const auto head = cycle::AccessHead::of(wave->lines[step.detail - 1]);
        ++loads;
        again += before.emplace(wave->lines[step.detail], head.lines).second ? 0 : 1;
      }
    }
  }
  return part_of(again, loads) >= kMostLoads;
}

/// Of the lines that the kept waves asked for first with each instruction, those of instructions that leave most lines out, within a workgroup or from one workgroup
/// to the next: rows that lie apart. Workgroups that walk along an array side by side leave none out, and no padding helps them.
double Measures::lines_apart() const {
  std::vector<std::vector<std::set<std::uint64_t>>> first(kinds_.size());
  for (const auto& workgroup : record_.kept) {
    for (auto& spans : first) spans.emplace_back();
    for (const auto& wave : workgroup) {
      std::vector<bool> seen(kinds_.size());
      for (const cycle::Step& step : wave->steps) {
        if (!(kinds_[step.operation].load || kinds_[step.operation].store)) continue;
        if (seen[step.operation] || step.detail == 0 || step.detail >= wave->lines.size()) continue;
        seen[step.operation] = true;
        const auto head = cycle::AccessHead::of(wave->lines[step.detail - 1]);
        for (std::size_t k = 0; k < head.lines && step.detail + k < wave->lines.size(); ++k)
          first[step.operation].back().insert(wave->lines[step.detail + k]);
      }
    }
  }
  double apart = 0, all = 0;
  const auto units = static_cast<double>(std::max<std::size_t>(1, record_.by_unit.size()));
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const auto lines = static_cast<double>(row(i).lines);
    double wanted = 0, between = 0, step = 0;
    const std::set<std::uint64_t>* before = nullptr;
    std::size_t steps = 0;
    for (const auto& lines_of_one : first[i]) {
      if (lines_of_one.empty()) continue;
      wanted += static_cast<double>(lines_of_one.size());
      between += static_cast<double>(*lines_of_one.rbegin() - *lines_of_one.begin() + 1);
      if (before != nullptr && *lines_of_one.begin() > *before->begin()) {
        step += static_cast<double>(*lines_of_one.begin() - *before->begin()) / units;
        ++steps;
      }
      before = &lines_of_one;
    }
    if (wanted == 0) continue;
    all += lines;
    const double of_one = wanted / static_cast<double>(first[i].size());
    const bool is_apart = wanted < kDense * between ||
                          (steps > 0 && of_one < kDense * step / static_cast<double>(steps));
    if (is_apart) apart += lines;
  }
  return part_of(apart, all);
}

/// A loop at whose end lanes that are done are switched off, until none is left (SILowerControlFlow): what a turn takes is not done for each of them by full waves alone.
/// Steps between barriers close to each other are gone through by all waves, whoever has something to do.
void Measures::mark_loops_left_by_lanes() {
  for (cycle::OperationKind& kind : kinds_) kind.leaving = has_dense_barriers();
  constexpr std::size_t kNear = 4;  // between the mask and its branch stands little
  const auto& ops = executed_.program->ops;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (!record_.instructions[i].starts_with("s_cbranch_exec") || ops[i].target > i) continue;
    bool leaves = false;
    for (std::size_t k = i; k-- > 0 && k + kNear >= i;)
      leaves |= record_.instructions[k].starts_with("s_andn2_b64 exec");
    for (std::size_t k = ops[i].target; leaves && k <= i; ++k) kinds_[k].leaving = true;
  }
}

/// Whether most lanes that are off have left a loop before the others, and did not go another way.
bool Measures::leaves_loops_mostly() const {
  constexpr double kMost = 0.5;
  const double left =
      sum_of([&](std::size_t i) { return kinds_[i].leaving ? score(Cause::divergence, i) : 0; });
  return left >= kMost * sum(Cause::divergence);
}

/// Whether most loads of lines that a wave has loaded before begin elsewhere in them and fill them: windows that lanes share. They can be kept in the LDS, which is read as often; in
/// registers only what each lane loads again itself, or what all load alike.
bool Measures::slides_over_lines() const {
  double again = 0, slides = 0;
  for (const auto& workgroup : record_.kept) {
    for (const auto& wave : workgroup) {
      std::map<std::uint64_t, std::uint16_t>
          begins;  // where in it the last one did, by the first line
      for (const cycle::Step& step : wave->steps) {
        if (!kinds_[step.operation].load) continue;
        if (step.detail == 0 || step.detail >= wave->lines.size()) continue;
        const auto head = cycle::AccessHead::of(wave->lines[step.detail - 1]);
        const auto [before, is_new] = begins.try_emplace(wave->lines[step.detail], head.detail);
        if (!is_new) {
          const double fills = kinds_[step.operation].bytes * isa::kWaveSize *
                               counts_[step.operation].lanes / std::max(1U, p_.l1_line);
          ++again;
          slides += before->second != head.detail && head.lines >= fills ? 1 : 0;
          before->second = head.detail;
        }
      }
    }
  }
  return again > 0 && part_of(slides, again) >= kMostLoads;
}

void Measures::find_far(std::span<const FarMemory> far) {
  for (auto* one : {&touched_, &in_host_, &in_managed_}) one->assign(kinds_.size(), 0);
  if (far.empty()) return;
  const std::uint64_t bytes = std::max(1U, record_.traffic.line);
  for (const auto& workgroup : record_.kept) {
    for (const auto& wave : workgroup) {
      for (const cycle::Step& step : wave->steps) {
        const auto& kind = kinds_[step.operation];
        if (!(kind.load || kind.store || kind.atomic)) continue;
        if (step.detail == 0 || step.detail >= wave->lines.size()) continue;
        const auto head = cycle::AccessHead::of(wave->lines[step.detail - 1]);
        touched_[step.operation] += head.lines;
        const std::uint64_t at = wave->lines[step.detail] * bytes;
        const auto in = std::ranges::find_if(
            far, [&](const FarMemory& one) { return at + bytes > one.begin && at < one.end; });
        if (in == far.end()) continue;
        (in->managed ? in_managed_ : in_host_)[step.operation] += head.lines;
      }
    }
  }
}

}  // namespace rpl::findings
