// SPDX-License-Identifier: MIT
#include "engine/plot/event_writer.h"

#include <fmt/format.h>

namespace rpl {

EventWriter::Lanes& EventWriter::lanes_of(const Track& track) {
  return tracks_.try_emplace(track, Lanes{SliceLanes(track.nesting), {}, {}}).first->second;
}

std::int64_t EventWriter::tid_of(Lanes& lanes, std::size_t index) {
  while (lanes.tids.size() <= index) lanes.tids.push_back(next_tid_++);
  return lanes.tids[index];
}

std::string EventWriter::lane_name(const Lanes& lanes, std::size_t index) {
  return index == 0 ? lanes.name : fmt::format("{} ({})", lanes.name, index + 1);
}

TrackPlace EventWriter::place(const Track& track, std::pair<std::int64_t, std::int64_t> interval_ns,
                              const std::function<std::string()>& name) {
  Lanes& lanes = lanes_of(track);
  if (lanes.name.empty()) lanes.name = name();
  const std::size_t lane = lanes.slices.place(interval_ns.first, interval_ns.second);
  const TrackPlace place{track.pid, tid_of(lanes, lane)};
  if (lane == lanes.named) {
    lane_opened(place, lane_name(lanes, lane));
    ++lanes.named;
  }
  return place;
}

std::int64_t EventWriter::first_lane(const Track& track) { return tid_of(lanes_of(track), 0); }

}  // namespace rpl
