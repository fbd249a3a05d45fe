// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/plot/event_trace.h"

/// What files for viewers of traces have in common: slices on lanes, arrows, counters.
namespace rpl {

/// Spreads the slices of one track over lanes such that viewers, which draw a lane as a stack, show each slice whole. Slices must come
/// in the order of their starts, the longer one first on ties.
class SliceLanes {
 public:
  /// `nesting`: a slice that lies within another may share its lane (calls that call); otherwise slices of a lane do not overlap at all.
  explicit SliceLanes(bool nesting) : nesting_(nesting) {}

  /// The lane of the next slice, 0 for most.
  std::size_t place(std::int64_t start_ns, std::int64_t end_ns) {
    for (std::size_t lane = 0; lane < open_.size(); ++lane) {
      if (fits(open_[lane], start_ns, end_ns)) {
        open_[lane].push_back(end_ns);
        return lane;
      }
    }
    open_.push_back({end_ns});
    return open_.size() - 1;
  }

  [[nodiscard]] std::size_t lanes() const { return open_.size(); }

 private:
  [[nodiscard]] bool fits(std::vector<std::int64_t>& ends, std::int64_t start_ns,
                          std::int64_t end_ns) const {
    while (!ends.empty() && ends.back() <= start_ns) ends.pop_back();
    return ends.empty() || (nesting_ && end_ns <= ends.back());
  }

  bool nesting_;
  std::vector<std::vector<std::int64_t>> open_;  // ends of the slices that are open, innermost last
};

/// A process and a thread of the written file, both made up: real thread ids may repeat in several processes, and a stream may need
/// several threads.
struct TrackPlace {
  std::int64_t pid = 0, tid = 0;
};

/// A logical track: what has its own thread in the file, or several when its slices overlap.
struct Track {
  std::int64_t pid = 0, key = 0;
  bool nesting = false;
  auto operator<=>(const Track&) const = default;
};

struct SliceArgument {
  enum class Kind {
    text,
    number,
    wide
  };  ///< wide: a number of 64 bits, which JSON's readers would round
  std::string_view name;
  Kind kind = Kind::text;
  std::string text;      ///< nothing that a format would have to escape
  bool repeats = false;  ///< other slices have the same text
  std::uint64_t number = 0;
};

struct Slice {
  std::string_view name, category;
  std::int64_t start_ns = 0, end_ns = 0;
  TrackPlace place;
  std::vector<SliceArgument> arguments;
  std::uint64_t flow = 0;  ///< slices of one number belong together, in order of time; 0: none
  bool on_path = false;    ///< the critical path goes through it
};

struct ArrowEnd {
  TrackPlace place;
  std::int64_t at_ns = 0;
};

/// A file of events, one after the other; nothing is kept but what names tracks.
class EventWriter {
 public:
  virtual ~EventWriter() = default;

  /// The thread on which a slice of `track` goes; named by `name` when it is the first there.
  TrackPlace place(const Track& track, std::pair<std::int64_t, std::int64_t> interval_ns,
                   const std::function<std::string()>& name);
  /// The tid that the first lane of `track` has or will have.
  std::int64_t first_lane(const Track& track);

  virtual void name_process(std::int64_t pid, std::string_view name) = 0;
  virtual Status slice(const Slice& slice) = 0;
  /// Where the format joins slices by their numbers, the arrow is counted and not written.
  virtual Status arrow(std::string_view category, const ArrowEnd& from, const ArrowEnd& to) = 0;
  virtual Status counter(std::int64_t pid, std::string_view name, std::int64_t at_ns,
                         double value) = 0;
  /// Whether `Slice::on_path` is enough for the critical path to be drawn.
  [[nodiscard]] virtual bool joins_by_number() const { return false; }
  /// Writes the end of the document.
  virtual Status finish() = 0;
  [[nodiscard]] const EventSummary& summary() const { return summary_; }

 protected:
  struct Lanes {
    SliceLanes slices;
    std::vector<std::int64_t> tids;
    std::string name;
    std::size_t named = 0;  ///< of the tids, told to lane_opened()
  };

  /// A lane got its first slice.
  virtual void lane_opened(const TrackPlace& /*place*/, std::string_view /*name*/) {}
  /// "stream 1", "stream 1 (2)".
  static std::string lane_name(const Lanes& lanes, std::size_t index);

  std::map<Track, Lanes> tracks_;
  EventSummary summary_;

 private:
  Lanes& lanes_of(const Track& track);
  std::int64_t tid_of(Lanes& lanes, std::size_t index);

  std::int64_t next_tid_ = 1;
};

}  // namespace rpl
