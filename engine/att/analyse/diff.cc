// SPDX-License-Identifier: MIT
#include "engine/att/analyse/diff.h"

#include <fmt/format.h>

#include <algorithm>

namespace rpl::att {
namespace {

/// Waves by which cycles are divided: the listed ones, else the executions of s_endpgm.
double waves_of(const ThreadTrace& trace) {
  if (!trace.manifest.waves.empty()) return static_cast<double>(trace.manifest.waves.size());
  std::uint64_t ends = 0;
  for (const Instruction& row : trace.code.rows) ends += row.traits.end ? row.hit : 0;
  return static_cast<double>(ends);
}

/// Instructions of functions that ran, with their rows.
struct Executed {
  std::vector<const Instruction*> instructions;
  std::vector<std::uint32_t> rows;
};

Executed executed_rows(const CodeTable& code) {
  Executed out;
  for (std::uint32_t begin = 0; begin < code.rows.size();) {
    std::uint32_t end = begin + 1;
    std::uint64_t hits = code.rows[begin].hit;
    for (; end < code.rows.size() && !code.rows[end].label; ++end) hits += code.rows[end].hit;
    for (std::uint32_t at = begin; at < end && hits > 0; ++at) {
      if (code.rows[at].label) continue;
      out.instructions.push_back(&code.rows[at]);
      out.rows.push_back(at);
    }
    begin = end;
  }
  return out;
}

class DiffBuilder {
 public:
  DiffBuilder(const ThreadTrace& before, const ThreadTrace& after)
      : before_(before),
        after_(after),
        a_(executed_rows(before.code)),
        b_(executed_rows(after.code)) {}

  Result<TraceDiff> build() {
    diff_.before_waves = waves_of(before_);
    diff_.after_waves = waves_of(after_);
    for (const auto& [trace, rows, waves] :
         {std::tuple{&before_, &a_, diff_.before_waves}, {&after_, &b_, diff_.after_waves}}) {
      if (rows->rows.empty() || waves <= 0) {
        return fail(Errc::not_found,
                    fmt::format("{}: no instruction was executed in it", trace->path),
                    "a diff needs the cycles of both builds");
      }
    }
    std::uint32_t i = 0, j = 0;
    for (const auto& [a, b] : align_listings(a_.instructions, b_.instructions)) {
      while (i < a) add_before(i++);
      while (j < b) add_after(j++);
      add_both(i++, j++);
    }
    while (i < a_.rows.size()) add_before(i++);
    while (j < b_.rows.size()) add_after(j++);
    for (const DiffRow& row : diff_.rows) {
      diff_.before_cycles += row.before_cycles;
      diff_.after_cycles += row.after_cycles;
    }
    if (before_.kernel() != after_.kernel())
      diff_.notes.push_back(fmt::format("the kernels have different names: {} and {}",
                                        before_.kernel(), after_.kernel()));
    return std::move(diff_);
  }

 private:
  void count(const Instruction& row, double waves, double sign, double& cycles, double& stall) {
    cycles = static_cast<double>(row.latency + row.idle) / waves;
    stall = static_cast<double>(row.stall) / waves;
    for (const auto& [cause, wave_cycles] : causes_of(row))
      diff_.change_by_cause[cause] += sign * static_cast<double>(wave_cycles) / waves;
  }
  void take_before(std::uint32_t i, DiffRow& row) {
    row.before = a_.rows[i];
    count(*a_.instructions[i], diff_.before_waves, -1, row.before_cycles, row.before_stall);
  }
  void take_after(std::uint32_t j, DiffRow& row) {
    row.after = b_.rows[j];
    count(*b_.instructions[j], diff_.after_waves, 1, row.after_cycles, row.after_stall);
  }
  void add_before(std::uint32_t i) {
    take_before(i, diff_.rows.emplace_back());
    ++diff_.removed;
  }
  void add_after(std::uint32_t j) {
    take_after(j, diff_.rows.emplace_back());
    ++diff_.added;
  }
  void add_both(std::uint32_t i, std::uint32_t j) {
    DiffRow& row = diff_.rows.emplace_back();
    take_before(i, row);
    take_after(j, row);
    ++diff_.matched;
  }

  const ThreadTrace& before_;
  const ThreadTrace& after_;
  Executed a_, b_;
  TraceDiff diff_;
};

}  // namespace

std::map<std::string, std::uint64_t> causes_of(const Instruction& row) {
  std::map<std::string, std::uint64_t> out;
  const auto add = [&](std::string name, std::uint64_t cycles) {
    if (cycles > 0) out[std::move(name)] += cycles;
  };
  add("idle", row.idle);
  add(row.traits.end ? "drain" : "issue", row.latency - row.stall);
  if (row.traits.wait) {
    add("wait " + waited_counters(row.text), row.stall);
  } else if (row.traits.barrier) {
    add("wait barrier", row.stall);
  } else {
    add(fmt::format("stall {}", to_string(row.traits.category)), row.stall);
  }
  return out;
}

Result<TraceDiff> diff_traces(const ThreadTrace& before, const ThreadTrace& after) {
  return DiffBuilder(before, after).build();
}

}  // namespace rpl::att
