// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/base/encoded.h"
#include "engine/plot/event_writer.h"
#include "engine/plot/paint.h"

namespace rpl {

/// Perfetto's own format, packet by packet, through a buffer: names once, times in nanoseconds as recorded. Fields are those of perfetto/trace/*.proto.
class PerfettoWriter : public EventWriter {
 public:
  /// `origin_ns`: the earliest time that will be written; where it is before 0, times count from it.
  PerfettoWriter(Sink write, std::int64_t origin_ns);

  void name_process(std::int64_t pid, std::string_view name) override;
  Status slice(const Slice& slice) override;
  Status arrow(std::string_view category, const ArrowEnd& from, const ArrowEnd& to) override;
  Status counter(std::int64_t pid, std::string_view name, std::int64_t at_ns,
                 double value) override;
  [[nodiscard]] bool joins_by_number() const override { return true; }
  Status finish() override;

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  /// Texts of one field of InternedData by their numbers.
  struct Interned {
    std::uint32_t field = 0;
    std::unordered_map<std::string, std::uint64_t, TextHash, std::equal_to<>> numbers;
  };

  void lane_opened(const TrackPlace& place, std::string_view name) override;
  /// The number of a text, which the next packet defines if it is new; 0 where too many are known.
  std::uint64_t number_of(Interned& texts, std::string_view text);
  void append_arguments(const std::vector<SliceArgument>& arguments);
  /// Ends the packet that event_ belongs to.
  Status event(std::int64_t at_ns);
  Status flush(std::size_t at_least);

  Sink write_;
  std::int64_t shift_ns_;
  std::string out_, packet_, event_, inner_, defined_;
  Interned categories_, names_, argument_names_, argument_texts_;
  std::map<std::pair<std::int64_t, std::string>, std::uint64_t> counters_;
  bool path_began_ = false;
};

}  // namespace rpl
