// SPDX-License-Identifier: MIT
#include "engine/tune/search/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "engine/base/interrupt.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/document/json.h"
#include "engine/tune/search/random.h"

namespace rpl::tune {
namespace {

constexpr std::size_t kMostPoints = 5'000'000, kMostLooks = 100'000'000, kMostParameters = 64,
                      kMostValues = 10'000;

/// Walks over all combinations, and leaves a branch as soon as a constraint whose parameters have values does not hold.
class Enumeration {
 public:
  Enumeration(const std::vector<Parameter>& parameters, std::vector<Constraint> constraints,
              const Predicate& predicate)
      : parameters_(parameters),
        predicate_(predicate),
        by_last_(parameters.size()),
        values_(parameters.size()),
        places_(parameters.size()) {
    for (Constraint& constraint : constraints) {
      const std::size_t last = constraint.parameters().empty() ? 0 : constraint.parameters().back();
      by_last_[last].push_back(std::move(constraint));
    }
  }

  Status walk(std::size_t depth = 0) {
    if (depth == parameters_.size()) return leaf();
    for (std::size_t i = 0; i < parameters_[depth].values.size(); ++i) {
      if (++looks_ % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
      if (looks_ > kMostLooks)
        return fail(Errc::limit, "the space has too many combinations: 100 million were looked at",
                    "constrain parameters early, or list configurations");
      values_[depth] = &parameters_[depth].values[i];
      places_[depth] = static_cast<std::uint16_t>(i);
      bool kept = true;
      for (const Constraint& constraint : by_last_[depth])
        kept = kept && TRY(constraint.holds(values_));
      if (kept) TRY(walk(depth + 1));
    }
    return {};
  }
  std::vector<std::uint16_t> out;

 private:
  Status leaf() {
    if (predicate_) {
      Record configuration;
      for (std::size_t i = 0; i < parameters_.size(); ++i)
        configuration.emplace_back(parameters_[i].name, *values_[i]);
      if (!TRY(predicate_(configuration))) return {};
    }
    if (out.size() / parameters_.size() >= kMostPoints)
      return fail(Errc::limit, "the space has more than 5 million configurations",
                  "constrain it, or leave values out");
    out.insert(out.end(), places_.begin(), places_.end());
    return {};
  }

  const std::vector<Parameter>& parameters_;
  const Predicate& predicate_;
  std::vector<std::vector<Constraint>> by_last_;
  std::vector<const Value*> values_;
  std::vector<std::uint16_t> places_;
  std::size_t looks_ = 0;
};

std::string key_of(const Value& value) {
  if (const auto number = value.number()) return fmt::format("n{}", *number + 0.0);
  return to_json(value);
}

std::optional<std::size_t> place_of(const Parameter& parameter, const Value& value) {
  for (std::size_t i = 0; i < parameter.values.size(); ++i) {
    if (same_choice(parameter.values[i], value)) return i;
  }
  return std::nullopt;
}

}  // namespace

bool same_choice(const Value& a, const Value& b) {
  const auto x = a.number(), y = b.number();
  return x && y ? *x == *y : a == b;
}

std::string choice_text(const Value& value) {
  if (const auto* text = value.as<std::string>()) return *text;
  if (const auto* real = value.as<double>()) {
    constexpr double kExact = 1e15;
    if (std::floor(*real) == *real && std::fabs(*real) < kExact)
      return fmt::format("{}", static_cast<std::int64_t>(*real));
    return fmt::format("{}", *real);
  }
  return to_json(value);
}

bool Parameter::ordered() const {
  return std::ranges::all_of(values, [](const Value& value) { return value.is_number(); });
}

Status Space::check_parameters() const {
  if (parameters_.empty())
    return fail(Errc::usage, "the space has no parameters",
                "{\"parameters\": {\"BLOCK\": [16, 32]}}");
  if (parameters_.size() > kMostParameters)
    return fail(Errc::limit, fmt::format("the space has {} parameters", parameters_.size()),
                "at most 64");
  std::set<std::string> names;
  for (const Parameter& parameter : parameters_) {
    if (parameter.name.empty() || parameter.name.find_first_of("{}=\n") != std::string::npos)
      return fail(Errc::usage, fmt::format("'{}' is not a name of a parameter", parameter.name),
                  "it stands in braces in command templates");
    // Documents and caches could not say it back.
    if (!is_utf8(parameter.name))
      return fail(Errc::usage, "the name of a parameter is not UTF-8", "name it in ASCII");
    if (!names.insert(parameter.name).second)
      return fail(Errc::usage, fmt::format("the parameter {} appears twice", parameter.name),
                  "name each parameter once");
    if (parameter.values.empty())
      return fail(Errc::usage, fmt::format("the parameter {} has no values", parameter.name),
                  "list at least one: \"BLOCK\": [64]");
    if (parameter.values.size() > kMostValues)
      return fail(
          Errc::limit,
          fmt::format("the parameter {} has {} values", parameter.name, parameter.values.size()),
          "at most 10,000");
    std::set<std::string> seen;
    for (const Value& value : parameter.values) {
      if (const auto* text = value.as<std::string>(); text != nullptr && !is_utf8(*text))
        return fail(Errc::usage,
                    fmt::format("a value of the parameter {} is not UTF-8", parameter.name),
                    "write it in UTF-8");
      const bool real = value.as<double>() != nullptr && !std::isfinite(*value.as<double>());
      if (real || value.is_null() || value.as<List>() != nullptr || value.as<Record>() != nullptr)
        return fail(
            Errc::usage,
            fmt::format("the parameter {} has the value {}", parameter.name, to_json(value)),
            "numbers, texts, true and false are values");
      if (!seen.insert(key_of(value)).second)
        return fail(Errc::usage,
                    fmt::format("the parameter {} has the value {} twice", parameter.name,
                                choice_text(value)),
                    "list each value once");
    }
  }
  return {};
}

Status Space::index() {
  std::uint64_t all = 1;
  for (const Parameter& parameter : parameters_) {
    if (all > std::numeric_limits<std::uint64_t>::max() / parameter.values.size())
      return fail(Errc::limit, "the space has more combinations than 64 bits count");
    all *= parameter.values.size();
  }
  ranks_.resize(size());
  for (std::size_t point = 0; point < size(); ++point) {
    std::uint64_t rank = 0;
    const auto at = places(point);
    for (std::size_t i = 0; i < at.size(); ++i) rank = rank * parameters_[i].values.size() + at[i];
    ranks_[point] = {rank, static_cast<std::uint32_t>(point)};
  }
  std::ranges::sort(ranks_);
  for (std::size_t i = 1; i < ranks_.size(); ++i) {
    if (ranks_[i].first == ranks_[i - 1].first)
      return fail(Errc::usage,
                  fmt::format("the configuration {} appears twice", label(ranks_[i].second)),
                  "list each configuration once");
  }
  if (size() == 0)
    return fail(Errc::usage, "the space is empty: no configuration meets its constraints",
                "leave constraints out until one does");
  return {};
}

Result<Space> Space::product(std::vector<Parameter> parameters,
                             const std::vector<std::string>& constraints,
                             const Predicate& predicate) {
  Space out;
  out.parameters_ = std::move(parameters);
  TRY(out.check_parameters());
  std::vector<std::string> names;
  for (const Parameter& parameter : out.parameters_) names.push_back(parameter.name);
  std::vector<Constraint> parsed;
  for (const std::string& text : constraints) {
    if (!is_utf8(text)) return fail(Errc::usage, "a constraint is not UTF-8", "write it in UTF-8");
  }
  for (const std::string& text : constraints) parsed.push_back(TRY(Constraint::parse(text, names)));
  Enumeration all(out.parameters_, std::move(parsed), predicate);
  TRY(all.walk());
  out.places_ = std::move(all.out);
  out.constraints_ = constraints;
  out.by_rule_ = !predicate;
  TRY(out.index());
  return out;
}

Result<Space> Space::listed(const std::vector<Record>& configurations) {
  Space out;
  out.by_rule_ = false;
  if (configurations.empty())
    return fail(Errc::usage, "the list of configurations is empty",
                "list at least one: [{\"BLOCK\": 64}]");
  if (configurations.size() > kMostPoints)
    return fail(Errc::limit, "the space has more than 5 million configurations");
  for (const auto& [name, value] : configurations.front())
    out.parameters_.push_back({.name = name, .values = {}});
  const std::size_t width = out.parameters_.size();
  std::vector<std::map<std::string, std::uint16_t>> known(width);
  for (std::size_t row = 0; row < configurations.size(); ++row) {
    const Record& configuration = configurations[row];
    for (std::size_t i = 0; i < width; ++i) {
      // Most lists keep their keys in one order; any other is searched.
      Parameter& parameter = out.parameters_[i];
      auto cell = i < configuration.size() && configuration[i].first == parameter.name
                      ? configuration.begin() + static_cast<std::ptrdiff_t>(i)
                      : std::ranges::find(configuration, parameter.name,
                                          &std::pair<std::string, Value>::first);
      if (cell == configuration.end() || configuration.size() != width)
        return fail(
            Errc::usage,
            fmt::format(
                "configuration {} does not name the parameters of the first one ({})", row + 1,
                cell == configuration.end() ? "it lacks " + parameter.name : "it has others"),
            "every configuration names the same parameters");
      const auto [place, fresh] = known[i].try_emplace(
          key_of(cell->second), static_cast<std::uint16_t>(parameter.values.size()));
      if (fresh) parameter.values.push_back(cell->second);
      if (parameter.values.size() > kMostValues)
        return fail(Errc::limit,
                    fmt::format("the parameter {} has more than 10,000 values", parameter.name));
      out.places_.push_back(place->second);
    }
  }
  TRY(out.check_parameters());
  TRY(out.index());
  return out;
}

Record Space::configuration(std::size_t point) const {
  Record out;
  const auto at = places(point);
  for (std::size_t i = 0; i < at.size(); ++i)
    out.emplace_back(parameters_[i].name, parameters_[i].values[at[i]]);
  return out;
}

std::string Space::label(std::size_t point) const {
  std::string out;
  const auto at = places(point);
  for (std::size_t i = 0; i < at.size(); ++i)
    out += fmt::format("{}{}={}", i == 0 ? "" : " ", parameters_[i].name,
                       choice_text(parameters_[i].values[at[i]]));
  return out;
}

std::optional<std::size_t> Space::find(std::span<const std::uint16_t> at) const {
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < at.size(); ++i) rank = rank * parameters_[i].values.size() + at[i];
  const auto found =
      std::ranges::lower_bound(ranks_, rank, {}, &std::pair<std::uint64_t, std::uint32_t>::first);
  if (found == ranks_.end() || found->first != rank) return std::nullopt;
  return found->second;
}

Result<std::size_t> Space::find(const Record& configuration) const {
  std::vector<std::uint16_t> at(parameters_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const auto cell = std::ranges::find(configuration, parameters_[i].name,
                                        &std::pair<std::string, Value>::first);
    if (cell == configuration.end())
      return fail(Errc::not_found,
                  fmt::format("the configuration lacks the parameter {}", parameters_[i].name),
                  "name every parameter: 'tune status' shows them");
    const auto place = place_of(parameters_[i], cell->second);
    if (!place)
      return fail(
          Errc::not_found,
          fmt::format("the space has no {}={}", parameters_[i].name, choice_text(cell->second)),
          "'space count' shows the values");
    at[i] = static_cast<std::uint16_t>(*place);
  }
  if (configuration.size() != parameters_.size())
    return fail(Errc::not_found, "the configuration names a parameter that the space lacks",
                "'space count' shows the parameters");
  const auto point = find(at);
  if (!point)
    return fail(Errc::not_found, "the configuration does not meet the space's constraints",
                "'space define' shows how a space is written");
  return *point;
}

Status Space::set_default(const Record& configuration) {
  auto point = find(configuration);
  if (!point)
    return fail(Errc::usage, "default: " + point.error().message,
                "it must be a configuration of the space");
  default_ = *point;
  return {};
}

std::vector<std::size_t> Space::sample(std::size_t count, std::uint64_t seed) const {
  std::vector<std::size_t> all(size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  Random random(seed);
  count = std::min(count, all.size());
  for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + random.below(all.size() - i)]);
  all.resize(count);
  return all;
}

std::vector<std::size_t> Space::neighbours(std::size_t point) const {
  std::vector<std::size_t> out;
  const auto from = places(point);
  std::vector<std::uint16_t> at(from.begin(), from.end());
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Parameter& parameter = parameters_[i];
    std::vector<std::size_t> others;
    if (parameter.ordered()) {
      // The file's order need not be that of the numbers.
      const double here = *parameter.values[from[i]].number();
      std::optional<std::size_t> below, above;
      for (std::size_t v = 0; v < parameter.values.size(); ++v) {
        const double there = *parameter.values[v].number();
        if (there < here && (!below || there > *parameter.values[*below].number())) below = v;
        if (there > here && (!above || there < *parameter.values[*above].number())) above = v;
      }
      if (below) others.push_back(*below);
      if (above) others.push_back(*above);
    } else {
      for (std::size_t v = 0; v < parameter.values.size(); ++v) {
        if (v != from[i]) others.push_back(v);
      }
    }
    for (const std::size_t other : others) {
      at[i] = static_cast<std::uint16_t>(other);
      if (const auto found = find(at)) out.push_back(*found);
    }
    at[i] = from[i];
  }
  return out;
}

Space Space::restricted_to(const std::vector<std::size_t>& points) const {
  Space out = *this;
  out.by_rule_ = false;
  out.places_.clear();
  out.default_ = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto at = places(points[i]);
    out.places_.insert(out.places_.end(), at.begin(), at.end());
    if (points[i] == default_) out.default_ = i;
  }
  // Points of a space are different, so that counting them again cannot fail.
  (void)out.index();
  return out;
}

std::string Space::digest() const {
  Record names;
  for (const Parameter& parameter : parameters_)
    names.emplace_back(parameter.name, List(parameter.values));
  Sha256 hash;
  const std::string text = to_json(Value(std::move(names)));
  hash.add(std::as_bytes(std::span(text)));
  hash.add(std::as_bytes(std::span(places_)));
  constexpr std::size_t kDigits = 16;
  return hash.hex().substr(0, kDigits);
}

}  // namespace rpl::tune
