// SPDX-License-Identifier: MIT
#include "engine/att/read/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "engine/att/read/json_document.h"
#include "engine/base/numbers.h"

namespace rpl::att {
namespace {

bool plausible_time(std::int64_t time) { return time >= -kLatestTime && time <= kLatestTime; }

/// A name must stay in the folder.
bool plain_name(std::string_view name) {
  return !name.empty() && name.size() < 256 && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos && !name.starts_with('.');
}

bool take_wave(JsonNode leaf, WaveFile& wave) {
  const std::vector<JsonNode> triple = leaf.elements();
  if (triple.size() < 3) return false;
  const auto name = triple[0].text();
  const auto begin = triple[1].integer(), end = triple[2].integer();
  if (!name || !begin || !end || !plain_name(*name)) return false;
  if (!plausible_time(*begin) || !plausible_time(*end) || *end < *begin) return false;
  wave.name = *name;
  wave.begin = *begin;
  wave.end = *end;
  return true;
}

/// wave_filenames[SE][SIMD][slot][id] = [name, begin, end].
class WaveNames {
 public:
  explicit WaveNames(Manifest& manifest) : manifest_(manifest) {}

  std::size_t read(JsonNode tree) {
    WaveFile wave;
    level(tree, wave, 0);
    std::ranges::sort(manifest_.waves, {},
                      [](const WaveFile& w) { return std::tuple(w.se, w.simd, w.slot, w.id); });
    return skipped_;
  }

 private:
  void level(JsonNode tree, WaveFile& wave, int depth) {
    if (depth == 4) {
      if (manifest_.waves.size() < kMostWaves && take_wave(tree, wave)) {
        manifest_.waves.push_back(wave);
      } else {
        ++skipped_;
      }
      return;
    }
    for (const auto& [key, value] : tree.members()) {
      const auto number = whole_number<std::uint32_t>(key);
      if (!number) {
        ++skipped_;
        continue;
      }
      std::uint32_t* const places[] = {&wave.se, &wave.simd, &wave.slot, &wave.id};
      *places[depth] = *number;
      level(value, wave, depth + 1);
    }
  }

  Manifest& manifest_;
  std::size_t skipped_ = 0;
};

bool flag_of(JsonNode root, std::string_view key, bool otherwise) {
  const auto found = root.member(key);
  return found ? found->boolean().value_or(otherwise) : otherwise;
}

}  // namespace

Result<Manifest> read_manifest(const std::string& path, ReadNotes& notes) {
  JsonDocument document;
  const JsonNode root = TRY(document.read(path));
  Manifest manifest;
  if (const auto gfxip = root.member("gfxip")) {
    manifest.gfxip = static_cast<int>(gfxip->count(99).value_or(0));
  }
  if (const auto version = root.member("version")) manifest.version = version->text().value_or("");
  if (const auto counters = root.list("counter_names")) {
    for (const JsonNode& name : counters->elements())
      manifest.counters.emplace_back(name.text().value_or(""));
  }
  if (const auto modelled = root.member("modelled")) {
    const auto model = modelled->member("model"), what = modelled->member("what");
    manifest.model = model ? model->text().value_or("") : "";
    manifest.modelled_what = what ? what->text().value_or("") : "";
  }
  manifest.thread_trace = flag_of(root, "thread_trace", true);
  manifest.pc_sampling = flag_of(root, "pc_sampling", false);
  manifest.stochastic = flag_of(root, "is_pcs_stochastic", false);
  if (const auto tree = root.member("wave_filenames")) {
    const std::size_t skipped = WaveNames(manifest).read(*tree);
    if (skipped > 0)
      notes.add(fmt::format("{}: {} wave entries were left out as damaged", path, skipped));
  }
  return manifest;
}

std::vector<WaveFile> waves_by_name(const std::vector<std::string>& file_names) {
  std::vector<WaveFile> waves;
  for (const std::string& name : file_names) {
    WaveFile wave;
    int used = 0;
    if (name.size() < 100 &&
        std::sscanf(name.c_str(), "se%9u_sm%9u_sl%9u_wv%9u.json%n", &wave.se, &wave.simd,
                    &wave.slot, &wave.id, &used) == 4 &&
        static_cast<std::size_t>(used) == name.size()) {
      wave.name = name;
      waves.push_back(std::move(wave));
    }
  }
  std::ranges::sort(waves, {},
                    [](const WaveFile& w) { return std::tuple(w.se, w.simd, w.slot, w.id); });
  return waves;
}

std::optional<double> Clocks::gfx_hz() const {
  for (const ClockPoints& at : points) {
    if (at.real_last <= at.real_first || at.gfx_last <= at.gfx_first || frequency <= 0) continue;
    return static_cast<double>(at.gfx_last - at.gfx_first) * static_cast<double>(frequency) /
           static_cast<double>(at.real_last - at.real_first);
  }
  return std::nullopt;
}

std::map<std::uint32_t, std::int64_t> Clocks::offsets(
    const std::vector<std::uint32_t>& wanted) const {
  double real = 0, gfx = 0;
  for (const ClockPoints& at : points) {
    real += static_cast<double>(at.real_last - at.real_first);
    gfx += static_cast<double>(at.gfx_last - at.gfx_first);
  }
  if (real <= 0 || gfx <= 0 || points.empty()) return {};
  const double ticks_per_cycle = real / gfx;
  // Ticks are near 2^57: the origin is counted from the first engine's, so that a double holds it.
  const std::int64_t base = points.front().real_first;
  std::map<std::uint32_t, double> origin;
  for (const ClockPoints& at : points) {
    origin[at.se] = static_cast<double>(at.real_first - base) -
                    static_cast<double>(at.gfx_first) * ticks_per_cycle;
  }
  double first = 0;
  bool any = false;
  for (const std::uint32_t se : wanted) {
    if (!origin.contains(se)) return {};
    first = any ? std::min(first, origin[se]) : origin[se];
    any = true;
  }
  std::map<std::uint32_t, std::int64_t> out;
  for (const std::uint32_t se : wanted) {
    const double cycles = (origin[se] - first) / ticks_per_cycle;
    if (!(cycles < static_cast<double>(kLatestTime))) return {};
    out[se] = static_cast<std::int64_t>(cycles + 0.5);
  }
  return out;
}

Result<Clocks> read_clocks(const std::string& path) {
  JsonDocument document;
  const JsonNode root = TRY(document.read(path));
  Clocks clocks;
  if (const auto metadata = root.member("metadata")) {
    if (const auto frequency = metadata->member("frequency"))
      clocks.frequency = static_cast<std::int64_t>(frequency->count(1ULL << 40).value_or(0));
  }
  for (const auto& [key, value] : root.members()) {
    const auto se =
        key.starts_with("SE") ? whole_number<std::uint32_t>(key.substr(2)) : std::nullopt;
    if (!se) continue;
    ClockPoints points{.se = *se};
    std::size_t seen = 0;
    for (const JsonNode& row : value.elements()) {
      std::int64_t pair[2];
      if (row.integers(pair) < 2 || !plausible_time(pair[0]) || pair[1] < 0) continue;
      if (seen++ == 0) {
        points.gfx_first = pair[0];
        points.real_first = pair[1];
      }
      points.gfx_last = pair[0];
      points.real_last = pair[1];
    }
    if (seen > 1 && points.gfx_last > points.gfx_first && points.real_last > points.real_first)
      clocks.points.push_back(points);
  }
  std::ranges::sort(clocks.points, {}, &ClockPoints::se);
  return clocks;
}

namespace {

constexpr int kDeepestPath = 128;

void collect_snapshots(JsonNode tree, const std::string& path, int depth,
                       std::map<std::string, std::string>& out) {
  if (const auto file = tree.text()) {
    if (plain_name(*file)) out[path] = *file;
    return;
  }
  if (depth > kDeepestPath) return;
  for (const auto& [key, value] : tree.members()) {
    const std::string slash = path.empty() || path.ends_with('/') ? "" : "/";
    collect_snapshots(value, path + slash + std::string(key), depth + 1, out);
  }
}

}  // namespace

Result<std::map<std::string, std::string>> read_snapshots(const std::string& path) {
  JsonDocument document;
  const JsonNode root = TRY(document.read(path));
  std::map<std::string, std::string> out;
  collect_snapshots(root, "", 0, out);
  return out;
}

}  // namespace rpl::att
