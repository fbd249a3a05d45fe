// SPDX-License-Identifier: MIT
#include "tests/silicon/measured_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/files.h"
#include "engine/base/numbers.h"

namespace rpl::silicon {
namespace {

constexpr double kUsPerMs = 1000;

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t comma = line.find(',');
    out.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return out;
    line.remove_prefix(comma + 1);
  }
}

/// Calls `take` with the fields of each line that is no comment. Fails with what it returns.
template <class Take>
Status each_line(const std::string& path, const Take& take) {
  const std::string text = TRY(read_text_file(path));
  std::string_view rest = text;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line.empty() || line.starts_with('#')) continue;
    if (!take(split(line)))
      return fail(Errc::corrupt,
                  fmt::format("{}:{}: '{}' is no line of a table", path, number, line));
  }
  return {};
}

/// A time in microseconds, above zero.
std::optional<double> time_of(std::string_view text, double unit) {
  const auto value = whole_number<double>(text);
  if (!value || !(*value > 0)) return std::nullopt;
  return *value * unit;
}

std::string line_of(std::string_view name, const Summary& sum) {
  return fmt::format(
      "{:<24} {:>4} points  weighted {:5.1f} % ({:+6.1f} %)  mean {:5.1f} %  median {:5.1f} %  "
      "worst {:5.0f} %\n",
      name, sum.points, 100 * sum.weighted, 100 * sum.bias, 100 * sum.mean, 100 * sum.median,
      100 * sum.worst);
}

}  // namespace

Result<std::vector<Measured>> read_measured(const std::string& path) {
  std::vector<Measured> out;
  TRY(each_line(path, [&](const std::vector<std::string_view>& fields) {
    constexpr std::size_t kColumns = 6, kMean = 3, kMin = 4;
    if (fields.size() != kColumns) return false;
    if (fields[0] == "benchmark") return true;
    const auto mean = time_of(fields[kMean], kUsPerMs), least = time_of(fields[kMin], kUsPerMs);
    if (!mean || !least) return false;
    out.push_back({std::string(fields[0]), std::string(fields[1]), *mean, *least});
    return true;
  }));
  return out;
}

Result<Modelled> read_modelled(const std::string& path) {
  Modelled out;
  TRY(each_line(path, [&](const std::vector<std::string_view>& fields) {
    constexpr std::size_t kColumns = 3;
    if (fields.size() != kColumns) return false;
    const auto time = time_of(fields[2], 1);
    if (!time) return false;
    out[{std::string(fields[0]), std::string(fields[1])}] = *time;
    return true;
  }));
  return out;
}

std::vector<Pair> paired(const std::vector<Measured>& measured, const Modelled& modelled) {
  std::vector<Pair> out;
  for (const Measured& one : measured) {
    const auto found = modelled.find({one.benchmark, one.size});
    if (found != modelled.end())
      out.push_back({one.benchmark, one.size, one.min_us, one.mean_us, found->second});
  }
  return out;
}

Summary summarize(std::span<const Pair> pairs) {
  Summary out{.points = pairs.size()};
  if (pairs.empty()) return out;
  double real = 0, off = 0, signed_off = 0;
  std::vector<double> errors;
  for (const Pair& pair : pairs) {
    real += pair.real_us;
    off += std::abs(pair.modelled_us - pair.real_us);
    signed_off += pair.modelled_us - pair.real_us;
    errors.push_back(pair.error());
    out.mean += pair.error();
  }
  out.weighted = off / real;
  out.bias = signed_off / real;
  out.mean /= static_cast<double>(errors.size());
  std::ranges::sort(errors);
  out.median = errors[errors.size() / 2];
  out.worst = errors.back();
  return out;
}

std::vector<std::pair<std::string, std::vector<Pair>>> by_family(const std::vector<Pair>& pairs) {
  std::vector<std::pair<std::string, std::vector<Pair>>> out;
  for (const Pair& pair : pairs) {
    auto at =
        std::ranges::find(out, pair.benchmark, [](const auto& family) { return family.first; });
    if (at == out.end()) at = out.insert(out.end(), {pair.benchmark, {}});
    at->second.push_back(pair);
  }
  return out;
}

double share_in_order(const std::vector<Pair>& pairs) {
  constexpr double kDiffers = 1.1;
  std::size_t all = 0, right = 0;
  for (const auto& [name, family] : by_family(pairs)) {
    for (const Pair& a : family) {
      for (const Pair& b : family) {
        if (a.real_us <= b.real_us * kDiffers) continue;
        ++all;
        right += a.modelled_us > b.modelled_us ? 1 : 0;
      }
    }
  }
  return all == 0 ? 1 : static_cast<double>(right) / static_cast<double>(all);
}

std::string table(const std::vector<Pair>& pairs, bool points) {
  std::string out;
  const auto families = by_family(pairs);
  if (points) {
    out += fmt::format("{:<22} {:<28} {:>11} {:>11} {:>12} {:>6}\n", "benchmark", "size", "real us",
                       "mean us", "modelled us", "ratio");
    for (const Pair& pair : pairs)
      out += fmt::format("{:<22} {:<28} {:>11.1f} {:>11.1f} {:>12.1f} {:>6.2f}\n", pair.benchmark,
                         pair.size, pair.real_us, pair.mean_us, pair.modelled_us, pair.ratio());
    out += '\n';
  }
  double equal = 0;
  for (const auto& [name, family] : families) {
    const Summary sum = summarize(family);
    equal += sum.weighted / static_cast<double>(families.size());
    out += line_of(name, sum);
  }
  constexpr double kLaunchBound = 5, kLong = 20;  // microseconds
  const auto those = [&](const auto& wanted) {
    std::vector<Pair> some;
    std::ranges::copy_if(pairs, std::back_inserter(some), wanted);
    return summarize(some);
  };
  out += line_of("all", summarize(pairs));
  out += line_of("20 us or longer", those([](const Pair& p) { return p.real_us >= kLong; }));
  out += line_of("shorter", those([](const Pair& p) { return p.real_us < kLong; }));
  out += line_of("launch-bound, below 5 us",
                 those([](const Pair& p) { return p.real_us < kLaunchBound; }));
  out += fmt::format("weighted error with every family alike: {:.1f} %\n", 100 * equal);
  out += fmt::format("pairs of a family in the right order:   {:.1f} %\n",
                     100 * share_in_order(pairs));
  return out;
}

}  // namespace rpl::silicon
