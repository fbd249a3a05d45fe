// SPDX-License-Identifier: MIT
// float-literals: `x * 0.5` computes with 64 bits when x has 32, as the number is a double. With an f behind it the operation has the width of its other side. And functions that are
// more than what is asked of them: powf(x, 2.0f) is x * x.
#include <fmt/format.h>

#include <algorithm>

#include "engine/optimize/rules/kernel_text.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {
namespace {

/// 0.5, 1e-3, 1.: decimal, not whole, without a suffix.
bool is_double(std::string_view number) {
  if (number.starts_with("0x") || number.starts_with("0X")) return false;
  const bool real = number.find_first_of(".eE") != number.npos;
  const char last = number.back();
  return real && (last == '.' || (last >= '0' && last <= '9'));
}

/// A whole exponent from 2 to 4 of `2`, `2.0`, `2.0f`; else 0.
int small_exponent(std::string_view number) {
  while (!number.empty() && std::string_view("fF").find(number.back()) != number.npos)
    number.remove_suffix(1);
  const std::size_t point = number.find('.');
  if (point != number.npos) {
    if (number.find_first_not_of('0', point + 1) != number.npos) return 0;
    number = number.substr(0, point);
  }
  return number.size() == 1 && number[0] >= '2' && number[0] <= '4' ? number[0] - '0' : 0;
}

bool has_word(const KernelCase& on, std::string_view word) {
  for (std::size_t i = on.kernel.header_begin; i < on.kernel.body_close; ++i) {
    if (on.text.is(i, word)) return true;
  }
  return false;
}

/// `powf(NAME, 3.0f)` at a token: what stands for it.
std::optional<Replacement> power_at(const SourceText& text, std::size_t i) {
  if ((!text.is(i, "powf") && !text.is(i, "pow")) || !text.is(i + 1, "(")) return std::nullopt;
  const std::size_t close = text.partner(i + 1);
  if (close == kNoToken || close != i + 5 || !text.is(i + 3, ",") ||
      text[i + 2].kind != SourceTokenKind::identifier ||
      text[i + 4].kind != SourceTokenKind::number)
    return std::nullopt;
  const int exponent = small_exponent(text[i + 4].text);
  if (exponent == 0) return std::nullopt;
  const std::string_view name = text[i + 2].text;
  std::string product(name);
  for (int n = 1; n < exponent; ++n) product += fmt::format(" * {}", name);
  return Replacement{text[i].begin, text[close].end, fmt::format("({})", product)};
}

}  // namespace

RuleOutcome float_literals(const KernelCase& on) {
  RuleOutcome out;
  const SourceText& text = on.text;
  const bool wants_double = has_word(on, "double");
  std::vector<Replacement> literals, powers;
  std::size_t literal_line = 0, power_line = 0;
  for (std::size_t i = on.kernel.body_open + 1; i < on.kernel.body_close; ++i) {
    if (const auto power = wants_double ? std::nullopt : power_at(text, i)) {
      if (powers.empty()) power_line = text[i].line;
      powers.push_back(*power);
      i = text.partner(i + 1);
      continue;
    }
    if (text[i].kind != SourceTokenKind::number || !is_double(text[i].text) || wants_double)
      continue;
    if (literals.empty()) literal_line = text[i].line;
    literals.push_back({text[i].end, text[i].end, "f"});
  }
  const auto offer = [&](std::vector<Replacement> changes, std::size_t line, std::string title,
                         std::string why) {
    RuleEdit edit;
    edit.line = line;
    edit.title = std::move(title);
    edit.why = std::move(why);
    edit.bit_exact = false;
    edit.source = replaced(text.text(), std::move(changes));
    out.edits.push_back(std::move(edit));
  };
  if (!literals.empty())
    offer(literals, literal_line,
          fmt::format("{} number{} of float instead of double", literals.size(),
                      literals.size() > 1 ? "s" : ""),
          "a number without an f is a double, and has all that it meets computed with 64 bits");
  if (!powers.empty())
    offer(
        powers, power_line,
        fmt::format("products instead of {} power{}", powers.size(), powers.size() > 1 ? "s" : ""),
        "a power with any exponent takes some hundred instructions");
  if (!literals.empty() && !powers.empty()) {
    const std::size_t count = literals.size() + powers.size();
    literals.insert(literals.end(), powers.begin(), powers.end());
    offer(std::move(literals), std::min(literal_line, power_line),
          fmt::format("numbers of float and products instead of powers, {} places", count),
          "both at once");
  }
  if (out.edits.empty())
    refuse(out, on.kernel.line,
           wants_double ? "the kernel computes with double by its own words"
                        : "no number is a double, and no power has a small whole exponent");
  return out;
}

}  // namespace rpl::rules
