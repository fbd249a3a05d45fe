// SPDX-License-Identifier: MIT
// Spaces as files say them.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "engine/document/json.h"
#include "engine/tune/search/space.h"

namespace rpl::tune {
namespace {

Result<std::vector<Parameter>> parameters_from(const Value& value) {
  std::vector<Parameter> out;
  if (const auto* named = value.as<Record>()) {
    for (const auto& [name, values] : *named) {
      const auto* list = values.as<List>();
      if (list == nullptr)
        return fail(Errc::usage, fmt::format("parameters: {} is not a list of values", name),
                    "\"BLOCK\": [16, 32]");
      out.push_back({.name = name, .values = *list});
    }
    return out;
  }
  const auto* list = value.as<List>();
  if (list == nullptr)
    return fail(Errc::usage, "parameters is neither an object nor a list",
                R"({"parameters": {"BLOCK": [16, 32]}})");
  for (const Value& item : *list) {
    const Value *name = item.find("name"), *values = item.find("values");
    if (name == nullptr || values == nullptr || name->as<std::string>() == nullptr ||
        values->as<List>() == nullptr)
      return fail(Errc::usage, "a parameter of the list lacks name or values",
                  R"({"name": "BLOCK", "values": [16, 32]})");
    out.push_back({.name = *name->as<std::string>(), .values = *values->as<List>()});
  }
  return out;
}

Result<std::vector<std::string>> constraints_from(const Value* value) {
  std::vector<std::string> out;
  if (value == nullptr || value->is_null()) return out;
  if (const auto* one = value->as<std::string>()) return std::vector{*one};
  const auto* list = value->as<List>();
  if (list == nullptr)
    return fail(Errc::usage, "constraints is not a list of texts",
                R"("constraints": ["BLOCK <= 64"])");
  for (const Value& item : *list) {
    const auto* text = item.as<std::string>();
    if (text == nullptr)
      return fail(Errc::usage, "a constraint is not a text", R"("constraints": ["BLOCK <= 64"])");
    out.push_back(*text);
  }
  return out;
}

Result<std::vector<Record>> configurations_from(const List& list) {
  std::vector<Record> out;
  out.reserve(list.size());
  for (const Value& item : list) {
    const auto* record = item.as<Record>();
    if (record == nullptr)
      return fail(Errc::usage, fmt::format("configuration {} is not an object", out.size() + 1),
                  R"([{"BLOCK": 16}, {"BLOCK": 32}])");
    out.push_back(*record);
  }
  return out;
}

/// Values named by their places: what a space writes whose points follow from no constraint.
Result<std::vector<std::uint16_t>> places_from(const std::vector<Parameter>& parameters,
                                               const List& points) {
  std::vector<std::uint16_t> out;
  out.reserve(points.size() * parameters.size());
  for (std::size_t row = 0; row < points.size(); ++row) {
    const auto* list = points[row].as<List>();
    if (list == nullptr || list->size() != parameters.size())
      return fail(Errc::usage,
                  fmt::format("point {} does not hold a place for each parameter", row + 1),
                  "a point is a list of places, from 0, one for each parameter");
    for (std::size_t i = 0; i < list->size(); ++i) {
      const auto* at = (*list)[i].as<std::int64_t>();
      if (at == nullptr || *at < 0 || static_cast<std::size_t>(*at) >= parameters[i].values.size())
        return fail(Errc::usage,
                    fmt::format("point {} names no value of {}", row + 1, parameters[i].name),
                    "places count from 0 among the values of the parameter");
      out.push_back(static_cast<std::uint16_t>(*at));
    }
  }
  return out;
}

}  // namespace

Result<Space> Space::from_value(const Value& value, const Predicate& predicate) {
  if (const auto* list = value.as<List>()) return listed(TRY(configurations_from(*list)));
  const Value *configurations = value.find("configurations"),
              *parameters = value.find("parameters"), *points = value.find("points");
  Space out;
  if (configurations != nullptr) {
    const auto* list = configurations->as<List>();
    if (list == nullptr)
      return fail(Errc::usage, "configurations is not a list",
                  R"("configurations": [{"BLOCK": 64}])");
    out = TRY(listed(TRY(configurations_from(*list))));
  } else if (parameters == nullptr) {
    return fail(Errc::usage, "a space is a list of configurations, or an object with parameters",
                R"({"parameters": {"BLOCK": [16, 32]}, "constraints": ["BLOCK <= 64"]})");
  } else if (points != nullptr) {
    const auto* list = points->as<List>();
    if (list == nullptr)
      return fail(Errc::usage, "points is not a list", R"("points": [[0, 1], [1, 0]])");
    out.parameters_ = TRY(parameters_from(*parameters));
    TRY(out.check_parameters());
    out.by_rule_ = false;
    out.places_ = TRY(places_from(out.parameters_, *list));
    TRY(out.index());
  } else {
    out = TRY(product(TRY(parameters_from(*parameters)),
                      TRY(constraints_from(value.find("constraints"))), predicate));
  }
  if (const Value* first = value.find("default"); first != nullptr && !first->is_null()) {
    const auto* record = first->as<Record>();
    if (record == nullptr)
      return fail(Errc::usage, "default is not a configuration", R"("default": {"BLOCK": 16})");
    TRY(out.set_default(*record));
  }
  return out;
}

Result<Space> Space::parse(std::string_view json) {
  // Two names could become one when the reader replaces such bytes.
  if (!is_utf8(json))
    return fail(Errc::usage, "a space of configurations is not UTF-8", "write it in UTF-8");
  return from_value(TRY(parse_json(json)));
}

Value Space::to_value() const {
  Record names;
  for (const Parameter& parameter : parameters_)
    names.emplace_back(parameter.name, List(parameter.values));
  Record out{{"parameters", Value(std::move(names))}};
  if (by_rule_) {
    List texts;
    for (const std::string& text : constraints_) texts.emplace_back(text);
    out.emplace_back("constraints", Value(std::move(texts)));
  } else {
    List points;
    for (std::size_t point = 0; point < size(); ++point) {
      List at;
      for (const std::uint16_t place : places(point)) at.emplace_back(std::uint32_t{place});
      points.emplace_back(std::move(at));
    }
    out.emplace_back("points", Value(std::move(points)));
  }
  out.emplace_back("default", Value(configuration(default_)));
  return Value(std::move(out));
}

}  // namespace rpl::tune
