// SPDX-License-Identifier: MIT
#include "engine/metrics/counters/user_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/isa/traits/architecture.h"
#include "engine/metrics/counters/data_table.h"

namespace rpl {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 20;  ///< bytes
constexpr std::size_t kMostDefinitions = 1000;
constexpr std::size_t kCounterFields = 8, kMetricFields = 6;
constexpr unsigned kMostSlots = 64;

Error at_place(const std::string& place, std::string message, std::string hint = {}) {
  return Error{Errc::corrupt, fmt::format("{}: {}", place, message), std::move(hint)};
}

bool is_identifier(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && letter(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || digit(c); });
}

/// Name and architectures, which counters and metrics share.
Status check_common(const std::vector<std::string_view>& fields, std::size_t architectures,
                    const std::string& place) {
  if (!is_identifier(fields[0]))
    return Failure(at_place(place, fmt::format("'{}' is not a name", fields[0]),
                            "letters, digits and _, a letter first"));
  const auto names = words_of(fields[architectures]);
  if (names.empty())
    return Failure(at_place(place, fmt::format("{} has no architecture", fields[0]),
                            "name some: " + isa::architecture_names(" ")));
  for (const std::string_view name : names) {
    if (!name.starts_with("gfx"))
      return Failure(at_place(place, fmt::format("'{}' is not an architecture", name),
                              isa::usual_architecture()));
  }
  return {};
}

Result<CounterInfo> counter_in(const std::vector<std::string_view>& fields,
                               const std::string& place) {
  TRY(check_common(fields, 5, place));
  CounterInfo info;
  info.name = fields[0];
  info.block = fields[1];
  const std::string_view slots = fields[2];
  const auto number = whole_number<decltype(info.slots)>(slots);
  if (!number || *number > kMostSlots)
    return Failure(at_place(place, fmt::format("'{}' is not a number of slots", slots),
                            "1, or 2 for a *_LEVEL counter"));
  info.slots = *number;
  info.unit = fields[3];
  if (info.block.empty() || info.unit.empty())
    return Failure(at_place(place, fmt::format("{} lacks its block or its unit", info.name)));
  if (fields[4] != "sum" && fields[4] != "max")
    return Failure(at_place(
        place,
        fmt::format("instances of {} are added by 'sum' or 'max', not '{}'", info.name, fields[4]),
        "max for what counts the same time in every instance"));
  info.instances = fields[4] == "max" ? InstanceReduction::max : InstanceReduction::sum;
  info.architectures = words_of(fields[5]);
  if (fields[6] != "-") info.consumes = words_of(fields[6]);
  info.description = fields[7];
  return info;
}

Result<Expression> formula_in(std::string_view text, std::string_view what,
                              const std::string& place) {
  auto parsed = Expression::parse(text);
  if (!parsed)
    return Failure(at_place(place, fmt::format("in the {}: {}", what, parsed.error().message),
                            parsed.error().hint));
  return parsed;
}

Result<MetricRule> metric_in(const std::vector<std::string_view>& fields,
                             const std::string& place) {
  TRY(check_common(fields, 2, place));
  if (fields[1].empty())
    return Failure(at_place(place, fmt::format("{} has no unit", fields[0]),
                            "FLOP, B, share, ratio, cycles, instructions …"));
  if (is_gpu_constant(fields[0]))
    return Failure(at_place(place, fmt::format("{} is a constant of the GPU", fields[0])));
  Expression formula = TRY(formula_in(fields[4], "formula", place));
  MetricRule rule{fields[0],    fields[1],          words_of(fields[2]),
                  std::nullopt, std::move(formula), fields[5]};
  if (fields[3] != "-") rule.when = TRY(formula_in(fields[3], "condition", place));
  return rule;
}

struct NumberedLine {
  std::size_t number = 0;
  std::vector<std::string_view> fields;
};

std::vector<NumberedLine> lines_of(std::string_view text) {
  std::vector<NumberedLine> out;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed_view(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.front() != '#') out.push_back({number, fields_of(line)});
  }
  return out;
}

}  // namespace

bool is_gpu_constant(std::string_view name) {
  constexpr std::string_view kConstants[] = {"CUS",       "XCCS",        "SIMDS",
                                             "MAX_WAVES", "XCCS_SUMMED", "WIDTH"};
  return std::ranges::find(kConstants, name) != std::end(kConstants);
}

Result<CounterFile> parse_counter_file(std::string text, const std::string& path) {
  if (text.size() > kLargestFile)
    return fail(Errc::limit, fmt::format("{}: larger than {} bytes", path, kLargestFile));
  CounterFile out;
  out.path = path;
  out.text = std::make_shared<const std::string>(std::move(text));
  const auto lines = lines_of(*out.text);
  if (lines.size() > kMostDefinitions)
    return fail(Errc::limit, fmt::format("{}: more than {} definitions", path, kMostDefinitions));
  auto places = std::make_shared<std::vector<std::string>>();
  for (const NumberedLine& line : lines) places->push_back(fmt::format("{}:{}", path, line.number));
  out.places = places;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto& fields = lines[i].fields;
    const std::string& place = (*places)[i];
    if (fields.size() == kCounterFields) {
      out.counters.push_back(TRY(counter_in(fields, place)));
      out.counters.back().source = place;
    } else if (fields.size() == kMetricFields) {
      out.metrics.push_back(TRY(metric_in(fields, place)));
      out.metrics.back().source = place;
    } else {
      return Failure(
          at_place(place, fmt::format("{} fields between '|'", fields.size()),
                   "a counter has 8: name | block | slots | unit | sum or max | architectures | "
                   "consumes | what; "
                   "a metric 6: name | unit | architectures | condition | formula | what"));
    }
  }
  return out;
}

Result<CounterFile> read_counter_file(const std::string& path) {
  return parse_counter_file(TRY(read_text_file(path)), path);
}

}  // namespace rpl
