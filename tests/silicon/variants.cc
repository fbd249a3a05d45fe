// SPDX-License-Identifier: MIT
#include "tests/silicon/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>

#include "engine/base/files.h"
#include "engine/base/numbers.h"

namespace rpl::silicon {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t bar = line.find('|');
    out.push_back(trimmed(line.substr(0, bar)));
    if (bar == std::string_view::npos) return out;
    line.remove_prefix(bar + 1);
  }
}

/// "scale 4096_wg64"
std::optional<Measured> point_of(std::string_view text) {
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  return Measured{.benchmark = std::string(text.substr(0, blank)),
                  .size = std::string(trimmed(text.substr(blank + 1)))};
}

std::optional<Variants> variants_of(const std::vector<std::string_view>& fields) {
  constexpr std::size_t kFields = 8;
  if (fields.size() != kFields) return std::nullopt;
  const auto slow = point_of(fields[3]), fast = point_of(fields[4]);
  const auto ratio = whole_number<double>(fields[5]);
  if (!slow || !fast || (fields[5] != ">" && !(ratio && *ratio > 0))) return std::nullopt;
  return Variants{.name = std::string(fields[0]),
                  .gpu = std::string(fields[1]),
                  .program = std::string(fields[2]),
                  .slow = *slow,
                  .fast = *fast,
                  .ratio = fields[5] == ">" ? std::nullopt : std::optional(*ratio),
                  .known = std::string(fields[6]),
                  .source = std::string(fields[7])};
}

std::string_view architecture_of(std::string_view gpu) {
  return gpu.starts_with("MI2") ? "gfx90a" : "gfx942";
}

std::string line_of(std::string_view name, const VariantTotals& sum) {
  const auto percent = [](std::size_t some, std::size_t all) {
    return all == 0 ? 100.0 : 100.0 * static_cast<double>(some) / static_cast<double>(all);
  };
  return fmt::format(
      "{}: {} of {} pairs with the right sign ({:.0f} %), {} of {} ratios within a factor of 1.3 "
      "({:.0f} %)\n",
      name, sum.right_sign, sum.pairs, percent(sum.right_sign, sum.pairs), sum.near, sum.with_ratio,
      percent(sum.near, sum.with_ratio));
}

Result<double> time_of(const Programs& programs, const Point& point) {
  Programs own = programs;
  own.gpu = point.gpu;
  own.folder = fmt::format("{}/{}", programs.folder, architecture_of(point.gpu));
  if (!programs.records.empty()) own.records = fmt::format("{}/{}", programs.records, point.gpu);
  return model_point_of(own, point.program, {.benchmark = point.benchmark, .size = point.size});
}

}  // namespace

Result<std::vector<Variants>> read_variants(const std::string& path) {
  const std::string text = TRY(read_text_file(path));
  std::vector<Variants> out;
  std::string_view rest = text;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (trimmed(line).empty() || line.starts_with('#')) continue;
    auto pair = variants_of(fields_of(line));
    if (!pair)
      return fail(Errc::corrupt, fmt::format("{}:{}: '{}' is no pair", path, number, line));
    out.push_back(std::move(*pair));
  }
  return out;
}

bool ModelledVariants::right_sign() const {
  constexpr double kShows = 1.05, kNone = 1.1;
  if (!pair.ratio) return ratio() > kShows;
  if (*pair.ratio < kShows && *pair.ratio > 1 / kShows)
    return ratio() < kNone && ratio() > 1 / kNone;
  return (ratio() > 1) == (*pair.ratio > 1);
}

bool ModelledVariants::near() const {
  constexpr double kFactor = 1.3;
  if (!pair.ratio) return true;
  const double off = ratio() / *pair.ratio;
  return off <= kFactor && off >= 1 / kFactor;
}

// Many pairs share a kernel: each is run once.
Result<std::vector<ModelledVariants>> model_variants(
    const Programs& programs, const std::vector<Variants>& pairs, unsigned jobs,
    const std::function<void(const Point&)>& done) {
  std::map<Point, double> times;
  for (const Variants& pair : pairs) {
    for (const Measured& one : {pair.slow, pair.fast})
      times.emplace(Point{pair.gpu, pair.program, one.benchmark, one.size}, 0);
  }
  Status failure;
  std::mutex mutex;
  auto next = times.begin();
  const auto work = [&] {
    for (;;) {
      std::unique_lock lock(mutex);
      if (next == times.end()) return;
      auto& [point, time] = *next++;
      lock.unlock();
      auto modelled = time_of(programs, point);
      lock.lock();
      if (!modelled) {
        if (failure) failure = std::move(modelled).failure();
        next = times.end();
        return;
      }
      time = *modelled;
      if (done) done(point);
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < jobs; ++i) threads.emplace_back(work);
  }
  TRY(std::move(failure));
  std::vector<ModelledVariants> out;
  for (const Variants& pair : pairs)
    out.push_back({pair, times[{pair.gpu, pair.program, pair.slow.benchmark, pair.slow.size}],
                   times[{pair.gpu, pair.program, pair.fast.benchmark, pair.fast.size}]});
  return out;
}

VariantTotals totals(const std::vector<ModelledVariants>& pairs) {
  VariantTotals out{.pairs = pairs.size()};
  for (const ModelledVariants& one : pairs) {
    out.right_sign += one.right_sign() ? 1 : 0;
    if (!one.pair.ratio) continue;
    ++out.with_ratio;
    out.near += one.near() ? 1 : 0;
  }
  return out;
}

std::string table(const std::vector<ModelledVariants>& pairs) {
  std::string out =
      fmt::format("{:<44} {:<7} {:>8} {:>8} {:>10} {:>10} {:<5} {:<6} {}\n", "pair", "GPU",
                  "expected", "modelled", "us", "us", "sign", "ratio", "known");
  for (const ModelledVariants& one : pairs)
    out += fmt::format("{:<44} {:<7} {:>8} {:>8.2f} {:>10.1f} {:>10.1f} {:<5} {:<6} {}\n",
                       one.pair.name, one.pair.gpu,
                       one.pair.ratio ? fmt::format("{:.2f}", *one.pair.ratio) : "> 1", one.ratio(),
                       one.slow_us, one.fast_us, one.right_sign() ? "right" : "WRONG",
                       !one.pair.ratio ? ""
                       : one.near()    ? "near"
                                       : "OFF",
                       one.pair.known);
  std::vector<ModelledVariants> independent;
  std::ranges::copy_if(pairs, std::back_inserter(independent),
                       [](const ModelledVariants& one) { return one.pair.known != "constant"; });
  out += line_of("all", totals(pairs));
  out += line_of("whose figures gave no constant", totals(independent));
  return out;
}

}  // namespace rpl::silicon
