// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/contract.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/replay/elements.h"

namespace rpl {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 10;
constexpr double kExact = 0x1p53;  ///< beyond it not every whole number is a double

constexpr const char* kForms =
    "lines are 'n in 1..4096', 'n in 64..4096 step 64', 'mode one of 0 1 3', 'x as captured', "
    "'launch as captured', 'kernel NAME'";

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || line[begin] == '#') return out;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    out.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::optional<double> finite(std::string_view text) {
  const auto number = whole_number<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::string number_text(double value) {
  return std::abs(value) < kExact && value == std::trunc(value) ? fmt::format("{:.0f}", value)
                                                                : fmt::format("{}", value);
}

Failure wrong(std::size_t line, std::string_view what) {
  return fail(Errc::corrupt, fmt::format("line {} of the contract: {}", line, what), kForms);
}

/// Both ends of "1..4096".
bool take_range(std::string_view text, ArgumentRule& rule) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return false;
  rule.low = finite(text.substr(0, dots));
  rule.high = finite(text.substr(dots + 2));
  return rule.low && rule.high && *rule.low <= *rule.high;
}

Result<ArgumentRule> rule_of(const std::vector<std::string>& words, std::size_t line) {
  ArgumentRule out;
  out.argument = words[0];
  out.line = line;
  const std::size_t count = words.size();
  if (count == 3 && words[1] == "as" && words[2] == "captured") {
    out.as_captured = true;
    return out;
  }
  if (count > 3 && words[1] == "one" && words[2] == "of") {
    for (std::size_t i = 3; i < count; ++i) {
      const auto value = finite(words[i]);
      if (!value) return wrong(line, fmt::format("'{}' is not a number", words[i]));
      out.values.push_back(*value);
    }
    return out;
  }
  const bool stepped = count == 5 && words[3] == "step";
  if ((count != 3 && !stepped) || words[1] != "in" || !take_range(words[2], out))
    return wrong(line, fmt::format("'{}' is no rule", fmt::join(words, " ")));
  if (stepped) {
    const auto step = whole_number<std::int64_t>(words[4]);
    if (!step || *step < 1) return wrong(line, fmt::format("'{}' is no step", words[4]));
    out.step = *step;
    if (out.ends().empty())
      return wrong(line, fmt::format("no multiple of {} is in {}", *step, words[2]));
  }
  return out;
}

}  // namespace

bool ArgumentRule::allows(double value) const {
  if (as_captured) return false;
  if (!values.empty()) return std::ranges::find(values, value) != values.end();
  if (!(value >= *low && value <= *high)) return false;
  return step == 1 || std::fmod(value, static_cast<double>(step)) == 0;
}

std::vector<double> ArgumentRule::ends() const {
  if (as_captured || !values.empty()) return values;
  const auto by = static_cast<double>(step);
  const double first = step == 1 ? *low : std::ceil(*low / by) * by,
               last = step == 1 ? *high : std::floor(*high / by) * by;
  if (first > last) return {};
  return first == last ? std::vector{first} : std::vector{last, first};
}

std::string to_text(const ArgumentRule& rule) {
  if (rule.as_captured) return rule.argument + " as captured";
  if (!rule.values.empty()) {
    std::string out = rule.argument + " one of";
    for (const double value : rule.values) out += " " + number_text(value);
    return out;
  }
  return fmt::format("{} in {}..{}{}", rule.argument, number_text(*rule.low),
                     number_text(*rule.high),
                     rule.step == 1 ? "" : fmt::format(" step {}", rule.step));
}

std::vector<std::string> lines_of(const Contract& contract) {
  std::vector<std::string> out;
  for (const ArgumentRule& rule : contract.arguments) out.push_back(to_text(rule));
  if (contract.launch_as_captured) out.emplace_back("launch as captured");
  return out;
}

const ArgumentRule* Contract::rule_at(std::size_t position) const {
  const auto found = std::ranges::find(positions_, position);
  return found == positions_.end()
             ? nullptr
             : &arguments[static_cast<std::size_t>(found - positions_.begin())];
}

const ArgumentRule* Contract::rule_of_variable(std::string_view name) const {
  const auto found = std::ranges::find(arguments, name, &ArgumentRule::argument);
  const auto at = static_cast<std::size_t>(found - arguments.begin());
  return at < positions_.size() && positions_[at] >= kVariables ? &*found : nullptr;
}

Status Contract::resolve(const std::vector<std::string>& parameters,
                         const std::vector<std::string>& variables) {
  positions_.clear();
  for (const ArgumentRule& rule : arguments) {
    const auto named = std::ranges::find(parameters, rule.argument);
    auto position = static_cast<std::size_t>(named - parameters.begin());
    const auto variable = std::ranges::find(variables, rule.argument);
    if (named == parameters.end() && variable != variables.end()) {
      positions_.push_back(kVariables + static_cast<std::size_t>(variable - variables.begin()));
      continue;
    }
    if (const auto number = whole_number<std::size_t>(rule.argument);
        named == parameters.end() && number && *number > 0)
      position = *number - 1;
    else if (named == parameters.end())
      return fail(
          Errc::not_found,
          fmt::format("line {} of the contract: the kernel has no parameter '{}'", rule.line,
                      rule.argument),
          fmt::format("it has {}; a position from 1 names one, too", fmt::join(parameters, ", ")));
    if (std::ranges::find(positions_, position) != positions_.end())
      return fail(
          Errc::usage,
          fmt::format("line {} of the contract: '{}' has a rule already", rule.line, rule.argument),
          "one line for each argument");
    positions_.push_back(position);
  }
  return {};
}

std::vector<ContractLine> contract_lines(std::string_view text, std::string_view kernel) {
  std::vector<ContractLine> out;
  bool ours = true;
  for (std::string& line : split_lines(text)) {
    ContractLine& made = out.emplace_back();
    made.words = words_of(line);
    made.text = std::move(line);
    if (made.words.size() == 2 && made.words[0] == "kernel") {
      ours = made.words[1] == kernel;
      made.words.clear();
    }
    made.ours = ours;
  }
  return out;
}

std::optional<std::string> with_rule(std::string_view text, std::string_view kernel,
                                     std::string_view what, std::string_view rule) {
  std::vector<ContractLine> lines = contract_lines(text, kernel);
  const auto known = std::ranges::find_if(lines, [&](const ContractLine& line) {
    return line.ours && !line.words.empty() && line.words[0] == what;
  });
  if (rule.empty() && known == lines.end()) return std::nullopt;
  if (rule.empty()) {
    lines.erase(known);
  } else if (known != lines.end()) {
    known->text = rule;
  } else {
    const auto last = std::ranges::find(lines.rbegin(), lines.rend(), true, &ContractLine::ours);
    std::vector<ContractLine> more = {{.text = std::string(rule)}};
    const bool others_alone = last == lines.rend() && !lines.empty();
    if (others_alone) more.insert(more.begin(), {.text = fmt::format("kernel {}", kernel)});
    lines.insert(last == lines.rend() ? lines.end() : last.base(), more.begin(), more.end());
  }
  std::string out;
  for (const ContractLine& line : lines) out += line.text + "\n";
  return out;
}

Result<Contract> parse_contract(std::string_view text, std::string_view kernel) {
  if (text.size() > kMostBytes)
    return fail(Errc::limit, "the contract is larger than 64 KiB", kForms);
  Contract out;
  std::size_t number = 0;
  for (const ContractLine& line : contract_lines(text, kernel)) {
    ++number;
    // What is wrong with another kernel's lines is found when that one is asked about.
    const auto& words = line.words;
    if (words.empty() || !line.ours) continue;
    if (words.size() < 3)
      return wrong(number, fmt::format("'{}' is no rule", fmt::join(words, " ")));
    if (words == std::vector<std::string>{"launch", "as", "captured"})
      out.launch_as_captured = true;
    else
      out.arguments.push_back(TRY(rule_of(words, number)));
  }
  return out;
}

double ArgumentRule::nearest(double value) const {
  if (allows(value)) return value;
  const std::vector<double> all = ends();
  const auto [least, most] = std::ranges::minmax(all);
  if (!values.empty() || !std::isfinite(value) || most <= least) return all.front();
  // Back and forth between the ends, so that what was different stays different.
  const double wide = 2 * (most - least);
  const double turn = value - least - std::floor((value - least) / wide) * wide;
  double out = least + std::min(turn, wide - turn);
  if (step > 1) {
    const auto by = static_cast<double>(step);
    out = std::clamp(std::floor(out / by) * by, least, most);
  }
  return out;
}

void keep_rule(const ArgumentRule& rule, Element element, std::vector<std::byte>& bytes) {
  if (rule.as_captured) return;
  const std::vector<double> ends = rule.ends();
  const std::size_t size = size_of(element);
  for (std::size_t at = 0, i = 0; at + size <= bytes.size(); at += size, ++i) {
    const double value = element_number(element, &bytes[at]);
    if (rule.allows(value)) continue;
    // What is one of a list, or no number, takes turns.
    const bool folds = rule.values.empty() && std::isfinite(value);
    store_number(element, folds ? rule.nearest(value) : ends[i % ends.size()], &bytes[at]);
  }
}

}  // namespace rpl
