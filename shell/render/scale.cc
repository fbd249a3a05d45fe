// SPDX-License-Identifier: MIT
#include "shell/render/scale.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/text.h"
#include "engine/document/bound.h"

namespace rpl {
namespace {

struct Step {
  double below, divisor;
  std::string_view label;
  int decimals;
};

constexpr std::array kTime{Step{1e4, 1, "ns", 0}, Step{1e7, 1e3, "us", 3}, Step{1e10, 1e6, "ms", 3},
                           Step{HUGE_VAL, 1e9, "s", 3}};
constexpr std::array kReaderTime{Step{1e3, 1, "ns", 0}, Step{1e6, 1e3, "us", 3},
                                 Step{1e9, 1e6, "ms", 3}, Step{HUGE_VAL, 1e9, "s", 3}};
constexpr std::array kBytes{Step{1 << 14, 1, "B", 0}, Step{1 << 24, 1 << 10, "KiB", 1},
                            Step{17179869184.0, 1 << 20, "MiB", 1},
                            Step{HUGE_VAL, 1 << 30, "GiB", 2}};
constexpr std::array kHertz{Step{1e4, 1, "Hz", 0}, Step{1e7, 1e3, "kHz", 1},
                            Step{1e10, 1e6, "MHz", 1}, Step{HUGE_VAL, 1e9, "GHz", 3}};

template <std::size_t N>
Scale pick(const std::array<Step, N>& steps, double largest) {
  for (const Step& step : steps) {
    if (std::abs(largest) < step.below) return {step.divisor, step.decimals, step.label};
  }
  return {steps.back().divisor, steps.back().decimals, steps.back().label};
}

std::string_view unit_suffix(Unit unit) {
  switch (unit) {
    case Unit::ns:
      return "_ns";
    case Unit::bytes:
      return "_bytes";
    case Unit::gbps:
      return "_gbps";
    case Unit::gflops:
      return "_gflops";
    case Unit::hz:
      return "_hz";
    case Unit::pct:
      return "_pct";
    default:
      return "";
  }
}

std::string real(double value) {
  const double size = std::abs(value);
  if (!std::isfinite(value)) return "-";
  if (value == 0) return "0";
  if (size >= 0.01 && size < 1e6) return fmt::format("{:.4g}", value);
  return fmt::format("{:.3e}", value);
}

std::string list_text(const Value& value);

std::string plain_text(const Value& value) {
  if (value.is_null()) return "-";
  if (const auto* text = value.as<std::string>()) return *text;
  if (const auto* state = value.as<bool>()) return *state ? "yes" : "no";
  if (const auto* integer = value.as<std::int64_t>()) return std::to_string(*integer);
  if (const auto* number = value.as<double>()) return real(*number);
  return list_text(value);
}

std::string list_text(const Value& value) {
  std::vector<std::string> parts;
  if (const auto* list = value.as<List>()) {
    for (const Value& item : *list) parts.push_back(plain_text(item));
  } else if (const auto* record = value.as<Record>()) {
    for (const auto& [name, item] : *record)
      parts.push_back(fmt::format("{} {}", name, plain_text(item)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

Value with_readable_names(const Column& column, const Value& value) {
  if (const auto* text = value.as<std::string>())
    return column.type == Type::kernel ? Value(short_kernel(*text)) : value;
  Column within = column;
  const auto readable = [&](const Value& held) {
    const auto* text = held.as<std::string>();
    within.type = text != nullptr && text->starts_with("_Z") ? Type::kernel : column.type;
    return with_readable_names(within, held);
  };
  if (const auto* list = value.as<List>()) {
    List out;
    for (const Value& held : *list) out.push_back(readable(held));
    return Value(std::move(out));
  }
  if (const auto* record = value.as<Record>()) {
    Record out;
    for (const auto& [name, held] : *record) out.emplace_back(name, readable(held));
    return Value(std::move(out));
  }
  return value;
}

Scale scale_for(Unit unit, double largest, ForWhom whom) {
  switch (unit) {
    case Unit::ns:
      return whom == ForWhom::reader ? pick(kReaderTime, largest) : pick(kTime, largest);
    case Unit::bytes:
      return pick(kBytes, largest);
    case Unit::hz:
      return pick(kHertz, largest);
    case Unit::gbps:
      return {1, 1, "GB/s"};
    case Unit::gflops:
      return {1, 1, "GFLOP/s"};
    case Unit::share:
      return {0.01, 2, "%"};
    case Unit::pct:
      return {1, 2, "%"};
    case Unit::ratio:
      return {1, 3, "x"};
    case Unit::cycles:
      return {1, 0, "cycles"};
    case Unit::count:
    case Unit::none:
      break;
  }
  return {};
}

std::string grouped(std::int64_t value) {
  std::string digits = std::to_string(value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string cell_text(const Value& value, const Column& column, const Scale& scale) {
  if (value.is_null()) return "-";
  if (column.type == Type::dim3) {
    const auto* list = value.as<List>();
    if (!list) return plain_text(value);
    std::vector<std::string> parts;
    for (const Value& item : *list) parts.push_back(plain_text(item));
    return fmt::format("{}", fmt::join(parts, "x"));
  }
  const auto number = value.number();
  if (!number) return plain_text(value);
  if (!std::isfinite(*number)) return "-";
  if (column.unit == Unit::none) return plain_text(value);
  if (column.unit == Unit::count || column.unit == Unit::cycles) {
    if (const auto* integer = value.as<std::int64_t>()) return grouped(*integer);
    return real(*number);
  }
  return fmt::format("{:.{}f}", *number / scale.divisor, scale.decimals);
}

bool is_numeric(const Value& value) {
  const auto* text = value.as<std::string>();
  return value.is_null() || value.is_number() ||
         (text != nullptr && (*text == "NaN" || *text == "inf" || *text == "-inf"));
}

double largest_of(const Value& value) {
  if (const auto number = value.number()) return std::isfinite(*number) ? std::abs(*number) : 0;
  double largest = 0;
  if (const auto* record = value.as<Record>()) {
    for (const auto& [name, held] : *record) largest = std::max(largest, largest_of(held));
  }
  return largest;
}

std::string with_unit(const Value& value, Unit unit, ForWhom whom, double largest, double least) {
  const auto number = value.number();
  Column column;
  column.unit = unit;
  if (!number) return cell_text(value, column, {});
  Scale scale = scale_for(unit, *number, whom);
  const Scale beside = scale_for(unit, largest, whom);
  const bool fits = *number == 0 || std::abs(*number) >= beside.divisor * least;
  if (unit == Unit::ns && largest > 0 && fits) scale = beside;
  const std::string text = cell_text(value, column, scale);
  return scale.label.empty() || text == "-" ? text : fmt::format("{} {}", text, scale.label);
}

std::string heading(const Column& column, const Scale& scale) {
  std::string name = column.name;
  const std::string_view suffix = unit_suffix(column.unit);
  if (!suffix.empty() && name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  if (!scale.label.empty() && column.unit != Unit::cycles) name += fmt::format(" {}", scale.label);
  return name;
}

namespace {

/// One line for each record of a list: "number 1, kernel scale, time 3.200 us".
std::string lines_text(const BoundList& nested, const List& list) {
  constexpr std::size_t kMostLines = 20;
  std::string out;
  for (std::size_t i = 0; i < std::min(list.size(), kMostLines); ++i) {
    const auto* record = list[i].as<Record>();
    if (record == nullptr) continue;
    std::string line;
    for (const auto& [name, held] : *record) {
      const auto known = std::ranges::find(
          nested, std::string_view(name),
          [](const BoundColumn& column) { return std::string_view(column.about.name); });
      const Column member = known == nested.end() ? Column() : known->about;
      const std::string shown = known == nested.end() ? name : heading(member, {});
      line += fmt::format("{}{} {}", line.empty() ? "" : ", ", shown,
                          field_text(member, with_readable_names(member, held)));
    }
    out += (out.empty() ? "" : "\n") + line;
  }
  if (list.size() > kMostLines) out += fmt::format("\n... {} more", list.size() - kMostLines);
  return out;
}

}  // namespace

std::string name_in_words(std::string_view name) {
  std::string out(name);
  if (out.ends_with("_pct")) out.replace(out.size() - 4, 4, " %");
  std::ranges::replace(out, '_', ' ');
  return out;
}

std::string reader_heading(const Column& column, const Scale& scale) {
  std::string out = heading(column, scale);
  std::ranges::replace(out, '_', ' ');
  if (column.unit == Unit::cycles && column.type != Type::record &&
      out.find("cycles") == std::string::npos && !scale.label.empty())
    out += " cycles";
  return out;
}

std::vector<std::string> reader_headings(const std::vector<Column>& fields) {
  std::vector<std::string> out;
  for (const Column& field : fields) out.push_back(reader_heading(field));
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const bool share = fields[i].unit == Unit::pct || fields[i].unit == Unit::share;
    if (share && std::ranges::count(out, out[i]) > 1) out[i] += " share";
  }
  return out;
}

std::string field_text(const Column& column, const Value& value, ForWhom whom, double largest) {
  const auto* list = value.as<List>();
  if (list != nullptr && !list->empty() && column.nested != nullptr &&
      list->front().as<Record>() != nullptr)
    return lines_text(column.nested(), *list);
  const auto* record = value.as<Record>();
  if (!record) {
    Column as_cell = column;
    if (column.type == Type::dim3) return cell_text(value, as_cell, {});
    return with_unit(value, column.unit, whom, largest);
  }
  // Parts of one sum are in one unit.
  constexpr double kLeastPart = 0.01;
  largest = std::max(largest, largest_of(value));
  std::string out;
  const bool has_parts = largest_of(value) > 0;
  for (const auto& [name, held] : *record) {
    // A reader needs no list of what there is none of.
    if (whom == ForWhom::reader && has_parts && held.number() == 0) continue;
    if (!out.empty()) out += ", ";
    out += fmt::format("{} {}", whom == ForWhom::reader ? name_in_words(name) : std::string(name),
                       with_unit(held, column.unit, whom, largest, kLeastPart));
  }
  return out.empty() ? "-" : out;
}

}  // namespace rpl
