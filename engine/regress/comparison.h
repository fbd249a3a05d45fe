// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/encode.h"
#include "engine/regress/cause.h"
#include "engine/regress/judge.h"

namespace rpl::regress {

/// How two builds of a kernel compare by their modelled times.
enum class Verdict { same_code, within_band, a_slower, b_slower, not_compared };
/// "same code", "within the band", "A is slower", "B is slower", "not compared".
std::string_view to_string(Verdict verdict);

/// What one line of the source costs in both builds.
struct LineCost {
  std::string place;                             ///< "softmax.hip:12", or "code without a line"
  std::uint32_t line = 0;                        ///< 0: none
  std::uint64_t executed_a = 0, executed_b = 0;  ///< instructions, by waves
  std::uint64_t stall_a = 0, stall_b = 0;        ///< wave-cycles at them, modelled
  std::vector<std::string> code_a,
      code_b;  ///< around what costs most in it: how often each instruction ran, wave-cycles waited at it, the instruction
};

/// A finding that one of the two has, or that is worth more in one.
struct FindingDifference {
  std::string cause;  ///< its name
  std::optional<double> worth_a = {},
                        worth_b = {};  ///< of the kernel's time, in the middle; none: not found
  std::string where;                   ///< its first place in the slower one
};

struct Comparison {
  std::string source, kernel;
  std::string says;                              ///< where it is not compared: why
  std::shared_ptr<const Judged> a = {}, b = {};  ///< null where it is not compared
  ResultsCompared results = {};
  double ratio = 1;  ///< time of B by time of A
  std::optional<double> band =
      {};  ///< half-width of the ratio's band (cycle::Bands); none: not known
  Verdict verdict = Verdict::not_compared;
  std::vector<FindingDifference> findings = {};
  std::vector<LineCost> lines =
      {};  ///< the lines that differ most in the cycles that they cost, at most five
  std::optional<Cause> cause = {};
};

/// `beyond`: a ratio that counts as slower, in place of the band: 0.05 for 5 %.
Comparison compare(std::shared_ptr<const Judged> a, std::shared_ptr<const Judged> b,
                   std::optional<double> beyond = {});

/// The lines in which two builds differ most, those of the slower one first. Empty where neither has a table of lines.
std::vector<LineCost> lines_that_differ(const Judged& a, const Judged& b);

/// The first of them that is a line of the source, else the first; null for none.
const LineCost* line_to_show(const std::vector<LineCost>& lines);

/// What a report says beside the comparison.
struct ReportFacts {
  Side a, b;
  std::string source_text;               ///< of the kernel's source; may be empty
  std::string front_end_a, front_end_b;  ///< the commands that make in.bc; may be empty
  std::string again;                     ///< the command line that makes this report again
};

/// One kernel as a page of Markdown for somebody who works on the compiler: source, code of both, counts, the pass and the commands.
MarkdownText report_of(const Comparison& compared, const ReportFacts& facts);

}  // namespace rpl::regress
