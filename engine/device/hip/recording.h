// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/files.h"
#include "engine/base/result.h"

/// What a HIP program did on the emulated device, as its process writes it down: a file of records, appended as things happen, so that
/// what a crashed program had done is there. All times are of the virtual clock in ns; ids count from 1 in the order of creation, so that
/// equal runs give equal records. Host addresses, which differ between runs, are not in it.
namespace rpl::emu::hip {

struct ProcessRecord {
  std::int64_t pid = 0, ppid = 0, start_ns = 0;
  std::string command;  ///< the argument vector, joined by blanks
  std::string product;  ///< "MI300X"
  std::uint32_t devices = 0;
  std::string host_model;  ///< costs.h
};

struct StreamRecord {
  std::uint64_t id = 0;  ///< 0 is the null stream of device 0
  std::uint32_t device = 0, queue = 0;
};

struct ObjectRecord {
  std::uint64_t id = 0;
  std::uint32_t device = 0;
  std::uint64_t load_base = 0, bytes = 0;
  std::string hash;
};

struct KernelRecord {
  std::uint64_t id = 0, object = 0;
  std::string name;              ///< mangled
  std::uint64_t descriptor = 0;  ///< device address
  std::uint32_t kernarg_bytes = 0, lds_bytes = 0, scratch_bytes = 0, sgprs = 0, vgprs = 0,
                agprs = 0;  ///< vgprs: architectural
};

struct Argument {
  std::string type, name, value;
};

struct CallRecord {
  std::uint64_t correlation = 0;
  std::int64_t thread = 0;  ///< of the operating system
  std::int64_t start_ns = 0, end_ns = 0;
  std::string name;
  std::vector<Argument> arguments = {};
  std::int32_t result = 0;  ///< hipError_t
  std::uint64_t site = 0;   ///< SiteRecord::id; 0: not known
  /// Of a call that copies: 1 where the bytes lay there already; of one that loads or compiles code: 1 where that had been done before. 0: not so; -1: not known.
  std::int8_t again = -1;
};

/// A function of the program that was on the stack.
struct HostFrame {
  bool program = false;      ///< of the program itself, not of a library
  std::string module;        ///< the file that it was loaded from; "" for none
  std::uint64_t offset = 0;  ///< within the call, as addresses of the file count
};

/// Where in the program calls were made; comes before the first of them.
struct SiteRecord {
  std::uint64_t id = 0;
  std::vector<HostFrame> frames = {};  ///< from the call outwards
};

/// Where a piece of work ran.
struct Place {
  std::uint64_t correlation = 0;  ///< of the call that asked for it
  std::int64_t thread = 0;
  std::uint32_t device = 0, queue = 0;
  std::uint64_t stream = 0;
  std::int64_t start_ns = 0, end_ns = 0;
};

struct DispatchRecord {
  Place place;
  std::uint64_t id = 0, kernel = 0;
  std::array<std::uint32_t, 3> workgroup{}, grid{};  ///< work-items
  std::uint32_t lds_bytes = 0, scratch_bytes = 0;
  std::string model;  ///< of the cycles
  /// Ends of the band of its time, and the half-width of the band of ratios of such times (cycle::Bands); 0: not known.
  double low_ns = 0, high_ns = 0, ratio_band = 0;
  /// What was found of it (findings::to_json()): of the first dispatch of a kernel, and of those that take far longer than any before; else empty.
  std::string findings = {};
};

struct CopyRecord {
  static constexpr std::int32_t kHost = -1;
  Place place;
  std::int32_t to = kHost, from = kHost;  ///< devices
  std::uint64_t to_address = 0,
                from_address = 0;  ///< 0 for memory of the host that HIP did not give out
  std::uint64_t bytes = 0;
};

struct MemoryRecord {
  Place place;
  bool free = false;
  bool on_host = false;
  std::uint64_t address = 0, bytes = 0;
};

/// Calls that the runtime does not have.
struct RefusedRecord {
  std::string name;
  std::uint64_t calls = 0;
};

/// A counter that dispatches were counted for; comes before the first of its values.
struct CounterRecord {
  std::uint32_t id = 0;
  std::string name, meaning;  ///< "SQ_WAVES", as rocprofv3 spells it
  bool modelled = false;      ///< comes from the cycle model's caches; otherwise counted exactly
};

struct CounterValue {
  std::uint32_t counter = 0;
  std::uint64_t value = 0;  ///< summed over instances
};

/// What one dispatch counted.
struct CountsRecord {
  std::uint64_t dispatch = 0;
  std::vector<CounterValue> values;
};

/// A thread trace of a dispatch that was written, modelled.
struct TraceRecord {
  std::uint64_t dispatch = 0;
  std::string kernel;  ///< mangled
  std::string folder;  ///< the decoded one, below the folder that was named
};

/// What became of the wish to capture a dispatch, at the end of the process.
struct CaptureRecord {
  std::uint64_t matches = 0;  ///< dispatches of kernels that the pattern names
  std::string kernel;         ///< that was captured, mangled; empty for none
  std::string folder;         ///< its capture; empty for none
  std::string failure;        ///< why there is none although its turn came
};

struct EndRecord {
  std::int64_t end_ns = 0;
  std::string failure = {};  ///< of a kernel; empty when none failed
  double emulation_s = 0;    ///< processor time of executing kernels; no part of any virtual time
};

using Record = std::variant<ProcessRecord, StreamRecord, ObjectRecord, KernelRecord, CallRecord,
                            DispatchRecord, CopyRecord, MemoryRecord, RefusedRecord, EndRecord,
                            CounterRecord, CountsRecord, TraceRecord, CaptureRecord, SiteRecord>;

/// Appends records to a file that is mapped while it grows, so that what was added stays when the process is killed. A full disk ends the
/// recording and not the program.
class RecordingWriter {
 public:
  /// Fails with io.
  static Result<RecordingWriter> create(const std::string& path);
  RecordingWriter(RecordingWriter&& other) noexcept;
  RecordingWriter& operator=(RecordingWriter&&) = delete;
  /// Cuts the file to what was added.
  ~RecordingWriter();

  void add(const Record& record);
  /// Adds nothing more and leaves the file as it is: it belongs to the parent of this process.
  void abandon() &&;

 private:
  explicit RecordingWriter(UniqueFd fd) : fd_(std::move(fd)) {}
  void append(std::string_view bytes);
  bool map_next();
  void unmap();

  UniqueFd fd_;
  char* window_ = nullptr;                  ///< the part of the file that is mapped
  std::uint64_t window_at_ = 0, used_ = 0;  ///< where it begins, and how much of it is written
};

struct Recording {
  std::vector<Record> records;
  bool complete = false;  ///< ends with an EndRecord: the program did not crash
};

/// Reads what a RecordingWriter wrote; a record cut short at the end is left out. Fails with corrupt for anything else.
Result<Recording> read_recording(std::string_view bytes);
/// The same of a file. Fails with not_found, io, or limit above 4 GiB too.
Result<Recording> read_recording_file(const std::string& path);

}  // namespace rpl::emu::hip
