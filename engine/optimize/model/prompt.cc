// SPDX-License-Identifier: MIT
// The order is that in which things change: what is the same for every request comes first, so that servers may keep it.
#include "engine/optimize/model/prompt.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"

namespace rpl::llm {
namespace {

constexpr const char* kContract =
    "You make one GPU kernel faster without changing what it computes. You are shown the kernel, "
    "how it is launched, what was found when it ran, and what was tried before.\n"
    "\n"
    "Answer with\n"
    "1. one line \"Strategy: …\", at most 80 characters: what you change and why that helps;\n"
    "2. exactly one fenced code block marked cpp, holding the complete definition of the kernel "
    "under its unchanged header.\n"
    "Only the text between the kernel's outer braces is taken over. It is compiled, its results "
    "are compared with those of the original on several inputs, and it is timed; "
    "a change that is not clearly faster is rejected.";

constexpr const char* kAgain =
    "Answer again in the same form: one line \"Strategy: …\", then exactly one complete cpp code "
    "block with the whole kernel.";

std::string facts_text(const std::vector<PromptFact>& facts) {
  std::string out;
  for (const PromptFact& fact : facts) {
    if (!fact.value.empty()) out += fmt::format("- {}: {}\n", fact.name, fact.value);
  }
  return out;
}

std::string rules_text(bool compact) {
  std::string out = "A reply that breaks one of these is refused before it is compiled.\n";
  if (compact) {
    for (const PromptRule& rule : prompt_rules())
      out += fmt::format("{}{}", out.ends_with('\n') ? "" : ", ", rule.name);
    return out + "\n";
  }
  for (const PromptRule& rule : prompt_rules())
    out += fmt::format("- {}: {}\n", rule.name, rule.sentence);
  return out;
}

/// A fence longer than any in the text.
std::string code_text(const std::string& code) {
  std::string fence = "```";
  while (code.find(fence) != std::string::npos) fence += '`';
  return fmt::format("{}cpp\n{}{}{}\n", fence, code, code.ends_with('\n') ? "" : "\n", fence);
}

std::string attempts_text(const std::vector<PromptAttempt>& attempts, bool compact) {
  constexpr std::size_t kCompact = 3, kAll = 20;
  const std::size_t most = compact ? kCompact : kAll,
                    skipped = attempts.size() > most ? attempts.size() - most : 0;
  std::string out = skipped > 0 ? fmt::format("({} earlier ones are left out)\n", skipped) : "";
  for (std::size_t i = skipped; i < attempts.size(); ++i) {
    const PromptAttempt& attempt = attempts[i];
    out += fmt::format("- {}{}{}: {}{}{}\n", attempt.id, attempt.id.empty() ? "" : " ",
                       attempt.strategy, attempt.outcome, attempt.reason.empty() ? "" : ": ",
                       attempt.reason);
  }
  return out;
}

}  // namespace

const std::vector<PromptRule>& prompt_rules() {
  static const std::vector<PromptRule> rules{
      {"no-block", "the answer holds one fenced code block with the kernel"},
      {"many-blocks", "no second block holds a __global__ function: do not quote the original"},
      {"unclosed-block", "the block is closed"},
      {"block-language", "the block is marked cpp"},
      {"one-definition", "the block holds this kernel and nothing else"},
      {"header",
       "name, attributes, template parameters, parameter types and names stay as they are"},
      {"outside-body",
       "nothing stands before or behind the definition: no includes, helpers, macros or globals"},
      {"directive",
       "no preprocessor lines but #pragma unroll, #pragma nounroll and #pragma clang loop"},
      {"asm", "no inline assembly that the original does not have"},
      {"attribute", "no __attribute__ and no __declspec"},
      {"static-local",
       "no variables that outlive the launch; static constexpr and __shared__ are free"},
      {"extern", "no extern declarations, such as dynamic LDS"},
      {"global", "no use of mutable variables of the file that the original does not use"},
      {"goto", "no goto"},
      {"const-cast", "no const_cast, and no writing through pointers to const"},
      {"forbidden-call", "no printing, trapping, allocating, reading of clocks or sleeping"},
      {"launch", "no kernel launches"},
      {"shadowing", "functions of the file, threadIdx and its kin keep their meaning"},
      {"hidden-text", "plain ASCII names"},
  };
  return rules;
}

std::string Prompt::text() const {
  std::string out;
  for (const auto& [title, body] : sections)
    out += fmt::format("{}## {}\n\n{}", out.empty() ? "" : "\n", title, body);
  return out;
}

Prompt make_prompt(const PromptParts& parts) {
  Prompt out;
  out.instructions = kContract;
  const auto add = [&](std::string title, std::string text) {
    if (!text.empty()) out.sections.emplace_back(std::move(title), std::move(text));
  };
  add("Hardware", facts_text(parts.hardware));
  add("Rules", rules_text(parts.compact));
  add(parts.whole_file ? "The file" : "The kernel",
      fmt::format("{}{}",
                  parts.whole_file ? fmt::format("The kernel is {}.\n\n", parts.kernel) : "",
                  code_text(parts.source)));
  if (!parts.compact && !parts.context.empty())
    add("What it uses of its file", code_text(parts.context));
  add("Launch", facts_text(parts.launch));
  add("What it waits for", facts_text(parts.profile));
  add("Hottest lines", facts_text(parts.hot_lines));
  add("Machine code", facts_text(parts.resources));
  add("What was tried before", attempts_text(parts.attempts, parts.compact));
  add("What to try now", parts.strategy.empty() ? "" : parts.strategy + "\n");
  return out;
}

std::string repair_text(const std::vector<std::string>& reasons) {
  std::string out = "Your answer was not taken:\n";
  for (const std::string& reason : reasons) out += fmt::format("- {}\n", reason);
  return out + "\n" + kAgain;
}

std::string strategy_in(std::string_view reply) {
  constexpr std::string_view kMark = "Strategy:";
  constexpr std::size_t kLongest = 80;
  const std::size_t at = reply.find(kMark);
  if (at == std::string_view::npos) return "";
  std::string_view line = reply.substr(at + kMark.size());
  line = line.substr(0, line.find('\n'));
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t length = utf8_length(line, i);
    const auto first = static_cast<unsigned char>(line[i]);
    if (out.size() + length > kLongest) break;
    // Titles stand in lists and on terminals: nothing that moves a cursor, no marks of emphasis around the line.
    const bool plain = length > 0 && first >= 0x20 && first != 0x7f && first != '*' && first != '`';
    if (plain && !(out.empty() && first == ' ')) out += line.substr(i, length);
    i += std::max<std::size_t>(length, 1);
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == '.')) out.pop_back();
  return out;
}

}  // namespace rpl::llm
