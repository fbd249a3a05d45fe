// SPDX-License-Identifier: MIT
#include "engine/graph/rounds.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "engine/base/median.h"

namespace rpl {
namespace {

constexpr std::size_t kLeastRounds = 3;
/// Of the kernels of the stream: less is no loop that the recording is about.
constexpr double kMostOfIt = 0.5;
/// Distances that are called even: so many of them lie so near the median.
constexpr double kEvenShare = 0.8, kEvenBand = 0.05;

/// Where a kernel stands in the stream, if that is at even distances over most of it.
bool comes_evenly(const std::vector<std::size_t>& places, std::size_t all, std::size_t& distance) {
  if (places.size() < kLeastRounds) return false;
  std::vector<std::size_t> distances;
  for (std::size_t i = 1; i < places.size(); ++i) distances.push_back(places[i] - places[i - 1]);
  distance = upper_median(distances);
  const double band = kEvenBand * static_cast<double>(distance);
  const auto near = std::ranges::count_if(distances, [&](std::size_t one) {
    const double off =
        one > distance ? static_cast<double>(one - distance) : static_cast<double>(distance - one);
    return off <= band;
  });
  if (static_cast<double>(near) < kEvenShare * static_cast<double>(distances.size())) return false;
  const std::size_t covered = places.back() - places.front() + distance;
  return static_cast<double>(covered) >= kMostOfIt * static_cast<double>(all);
}

}  // namespace

std::vector<std::uint32_t> busiest_stream(const Trace& trace, std::uint32_t& stream) {
  const auto& lanes = trace.entities().lanes;
  const auto& lane_of = trace.columns().lane;
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  const auto key_of = [&](std::size_t lane) {
    return Key(lanes[lane].process, lanes[lane].agent, lanes[lane].stream);
  };
  std::vector<std::size_t> dispatches(lanes.size());
  for (const std::uint32_t lane : lane_of) ++dispatches[lane];
  std::map<Key, std::size_t> of_stream;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (dispatches[lane] > 0) of_stream[key_of(lane)] += dispatches[lane];
  }
  if (of_stream.empty()) return {};
  const auto best =
      std::ranges::max_element(of_stream, {}, [](const auto& one) { return one.second; });
  stream = std::get<2>(best->first);
  std::vector<char> inside;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    inside.push_back(key_of(lane) == best->first ? 1 : 0);
  std::vector<std::uint32_t> rows;
  rows.reserve(best->second);
  for (std::uint32_t row = 0; row < trace.size(); ++row) {
    if (inside[lane_of[row]] != 0) rows.push_back(row);
  }
  return rows;
}

std::optional<Rounds> find_rounds(std::span<const std::uint32_t> kernels, std::size_t count) {
  std::vector<std::vector<std::size_t>> places(count);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i] < count) places[kernels[i]].push_back(i);
  }
  std::optional<Rounds> best;
  for (std::uint32_t kernel = 0; kernel < count; ++kernel) {
    const std::vector<std::size_t>& at = places[kernel];
    std::size_t distance = 0;
    if (!comes_evenly(at, kernels.size(), distance)) continue;
    // The longest round is the outer loop; of equal ones its first kernel begins it.
    const bool longer = !best || distance > best->distance;
    if (!longer && !(distance == best->distance && at.front() < best->places.front())) continue;
    best = Rounds{kernel, at, distance};
  }
  return best;
}

std::vector<std::int64_t> round_lengths_ns(const Trace& trace) {
  std::uint32_t stream = kNone;
  const std::vector<std::uint32_t> rows = busiest_stream(trace, stream);
  std::vector<std::uint32_t> kernels;
  kernels.reserve(rows.size());
  for (const std::uint32_t row : rows) kernels.push_back(trace.kernel_of(row));
  const auto rounds = find_rounds(kernels, trace.kernels().size());
  if (!rounds) return {};
  std::vector<std::int64_t> lengths_ns;
  for (std::size_t i = 1; i < rounds->places.size(); ++i) {
    lengths_ns.push_back(trace.start_ns(rows[rounds->places[i]]) -
                         trace.start_ns(rows[rounds->places[i - 1]]));
  }
  const std::int64_t median_ns = upper_median(lengths_ns);
  std::ptrdiff_t warm = 0;
  for (std::size_t i = 0; 2 * i < lengths_ns.size(); ++i) {
    if (lengths_ns[i] > 2 * median_ns) warm = static_cast<std::ptrdiff_t>(i) + 1;
  }
  lengths_ns.erase(lengths_ns.begin(), lengths_ns.begin() + warm);
  return lengths_ns;
}

}  // namespace rpl
