// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/regress/comparison.h"

namespace rpl::regress {
namespace {

constexpr std::size_t kLines = 5;
/// Instructions of an excerpt.
constexpr std::size_t kExcerpt = 24;
/// A wave-instruction keeps its SIMD for so many cycles at least.
constexpr std::uint64_t kIssueCycles = 4;

struct OneLine {
  std::uint32_t line = 0;
  std::uint64_t executed = 0, stall = 0;
  std::size_t hottest = 0;     ///< the operation that costs most
  std::uint64_t its_cost = 0;  ///< in wave-cycles
};

std::map<std::string, OneLine> lines_of(const Judged& of) {
  std::map<std::string, OneLine> out;
  const auto read = of.code.object->source_lines();
  if (!read || read->empty()) return out;
  const auto& counts = of.ran.executed.counts.by_instruction;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i].executed == 0) continue;
    const emu::Op& op = of.ran.executed.program->ops[i];
    const auto chain = isa::own_frames(read->chain(op.address));
    std::string name = "code without a line";
    std::uint32_t line = 0;
    if (!chain.empty() && chain.front().line > 0) {
      const std::string& file = chain.front().file;
      line = chain.front().line;
      name = fmt::format("{}:{}", file.substr(file.rfind('/') + 1), line);
    }
    OneLine& into = out[name];
    into.line = line;
    into.executed += counts[i].executed;
    into.stall += counts[i].stall;
    const std::uint64_t cost = counts[i].executed * kIssueCycles + counts[i].stall;
    if (cost > into.its_cost) {
      into.its_cost = cost;
      into.hottest = i;
    }
  }
  return out;
}

/// The code around the operation of a line that costs most, as far as it ran.
std::vector<std::string> excerpt(const Judged& of, const OneLine& line) {
  std::vector<std::string> out;
  if (line.executed == 0) return out;
  const auto& counts = of.ran.executed.counts.by_instruction;
  const auto& ops = of.ran.executed.program->ops;
  const std::size_t from = line.hottest - std::min(line.hottest, kExcerpt / 2);
  for (std::size_t i = from; i < std::min(from + kExcerpt, counts.size()); ++i) {
    if (counts[i].executed > 0)
      out.push_back(fmt::format("{:>10}  {:>10}  {}", counts[i].executed, counts[i].stall,
                                isa::disassemble(of.code.object->arch(), *ops[i].instruction)));
  }
  return out;
}

std::int64_t more_cycles_of_b(const LineCost& line) {
  const auto cost = [](std::uint64_t executed, std::uint64_t stall) {
    return static_cast<std::int64_t>(executed * kIssueCycles + stall);
  };
  return cost(line.executed_b, line.stall_b) - cost(line.executed_a, line.stall_a);
}

}  // namespace

std::vector<LineCost> lines_that_differ(const Judged& a, const Judged& b) {
  std::map<std::string, OneLine> of_a = lines_of(a), of_b = lines_of(b);
  std::vector<LineCost> out;
  const auto add = [&](const std::string& name) {
    const OneLine &one = of_a[name], &other = of_b[name];
    out.push_back({.place = name,
                   .line = std::max(one.line, other.line),
                   .executed_a = one.executed,
                   .executed_b = other.executed,
                   .stall_a = one.stall,
                   .stall_b = other.stall,
                   .code_a = excerpt(a, one),
                   .code_b = excerpt(b, other)});
  };
  std::vector<std::string> names;
  for (const auto& [name, line] : of_a) names.push_back(name);
  for (const auto& [name, line] : of_b) {
    if (!of_a.contains(name)) names.push_back(name);
  }
  for (const std::string& name : names) add(name);
  std::erase_if(out, [](const LineCost& line) { return more_cycles_of_b(line) == 0; });
  // What costs the slower one more stands in front.
  const std::int64_t sign = b.time_ns() >= a.time_ns() ? 1 : -1;
  std::ranges::stable_sort(out, std::ranges::greater(),
                           [&](const LineCost& line) { return sign * more_cycles_of_b(line); });
  if (out.size() > kLines) out.resize(kLines);
  return out;
}

const LineCost* line_to_show(const std::vector<LineCost>& lines) {
  const auto at = std::ranges::find_if(lines, [](const LineCost& one) { return one.line > 0; });
  if (at != lines.end()) return &*at;
  return lines.empty() ? nullptr : &lines.front();
}

}  // namespace rpl::regress
