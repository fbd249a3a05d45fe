// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/trace/core/call_rows.h"
#include "engine/trace/core/copy_rows.h"

namespace rpl {

using Dim3 = std::array<std::uint32_t, 3>;

inline constexpr std::uint32_t kNone = 0xffffffffU;

/// One kernel symbol of the whole trace; the same mangled name from several processes is one kernel.
struct Kernel {
  std::string
      id;  ///< "k7f3a2c": first 6 hex digits (more on a clash) of SHA-256 of the mangled name
  std::string
      mangled;  ///< without the ".kd" suffix; equal to `name` when the recording has no mangled name
  std::string name;  ///< demangled or as the recorder formatted it, in full
  std::uint32_t arch_vgprs = 0, accum_vgprs = 0,
                sgprs = 0;  ///< as recorded (rocpd.md §4.3); 0 = unknown
  std::uint32_t static_lds_bytes = 0, scratch_bytes = 0;
  std::uint64_t kernarg_bytes = 0;
  /// Of modelled times: nine of ten real ones lie between time_low and time_high times its times, and between ratio / (1 + ratio_band) and
  /// ratio * (1 + ratio_band) for ratios of such times; averages by duration. 0: recorded, or not known.
  double time_low = 0, time_high = 0, ratio_band = 0;
  /// Why its first dispatch took its time, or one that took far longer, of the emulated device (findings::to_json()); "" for none.
  std::string findings = {};
};

/// A launch configuration, interned: kernel and geometry.
struct Launch {
  std::uint32_t kernel = kNone;     ///< index into TraceEntities::kernels
  Dim3 grid{};                      ///< work-items
  Dim3 workgroup{};                 ///< work-items
  std::uint32_t lds_bytes = 0;      ///< static + dynamic, per workgroup
  std::uint32_t scratch_bytes = 0;  ///< per work-item
};

/// Where a dispatch ran, interned: process, agent, queue, stream and launching thread.
struct Lane {
  std::uint32_t process = 0;  ///< indices into the tables of TraceEntities
  std::uint32_t agent = kNone;
  std::uint32_t queue = kNone;
  std::uint32_t stream = kNone;
  std::int64_t thread = 0;  ///< OS thread id; 0 = unknown
};

struct Process {
  std::uint32_t file = 0;  ///< index into TraceEntities::files
  std::int64_t pid = 0;
  std::string guid;
  std::string hostname;
  std::string command;
  std::int64_t start_ns = 0, end_ns = 0;  ///< of the process; 0 = unknown
  std::int64_t rank = -1;                 ///< of torch.distributed and the like; -1 = unknown
  std::int64_t world_size = 0;            ///< how many ranks there are; 0 = unknown
};

struct Agent {
  std::uint32_t process = 0;
  std::int64_t recorded_id = 0;
  bool gpu = false;
  std::int64_t type_index = -1;  ///< GPU 0..n-1, -1 unknown
  std::string arch;              ///< "gfx942"
  std::string product;           ///< "AMD Instinct MI300X"
  std::string details;           ///< the recorder's JSON about the agent, unparsed; "" when absent
};

struct Queue {
  std::uint32_t process = 0;
  std::uint64_t handle = 0;
  std::string name;
};

/// The name that rocprofv3 gives to the null stream.
inline constexpr const char* kNullStreamName = "Default Stream";

struct Stream {
  std::uint32_t process = 0;
  std::uint64_t handle = 0;
  std::string name;
};

enum class TraceFormat { rocpd, rpd, csv, json, kineto };

struct TraceFile {
  std::string path;
  TraceFormat format = TraceFormat::rocpd;
  std::string schema_version;  ///< "3", "3.0.4", "2"; "" for CSV and JSON of rocprofv3
  std::uint64_t bytes = 0;
  bool direct_decoder =
      false;  ///< dispatches came through the leaf-page decoder rather than the SQLite API
  /// What was added to all recorded times of the file, so that they compare with those of other hosts (clocks.h); 0 = nothing.
  std::int64_t clock_shift_ns = 0;
};

/// What the recording contains beside dispatches.
struct Presence {
  bool copies = false, api = false, api_args = false, markers = false, counters = false;
  bool events = false;    ///< GPU-side event record/wait tables
  bool modelled = false;  ///< written by the emulated device
  bool joined_counters =
      false;  ///< the counters are of other runs of the program, put to the dispatches of one without
};

struct TraceEntities {
  std::vector<TraceFile> files;
  std::vector<Process> processes;
  std::vector<Agent> agents;
  std::vector<Queue> queues;
  std::vector<Stream> streams;
  std::vector<Kernel> kernels;
  std::vector<Launch> launches;
  std::vector<Lane> lanes;
  Presence presence;
  std::vector<std::string>
      notes;  ///< what was odd about the files, for people; shown by `info warnings`
  std::vector<std::string>
      damage;  ///< what speaks against the files themselves; see Trace::damage()
};

/// Copies, sorted by start.
struct CopyTable {
  CopyRows rows;
  std::vector<std::string> names;
  std::vector<std::string> notes;  ///< what was left out or odd, for people
};

/// A correlation id of each dispatch, four bytes each.
class Correlations {
 public:
  using const_iterator = RowIterator<Correlations, std::uint64_t>;

  [[nodiscard]] std::size_t size() const { return ids_.size(); }
  [[nodiscard]] std::uint64_t operator[](std::size_t row) const {
    return static_cast<std::uint64_t>(ids_.get(row));
  }
  [[nodiscard]] const_iterator begin() const { return {*this, 0}; }
  [[nodiscard]] const_iterator end() const { return {*this, size()}; }
  void set(std::size_t row, std::uint64_t id) { ids_.set(row, static_cast<std::int64_t>(id)); }
  /// All 0.
  void resize(std::size_t rows) {
    ids_.resize(rows);
    std::fill(ids_.raw().begin(), ids_.raw().end(), 0U);
  }
  [[nodiscard]] std::size_t bytes() const { return ids_.size() * sizeof(std::uint32_t); }

 private:
  CompactColumn ids_;
};

/// Calls, sorted by (process, thread, start).
struct ApiTable {
  CallRows rows;
  std::vector<std::string> names;
  /// Correlation (stack) id of each dispatch of the trace, by row; 0 = unknown. Equal to ApiCall::correlation of its launch.
  Correlations dispatch_correlation;
  std::vector<std::string> notes;  ///< what was left out or odd, for people
};

/// A user's range or mark (ROCTx). end == start for a mark.
struct Marker {
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t process = 0;
  std::int64_t thread = 0;
  std::string text;
};

struct MarkerTable {
  std::vector<Marker> rows;
  std::vector<std::string> notes;  ///< what was left out or odd, for people
};

/// One recorded ordering fact between streams or between device and host, whatever table it came from.
enum class SyncKind {
  event_record,        ///< HIP event recorded on `stream`
  event_wait,          ///< `stream` waits for `event`
  event_synchronize,   ///< the host thread waited for `event`
  stream_synchronize,  ///< the host thread waited for `stream`
  device_synchronize,  ///< the host thread waited for everything of its device (agent kNone: all of the process)
  blocking_copy,  ///< a synchronous memcpy: the host thread waited for the copy with the same correlation
};
enum class SyncSource { hip_event_table, event_operation_table, api_arguments, api_name };

struct SyncOp {
  SyncKind kind = SyncKind::event_record;
  SyncSource source = SyncSource::api_arguments;
  std::int64_t start_ns = 0,
               end_ns = 0;  ///< on the host, or of the GPU-side barrier for hip_event_table
  std::uint32_t process = 0, stream = kNone, queue = kNone;
  std::uint32_t source_queue = kNone;  ///< hip_event_table waits only
  std::int64_t thread = 0;             ///< 0 for device-side records
  std::uint64_t event = 0;             ///< HIP event handle; 0 when not an event operation
  std::uint64_t correlation = 0;
};

/// Sorted by (process, correlation, start).
struct SyncTable {
  std::vector<SyncOp> rows;
  std::vector<std::string> notes;  ///< what was left out or odd, for people
};

/// Hardware counter values, summed over instances as rocprofv3 does, one row per (dispatch, counter). `max` serves GRBM counters.
struct CounterSample {
  std::uint32_t dispatch = 0;  ///< row of the trace
  std::uint32_t counter = 0;   ///< index into CounterTable::names
  std::uint32_t instances = 0;
  double sum = 0, max = 0;
};

struct CounterTable {
  std::vector<std::string> names;
  std::vector<CounterSample> rows;  ///< sorted by (dispatch, counter)
  std::vector<std::string> notes;   ///< what was left out or odd, for people
};

}  // namespace rpl
