// SPDX-License-Identifier: MIT
#include "engine/optimize/rules/unroll.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "engine/optimize/rules/catalogue.h"
#include "engine/optimize/rules/effects.h"
#include "engine/optimize/rules/loop_checks.h"
#include "engine/optimize/rules/loops.h"
#include "engine/optimize/rules/rules.h"

namespace rpl {
namespace {

constexpr std::string_view kRule = "loop-unroll";
// The compiler's own choice is the baseline; 1 takes it back where it costs registers.
constexpr auto kFactors = std::to_array<int>({2, 4, 8, 1});
// Each edit is a copy of the file.
constexpr std::size_t kMostLoops = 32;

std::string why(int factor) {
  if (factor == 1)
    return "keeps the loop rolled: fewer registers and less code than the compiler's own choice";
  return fmt::format(
      "{} iterations in one: independent loads and arithmetic overlap, less loop overhead", factor);
}

class UnrollRule {
 public:
  UnrollRule(const SourceText& source, const SourceDeclarations& declared,
             const SourceKernel& kernel)
      : source_(source), declared_(declared), kernel_(kernel) {}

  RuleOutcome run() {
    const LoopsFound found = find_loops(source_, kernel_);
    if (found.too_deep) {
      refuse(kernel_.line, "statements are nested too deeply to be read");
      return std::move(out_);
    }
    effects_.emplace(source_, declared_, kernel_);
    if (found.loops.empty())
      refuse(kernel_.line, fmt::format("{} holds no loop", kernel_.qualified));
    std::size_t innermost = 0;
    for (const SourceLoop& loop : found.loops) {
      if (!loop.innermost) continue;
      if (++innermost <= kMostLoops) offer(loop);
    }
    if (innermost > kMostLoops) {
      refuse(kernel_.line, fmt::format("only the first {} of {} innermost loops are tried",
                                       kMostLoops, innermost));
    }
    return std::move(out_);
  }

 private:
  void refuse(std::size_t line, std::string reason) {
    out_.refusals.push_back({line, std::move(reason), std::string(kRule)});
  }
  [[nodiscard]] std::size_t line_at(std::size_t token) const { return source_[token].line; }

  void offer(const SourceLoop& loop) {
    for (const auto& refusal :
         {effect_in_loop(source_, loop, *effects_), exit_of_loop(source_, loop),
          changed_bound_of_loop(source_, loop), foreign_pragma(loop)}) {
      if (refusal) return refuse(refusal->line, refusal->reason);
    }
    for (const int factor : kFactors) {
      const std::string pragma = fmt::format("#pragma unroll {}", factor);
      if (is_already(loop, factor)) continue;
      const std::size_t line = line_at(loop.keyword);
      const std::string title = factor == 1
                                    ? fmt::format("keep the loop in line {} rolled", line)
                                    : fmt::format("unroll the loop in line {} by {}", line, factor);
      out_.edits.push_back(
          {std::string(kRule), factor, line, title, why(factor), patched(loop, pragma)});
    }
  }

  [[nodiscard]] bool is_unroll(std::size_t token) const {
    const std::string_view text = source_[token].text;
    return text == "pragma unroll" || text.starts_with("pragma unroll ") ||
           text == "pragma nounroll";
  }

  [[nodiscard]] std::optional<RuleRefusal> foreign_pragma(const SourceLoop& loop) const {
    for (const std::size_t token : loop.pragmas) {
      if (is_unroll(token)) continue;
      return RuleRefusal{line_at(token),
                         fmt::format("the loop has '#{}' already", source_[token].text)};
    }
    return {};
  }

  [[nodiscard]] bool is_already(const SourceLoop& loop, int factor) const {
    return std::ranges::any_of(loop.pragmas, [&](std::size_t token) {
      const std::string_view text = source_[token].text;
      return text == fmt::format("pragma unroll {}", factor) ||
             text == fmt::format("pragma unroll ( {} )", factor) ||
             (factor == 1 && text == "pragma nounroll");
    });
  }

  /// The file with `pragma` on the loop: in place of the one it has, or on a line of its own before the keyword.
  [[nodiscard]] std::string patched(const SourceLoop& loop, std::string_view pragma) const {
    const std::string text(source_.text());
    if (!loop.pragmas.empty()) {
      const SourceToken& old = source_[loop.pragmas.back()];
      return text.substr(0, old.begin) + std::string(pragma) + text.substr(old.end);
    }
    const std::string_view line_end = text.find("\r\n") != text.npos ? "\r\n" : "\n";
    const std::size_t at = source_[loop.keyword].begin;
    const std::size_t line = text.rfind('\n', at) + 1;
    const std::string indent =
        text.substr(line, std::min(text.find_first_not_of(" \t", line), at) - line);
    const bool first = line + indent.size() == at && !continues(text, line);
    const std::string own_line =
        std::string(pragma) + std::string(line_end) + indent + text.substr(at);
    if (first) return text.substr(0, at) + own_line;
    const std::size_t code_end = text.find_last_not_of(" \t", at - 1) + 1;
    return text.substr(0, code_end) + std::string(line_end) + indent + own_line;
  }

  /// Whether the line that begins at `line` is the second half of a joined one.
  static bool continues(const std::string& text, std::size_t line) {
    if (line < 2) return false;
    const std::size_t last = text.find_last_not_of(" \t\r", line - 2);
    return last != text.npos && text[last] == '\\';
  }

  const SourceText& source_;
  const SourceDeclarations& declared_;
  const SourceKernel& kernel_;
  std::optional<Effects> effects_;  ///< not before statements are known to be nested within reason
  RuleOutcome out_;
};

}  // namespace

RuleOutcome rules::loop_unroll(const KernelCase& on) {
  return UnrollRule(on.text, on.declared, on.kernel).run();
}

Result<RuleOutcome> propose_unroll(std::string_view source, std::string_view kernel) {
  return propose_by_catalogue(source, kernel, {.rule = std::string(kRule)});
}

}  // namespace rpl
