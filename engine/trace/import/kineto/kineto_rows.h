// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/core/name_index.h"
#include "engine/trace/core/timed_rows.h"
#include "engine/trace/core/tuple_table.h"
#include "engine/trace/import/kineto/kineto_event.h"

namespace rpl {

/// What the events of one file say, 16 to 56 bytes each, texts once. Times are nanoseconds as the file counts them; processes and places are
/// numbers of this object. A correlation id of 0 is none.
struct KinetoRows {
  /// More than these are an error: what is kept would not fit the memory of usual machines.
  static constexpr std::uint64_t kMostEvents = 400'000'000;
  static constexpr std::uint64_t kMostNameBytes = std::uint64_t{1} << 30;

  /// A GPU and a stream of it; kNoPlace where it was not said.
  static constexpr std::int64_t kNoPlace = -1;
  struct Place {
    std::int64_t device = kNoPlace, stream = kNoPlace;
  };
  struct KernelShape {
    std::uint32_t name = 0;
    KinetoGeometry geometry;
  };
  struct Dispatch {
    std::int64_t start_ns = 0, end_ns = 0;
    std::uint32_t shape = 0, place = 0;
    std::uint64_t correlation = 0;
  };
  /// Of calls and of ranges of the program.
  struct HostShape {
    std::uint32_t process = 0;
    std::int64_t thread = 0;
    std::uint32_t name = 0, category = 0;
  };
  struct Copied {
    std::int64_t start_ns = 0, end_ns = 0;
    std::uint32_t name = 0, place = 0;
    std::uint64_t bytes = 0, correlation = 0;  ///< kUnknownBytes where it was not said
    std::uint32_t process = 0;                 ///< of the call that issued it, as the thread
    std::int64_t thread = 0;
  };
  /// What a call was given, beside its name.
  struct Given {
    std::uint64_t correlation = 0;
    KinetoGeometry geometry;
    std::optional<std::uint64_t> bytes, stream_handle;
  };
  struct Wait {
    std::uint64_t correlation = 0;
    SyncKind kind = SyncKind::event_wait;
    std::optional<std::int64_t> device, stream, waited_stream, waited_record;
  };
  /// A call that orders something.
  struct Order {
    SyncKind kind = SyncKind::event_record;
    std::int64_t start_ns = 0, end_ns = 0;
    std::uint32_t process = 0;
    std::int64_t thread = 0;
    std::uint64_t correlation = 0;
  };

  std::vector<std::string> names;
  std::vector<std::int64_t> pids;
  std::vector<std::string> process_names;  ///< of pids; "" where it was not said
  std::vector<Place> places;
  /// By device and stream, as the file names them to people; a few, and none where it does not.
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> stream_names;
  std::vector<KernelShape> kernel_shapes;
  std::vector<HostShape> host_shapes;

  std::vector<Dispatch> dispatches;
  std::vector<Copied> copies;
  TimedRows calls, ranges;  ///< of host_shapes
  TimedRows gpu_ranges;     ///< shapes are numbers of gpu_range_names
  std::vector<std::string> gpu_range_names;
  std::vector<Given> given;
  std::vector<Wait> waits;
  std::vector<Order> orders;

  // --- what was odd, counted ---
  std::uint64_t events = 0, timeless = 0, backwards = 0, without_correlation = 0;
  std::map<std::string, std::uint64_t, std::less<>> unknown;  ///< categories that are not read
};

/// Fills a KinetoRows event by event.
class KinetoCollector {
 public:
  KinetoCollector();

  /// `list`: whole events with commas between them; `offset`: the byte of the file where they begin, `file` its name, for messages. Fails with corrupt
  /// for what is no JSON, and with limit.
  Status add(std::string_view list, std::uint64_t offset, const std::string& file);

  /// Whether any event was of a category that PyTorch's profiler writes.
  [[nodiscard]] bool any_known() const { return known_ > 0; }
  KinetoRows& rows() { return rows_; }

 private:
  struct Times {
    std::int64_t start_ns = 0, end_ns = 0;
  };
  /// What is no JSON among an event's arguments, at which byte of them.
  struct Malformed {
    std::size_t at = 0;
    const char* why = nullptr;
  };

  Malformed add_event(const KinetoEvent& event);
  void add_unknown(const KinetoEvent& event);
  std::optional<Times> times(const KinetoEvent& event);
  void add_metadata(const KinetoEvent& event, const KinetoArguments& arguments);
  void add_kernel(const KinetoEvent& event, const KinetoArguments& arguments, const Times& at);
  void add_copy(const KinetoEvent& event, const KinetoArguments& arguments, const Times& at);
  void add_call(const KinetoEvent& event, const KinetoArguments& arguments, const Times& at);
  void add_wait(const KinetoArguments& arguments);
  void add_range(const KinetoEvent& event, const Times& at);
  void add_gpu_range(const KinetoEvent& event, const Times& at);

  std::uint32_t name(std::string_view raw);
  std::uint32_t process(const KinetoEvent& event);
  std::uint32_t place(const KinetoEvent& event, const KinetoArguments& arguments);
  std::uint32_t host_shape(const KinetoEvent& event, std::uint32_t category);

  KinetoRows rows_;
  NameIndex names_;
  std::uint64_t name_bytes_ = 0, known_ = 0;
  std::unordered_map<std::int64_t, std::uint32_t> processes_;
  std::unordered_map<std::int64_t, std::string> process_names_;
  TupleTable<2> places_;
  TupleTable<3> host_shapes_;
  TupleTable<6> kernel_shapes_;
  NameIndex gpu_range_names_;
};

}  // namespace rpl
