// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/encode.h"
#include "engine/base/text.h"
#include "engine/regress/comparison.h"

namespace rpl::regress {
namespace {

std::string flags_of(const Side& side) {
  std::string out;
  for (const std::string& flag : side.flags) out += (out.empty() ? "" : " ") + flag;
  return out.empty() ? "none beside -O3" : out;
}

std::string microseconds(std::optional<double> ns) {
  return ns ? fmt::format("{:.2f} us", *ns * 1e-3) : std::string("-");
}

std::string percent(std::optional<double> share) {
  return share ? fmt::format("{:.0f} %", *share * 100) : std::string("-");
}

MarkdownText heading(const Comparison& of, const ReportFacts& facts) {
  const bool b_slow = of.ratio > 1;
  MarkdownText out = encoded<MarkdownText>(
      "# {}: {} takes {:.3f} times as long as {}\n\n", short_kernel(demangled(of.kernel)),
      std::string_view(b_slow ? "B" : "A"), b_slow ? of.ratio : 1 / of.ratio,
      std::string_view(b_slow ? "A" : "B"));
  out += "| | A | B |\n|---|---|---|\n";
  out.add("| compiler | {} | {} |\n", facts.a.compiler.version, facts.b.compiler.version);
  out.add("| flags | {} | {} |\n", flags_of(facts.a), flags_of(facts.b));
  return out;
}

MarkdownText facts_table(const Comparison& of) {
  const isa::Kernel &a = *of.a->code.kernel, &b = *of.b->code.kernel;
  const emu::Modelled &time_a = *of.a->ran.executed.modelled,
                      &time_b = *of.b->ran.executed.modelled;
  MarkdownText out;
  const auto row = [&](std::string_view what, const auto& left, const auto& right) {
    out.add("| {} | {} | {} |\n", what, left, right);
  };
  const auto time = [](const emu::Modelled& one) {
    return one.low_ns() && one.high_ns()
               ? fmt::format("{} ({} to {})", microseconds(one.time_ns), microseconds(one.low_ns()),
                             microseconds(one.high_ns()))
               : microseconds(one.time_ns);
  };
  row("modelled time (band)", time(time_a), time(time_b));
  row("waves on a compute unit", time_a.resident_waves, time_b.resident_waves);
  row("VGPRs", a.vgprs, b.vgprs);
  row("AGPRs", a.agprs, b.agprs);
  row("SGPRs", a.sgprs, b.sgprs);
  row("spilled VGPRs", a.vgpr_spills, b.vgpr_spills);
  row("LDS bytes", a.lds_bytes, b.lds_bytes);
  row("scratch bytes", a.scratch_bytes, b.scratch_bytes);
  row("instructions in the code", of.a->code.facts.instructions, of.b->code.facts.instructions);
  const emu::Counts &ran_a = of.a->ran.executed.counts, &ran_b = of.b->ran.executed.counts;
  row("instructions executed", ran_a.instructions, ran_b.instructions);
  for (int i = 0; i < isa::kClasses; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (ran_a.by_class[at] != ran_b.by_class[at])
      row(fmt::format("of these {}", isa::to_string(static_cast<isa::Class>(i))),
          ran_a.by_class[at], ran_b.by_class[at]);
  }
  out += "\n";
  const std::string band =
      of.band ? fmt::format("; the band of the ratio is {:.2f}", 1 + *of.band) : std::string();
  out.add("Results: {}{}{}. Times are modelled, not measured{}.\n\n", to_string(of.results.results),
          when(!of.results.says.empty(), ": "), of.results.says, band);
  return out;
}

MarkdownText findings_table(const Comparison& of) {
  if (of.findings.empty()) return {};
  MarkdownText out(
      "## Findings that differ\n\n| cause | worth in A | worth in B | where "
      "|\n|---|---|---|---|\n");
  for (const FindingDifference& one : of.findings)
    out.add("| {} | {} | {} | {} |\n", one.cause, percent(one.worth_a), percent(one.worth_b),
            one.where);
  return out + "\n";
}

/// The line with two around it.
std::string source_lines(const std::string& text, std::uint32_t line) {
  constexpr std::uint32_t kAround = 2;
  std::string out;
  std::uint32_t number = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    ++number;
    if (number + kAround >= line && number <= line + kAround)
      out += fmt::format("{:>4}{} {}\n", number, number == line ? ">" : " ",
                         text.substr(from, end - from));
    from = end + 1;
  }
  return out;
}

MarkdownText lines_text(const Comparison& of, const ReportFacts& facts) {
  if (of.lines.empty()) return {};
  MarkdownText out(
      "## Lines that differ\n\n| line | executed in A | in B | wave-cycles waited in A | "
      "in B |\n|---|---|---|---|---|\n");
  for (const LineCost& line : of.lines)
    out.add("| {} | {} | {} | {} | {} |\n", line.place, line.executed_a, line.executed_b,
            line.stall_a, line.stall_b);
  const LineCost& first = *line_to_show(of.lines);
  out += "\n";
  if (first.line > 0 && !facts.source_text.empty())
    out += markdown_code("cpp", source_lines(facts.source_text, first.line));
  const auto code = [&](std::string_view name, const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    out.add(
        "\n{} for {}: how often each instruction ran, wave-cycles waited at it, the "
        "instruction\n\n{}",
        name, first.place, markdown_code("", text));
  };
  code("A", first.code_a);
  code("B", first.code_b);
  return out + "\n";
}

MarkdownText pass_text(const DecidingPass& pass) {
  MarkdownText out = encoded<MarkdownText>(
      "- **{}** of {} (number {} of {} in the {}): {} {}, {} {}", pass.pass.text(), pass.side,
      pass.pass.number, pass.passes, to_string(pass.stage), microseconds(pass.before_ns),
      pass.alone ? OwnText("without it alone") : OwnText("with those before it"),
      microseconds(pass.after_ns), pass.alone ? OwnText("with all") : OwnText("with it"));
  if (pass.share) out.add(", {} of the difference", percent(pass.share));
  if (pass.without_ns && !pass.alone)
    out.add("; with all passes but this one {}", microseconds(pass.without_ns));
  return out + ".\n\n" + markdown_code("sh", pass.command_before + "\n" + pass.command_after) +
         "\n";
}

MarkdownText steps_text(const Cause& cause) {
  if (cause.steps.empty()) return {};
  MarkdownText out(
      "\nCode generation of both on the same bitcode, after the passes that both have: "
      "instructions, and how many of them only one of the two has.\n\n"
      "| after | A | B | apart |\n|---|---|---|---|\n");
  std::uint64_t before = 0;
  for (const MachineStep& step : cause.steps) {
    if (step.apart != before)
      out.add("| {} | {} | {} | {} |\n", step.pass, step.instructions_a, step.instructions_b,
              step.apart);
    before = step.apart;
  }
  return out;
}

MarkdownText cause_text(const Cause& cause) {
  MarkdownText out =
      encoded<MarkdownText>("## Why\n\n{} is slower: {}.\n\n", cause.slower, cause.answer);
  out += "| front end | optimizer | code generation | modelled time |\n|---|---|---|---|\n";
  for (const Mixture& one : cause.mixtures)
    out.add("| {} | {} | {} | {} |\n", one.by[0], one.by[1], one.by[2],
            one.time_ns ? microseconds(one.time_ns) : one.failed);
  out += "\n";
  if (!cause.passes.empty()) out += "Passes at which the kernel becomes fast or slow:\n\n";
  for (const DecidingPass& pass : cause.passes) out += pass_text(pass);
  if (!cause.flags.empty()) out.add("Flags of {} that take some of it back:\n\n", cause.slower);
  for (const DecidingFlag& flag : cause.flags)
    out.add("- {}: {}, {} of the difference\n", flag.flag, microseconds(flag.time_ns),
            percent(flag.share));
  out += steps_text(cause);
  out.add(
      "\nThe search took {:.1f} s: {} runs of compilers, {} results from the cache, {} "
      "runs of the kernel{}.\n\n",
      cause.seconds, cause.builds, cause.kept, cause.runs,
      when(cause.cut_short, "; it ended at the number of builds that was allowed"));
  return out;
}

MarkdownText again_text(const ReportFacts& facts) {
  std::string commands;
  for (const std::string& command : {facts.front_end_a, facts.front_end_b}) {
    if (!command.empty()) commands += command + '\n';
  }
  MarkdownText out = "## Again\n\n" + markdown_code("sh", facts.again);
  if (commands.empty()) return out;
  return out + "\nThe bitcode that the optimizers begin with:\n\n" + markdown_code("sh", commands);
}

}  // namespace

MarkdownText report_of(const Comparison& compared, const ReportFacts& facts) {
  MarkdownText out = heading(compared, facts);
  out += facts_table(compared);
  out += findings_table(compared);
  out += lines_text(compared, facts);
  if (compared.cause) out += cause_text(*compared.cause);
  return out + again_text(facts);
}

}  // namespace rpl::regress
