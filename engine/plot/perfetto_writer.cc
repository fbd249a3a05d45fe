// SPDX-License-Identifier: MIT
#include "engine/plot/perfetto_writer.h"

#include <cmath>
#include <functional>

#include "engine/base/encode.h"
#include "engine/plot/protobuf.h"

namespace rpl {
namespace {

using protobuf::append_bytes;
using protobuf::append_double;
using protobuf::append_fixed64;
using protobuf::append_uint;

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;
/// Markers may be a new text each; those beyond stand in their events.
constexpr std::size_t kMostTexts = std::size_t{1} << 16;
constexpr std::uint64_t kPathFlow = std::uint64_t{1} << 63;
constexpr std::uint64_t kSequence = 1;

// Trace
constexpr std::uint32_t kPacket = 1;
// TracePacket
constexpr std::uint32_t kTimestamp = 8, kSequenceId = 10, kTrackEvent = 11, kInternedData = 12,
                        kSequenceFlags = 13, kTrackDescriptor = 60;
constexpr std::uint64_t kStateCleared = 1, kNeedsState = 2;
// TrackDescriptor and ProcessDescriptor
constexpr std::uint32_t kUuid = 1, kTrackName = 2, kProcess = 3, kParentUuid = 5, kCounter = 8;
constexpr std::uint32_t kPid = 1, kProcessName = 6;
// TrackEvent
constexpr std::uint32_t kCategoryIids = 3, kAnnotations = 4, kType = 9, kNameIid = 10,
                        kTrackUuid = 11, kName = 23, kDoubleCounter = 44, kFlowIds = 47;
constexpr std::uint64_t kSliceBegin = 1, kSliceEnd = 2, kCounterValue = 4;
// DebugAnnotation
constexpr std::uint32_t kAnnotationNameIid = 1, kUintValue = 3, kStringValue = 6,
                        kStringValueIid = 17;
// InternedData, and what it consists of
constexpr std::uint32_t kEventCategories = 1, kEventNames = 2, kAnnotationNames = 3,
                        kAnnotationTexts = 29;
constexpr std::uint32_t kIid = 1, kText = 2;

// Uuids of tracks: processes are odd, lanes are even, counters lie far above both.
std::uint64_t process_uuid(std::int64_t pid) { return 2 * static_cast<std::uint64_t>(pid) + 1; }
std::uint64_t lane_uuid(std::int64_t tid) { return 2 * static_cast<std::uint64_t>(tid) + 2; }
constexpr std::uint64_t kFirstCounterUuid = std::uint64_t{1} << 40;

}  // namespace

PerfettoWriter::PerfettoWriter(Sink write, std::int64_t origin_ns)
    : write_(std::move(write)), shift_ns_(std::min<std::int64_t>(origin_ns, 0)) {
  categories_.field = kEventCategories;
  names_.field = kEventNames;
  argument_names_.field = kAnnotationNames;
  argument_texts_.field = kAnnotationTexts;
  append_uint(packet_, kSequenceId, kSequence);
  append_uint(packet_, kSequenceFlags, kStateCleared);
  append_bytes(out_, kPacket, packet_);
}

std::uint64_t PerfettoWriter::number_of(Interned& texts, std::string_view text) {
  if (const auto known = texts.numbers.find(text); known != texts.numbers.end())
    return known->second;
  if (texts.numbers.size() >= kMostTexts) return 0;
  const std::uint64_t number = texts.numbers.size() + 1;
  texts.numbers.emplace(text, number);
  inner_.clear();
  append_uint(inner_, kIid, number);
  append_bytes(inner_, kText, terminal_line(text).bytes());
  append_bytes(defined_, texts.field, inner_);
  return number;
}

Status PerfettoWriter::flush(std::size_t at_least) {
  if (out_.size() < at_least || out_.empty()) return {};
  TRY(write_(OutputBytes::raw(out_)));
  out_.clear();
  return {};
}

Status PerfettoWriter::event(std::int64_t at_ns) {
  packet_.clear();
  append_uint(packet_, kTimestamp, static_cast<std::uint64_t>(at_ns - shift_ns_));
  append_uint(packet_, kSequenceId, kSequence);
  append_uint(packet_, kSequenceFlags, kNeedsState);
  if (!defined_.empty()) append_bytes(packet_, kInternedData, defined_);
  append_bytes(packet_, kTrackEvent, event_);
  append_bytes(out_, kPacket, packet_);
  defined_.clear();
  event_.clear();
  return flush(kBufferBytes);
}

void PerfettoWriter::name_process(std::int64_t pid, std::string_view name) {
  inner_.clear();
  append_uint(inner_, kPid, static_cast<std::uint64_t>(pid));
  append_bytes(inner_, kProcessName, terminal_line(name).bytes());
  event_.clear();
  append_uint(event_, kUuid, process_uuid(pid));
  append_bytes(event_, kProcess, inner_);
  packet_.clear();
  append_bytes(packet_, kTrackDescriptor, event_);
  append_bytes(out_, kPacket, packet_);
  event_.clear();
}

void PerfettoWriter::lane_opened(const TrackPlace& place, std::string_view name) {
  inner_.clear();
  append_uint(inner_, kUuid, lane_uuid(place.tid));
  append_bytes(inner_, kTrackName, terminal_line(name).bytes());
  append_uint(inner_, kParentUuid, process_uuid(place.pid));
  packet_.clear();
  append_bytes(packet_, kTrackDescriptor, inner_);
  append_bytes(out_, kPacket, packet_);
}

void PerfettoWriter::append_arguments(const std::vector<SliceArgument>& arguments) {
  for (const SliceArgument& argument : arguments) {
    const std::uint64_t name = number_of(argument_names_, argument.name);
    const bool is_text = argument.kind == SliceArgument::Kind::text;
    // Sizes of grids come again and again, ids of operations never.
    const std::uint64_t text =
        is_text && argument.repeats ? number_of(argument_texts_, argument.text) : 0;
    inner_.clear();
    append_uint(inner_, kAnnotationNameIid, name);
    if (text != 0)
      append_uint(inner_, kStringValueIid, text);
    else if (is_text)
      append_bytes(inner_, kStringValue, argument.text);
    else
      append_uint(inner_, kUintValue, argument.number);
    append_bytes(event_, kAnnotations, inner_);
  }
}

Status PerfettoWriter::slice(const Slice& slice) {
  ++summary_.slices;
  const std::uint64_t track = lane_uuid(slice.place.tid);
  append_uint(event_, kType, kSliceBegin);
  append_uint(event_, kTrackUuid, track);
  append_uint(event_, kCategoryIids, number_of(categories_, slice.category));
  if (const std::uint64_t name = number_of(names_, slice.name); name != 0)
    append_uint(event_, kNameIid, name);
  else
    append_bytes(event_, kName, terminal_line(slice.name).bytes());
  append_arguments(slice.arguments);
  if (slice.flow != 0) append_fixed64(event_, kFlowIds, slice.flow);
  if (slice.on_path) {
    append_fixed64(event_, kFlowIds, kPathFlow);
    if (path_began_) ++summary_.arrows;
    path_began_ = true;
  }
  TRY(event(slice.start_ns));
  append_uint(event_, kType, kSliceEnd);
  append_uint(event_, kTrackUuid, track);
  return event(std::max(slice.start_ns, slice.end_ns));
}

Status PerfettoWriter::arrow(std::string_view /*category*/, const ArrowEnd& /*from*/,
                             const ArrowEnd& /*to*/) {
  ++summary_.arrows;
  return {};
}

Status PerfettoWriter::counter(std::int64_t pid, std::string_view name, std::int64_t at_ns,
                               double value) {
  ++summary_.counter_samples;
  const auto [place, added] =
      counters_.try_emplace({pid, std::string(name)}, kFirstCounterUuid + counters_.size());
  if (added) {
    inner_.clear();
    append_uint(inner_, kUuid, place->second);
    append_bytes(inner_, kTrackName, terminal_line(name).bytes());
    append_uint(inner_, kParentUuid, process_uuid(pid));
    append_bytes(inner_, kCounter, {});
    packet_.clear();
    append_bytes(packet_, kTrackDescriptor, inner_);
    append_bytes(out_, kPacket, packet_);
  }
  append_uint(event_, kType, kCounterValue);
  append_uint(event_, kTrackUuid, place->second);
  append_double(event_, kDoubleCounter, std::isfinite(value) ? value : 0.0);
  return event(at_ns);
}

Status PerfettoWriter::finish() { return flush(0); }

}  // namespace rpl
