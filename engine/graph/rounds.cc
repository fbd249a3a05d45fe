// SPDX-License-Identifier: MIT
#include "engine/graph/rounds.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "engine/base/median.h"

namespace rpl {
namespace {

constexpr std::size_t kLeastRounds = 3;
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
  return static_cast<double>(covered) >= kMostOfRecording * static_cast<double>(all);
}

}  // namespace

std::vector<BusyStream> busy_streams(const Trace& trace) {
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
  std::map<std::uint32_t, Key> busiest;  // by process
  for (const auto& [key, count] : of_stream) {
    const auto [best, first] = busiest.try_emplace(std::get<0>(key), key);
    if (!first && count > of_stream[best->second]) best->second = key;
  }
  std::vector<BusyStream> out;
  std::map<Key, std::size_t> place;  // in the result
  for (const auto& [process, key] : busiest) {
    place[key] = out.size();
    out.push_back({process, std::get<2>(key), {}});
    out.back().rows.reserve(of_stream[key]);
  }
  std::vector<std::vector<std::uint32_t>*> rows_of(lanes.size());
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (const auto found = place.find(key_of(lane)); found != place.end())
      rows_of[lane] = &out[found->second].rows;
  }
  for (std::uint32_t row = 0; row < trace.size(); ++row) {
    if (rows_of[lane_of[row]] != nullptr) rows_of[lane_of[row]]->push_back(row);
  }
  return out;
}

std::vector<std::uint32_t> busiest_stream(const Trace& trace, std::uint32_t& stream) {
  std::vector<BusyStream> streams = busy_streams(trace);
  if (streams.empty()) return {};
  const auto best =
      std::ranges::max_element(streams, {}, [](const auto& one) { return one.rows.size(); });
  stream = best->stream;
  return std::move(best->rows);
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

}  // namespace rpl
