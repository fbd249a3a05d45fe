// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/arch/occupancy.h"
#include "engine/device/cycle/memory_state.h"
#include "engine/device/hip/address_space.h"
#include "engine/device/hip/capture.h"
#include "engine/device/hip/device.h"
#include "engine/device/hip/error.h"
#include "engine/device/hip/graph_memory.h"
#include "engine/device/hip/hostcall.h"
#include "engine/device/hip/module.h"
#include "engine/device/hip/recording.h"
#include "engine/device/hip/timeline.h"

namespace rpl::emu::hip {

/// What the host side costs on the virtual clock. Where nothing else is said, a constant is a round number of the size that ROCm installations show, and no
/// result of this program should rest on it beyond "a call costs microseconds". A change of a value is a change of `kHostModel`.
struct HostCosts {
  std::int64_t call_ns = 300;         ///< any call of the API that does no more than look at state
  std::int64_t allocate_ns = 20'000;  ///< hipMalloc and its kin
  std::int64_t free_ns = 15'000;
  std::int64_t pool_ns = 1'500;    ///< stream-ordered allocation
  std::int64_t create_ns = 5'000;  ///< of streams, events, modules without their code
  std::int64_t load_ns = 200'000;  ///< a code object, onto one device
  /// The host's side of a launch, an asynchronous copy or memset: the shortest hipLaunchKernel of a recorded MI200 take 2.5 to 2.9 us.
  std::int64_t enqueue_ns = 2'500;
  std::int64_t record_ns = 1'200;  ///< hipEventRecord, hipStreamWaitEvent
  std::int64_t copy_ns = 8'000;    ///< the host's side of a synchronous copy
  std::int64_t wait_ns = 2'000;    ///< from the end of what a host waits for to its return
  std::int64_t dispatch_latency_ns = 3'000;  ///< from the return of a launch to the first wave
  /// Between two dependent kernels of a queue: of 14,569 neighbours recorded on an MI350X, none begins 0.7 to 3.3 us after the end of the one
  /// before it (those within 0.7 us were not told to wait), and 132 begin after 3.3 to 3.7.
  std::int64_t dispatch_gap_ns = 3'300;
  std::int64_t copy_latency_ns = 2'000;  ///< of a copy engine
  double peer_bytes_per_ns = 50;         ///< between devices, one link of Infinity Fabric
};

inline constexpr HostCosts kHostCosts{};
inline constexpr std::string_view kHostModel = "rpl-host/0.2";

/// The HIP runtime of the emulated devices, without its C interface (engine/device/hip/api). What a program asks for is done at once, in the
/// order of its calls, which respects every dependency that streams and events can express; only when it happens is virtual: each call
/// costs the host what costs.h says, device work begins when its stream and the device are free and lasts as long as the cycle model says.
struct Graph;
struct GraphNode;
struct StreamCapture;
struct CapturedWork;
struct CopyWork;
struct FillWork;
struct HostWork;

struct Stream {
  std::uint64_t id = 0;
  std::uint32_t device = 0, queue = 0;
  bool waits_for_null = true;  ///< not hipStreamNonBlocking
  bool is_null = false;
  unsigned flags = 0;
  int priority = 0;
  std::int64_t ready_ns = 0;  ///< when all that was asked of it is done
  std::shared_ptr<StreamCapture> capture =
      nullptr;  ///< where what is asked of it is written down instead of done; null: none
  std::vector<GraphNode*> captured = {};  ///< what the next node of the capture waits for
};

struct Event {
  std::uint64_t id = 0;
  unsigned flags = 0;
  bool recorded = false;
  std::int64_t time_ns = 0;
  std::shared_ptr<StreamCapture> capture =
      nullptr;                            ///< in which it was recorded last; null: in none
  std::vector<GraphNode*> captured = {};  ///< what it stands for there
};

/// What each thread of the program has of its own.
struct ThreadState {
  std::int64_t id = 0;  ///< of the operating system
  std::uint32_t device = 0;
  Code last = Code::success;      ///< for hipGetLastError
  std::uint64_t correlation = 0;  ///< of the call that runs
  std::optional<bool> again =
      {};  ///< whether all that it did had been done before (CallRecord::again)
  std::map<std::uint32_t, Stream*> own_streams = {};  ///< hipStreamPerThread, by device
  std::vector<std::uint32_t> contexts_below = {};  ///< devices that hipCtxPopCurrent comes back to
};

struct LaunchRequest {
  Function* function = nullptr;
  Size3 grid{1, 1, 1}, workgroup{1, 1, 1};  ///< work-items
  std::uint32_t dynamic_lds_bytes = 0;
  std::vector<std::byte> arguments = {};  ///< the explicit part of the kernarg segment
  Stream* stream = nullptr;
  Event *before = nullptr, *after = nullptr;  ///< get the times of the kernel alone
  bool cooperative = false;                   ///< its workgroups may wait for each other
};

struct RuntimeSettings {
  DeviceKind kind;
  std::uint32_t devices = 1;
  HostCosts costs = kHostCosts;
  std::vector<std::string> counters =
      {};  ///< to record of every dispatch, by the hardware's names; unknown ones are left out
  std::string trace_kernel =
      {};  ///< a kernel's mangled name, or a part of its name: the first dispatch of each such kernel is traced
  std::string trace_folder = {};  ///< where its thread trace goes
  CaptureWish capture = {};       ///< a dispatch to freeze
  /// A folder for what executing each launch gave: a launch that finds its record there is timed with it and not executed, so memory stays as it
  /// was. Empty: none.
  std::string records_folder = {};
  /// Kernels are executed without the cycle model, which is faster: each takes a microsecond. For programs whose results alone matter; nothing is recorded,
  /// captured or traced then.
  bool untimed = false;
  /// Where an access leaves an allocation.
  AddressSpace::Bounds bounds = AddressSpace::Bounds::exact;
  /// The constants of the cycle model; null: those of the kind.
  std::shared_ptr<const cycle::Parameters> parameters = nullptr;
};

/// Not for several threads at once. Handles are pointers to what it owns; it checks those it is given.
class Runtime {
 public:
  Runtime(RuntimeSettings settings, std::optional<RecordingWriter> recording);
  ~Runtime();

  // devices
  [[nodiscard]] std::uint32_t device_count() const { return settings_.devices; }
  [[nodiscard]] const DeviceKind& kind() const { return settings_.kind; }
  [[nodiscard]] const HostCosts& costs() const { return settings_.costs; }
  Code enable_peer(std::uint32_t from, std::uint32_t to, bool enable);

  // memory
  Code allocate(ThreadState& thread, Allocation::Kind kind, std::uint64_t bytes, unsigned flags,
                void** out);
  Code release(ThreadState& thread, void* pointer, bool host);
  Code register_host(void* pointer, std::uint64_t bytes, unsigned flags);
  Code unregister_host(void* pointer);
  [[nodiscard]] std::uint64_t free_bytes(std::uint32_t device) const;
  AddressSpace& space() { return space_; }
  GraphMemory& graph_memory() { return graph_memory_; }

  // work
  Code copy(ThreadState& thread, void* to, const void* from, std::uint64_t bytes, int kind,
            Stream* stream, bool wait);
  /// Rows of `width` bytes.
  struct Rows {
    std::uint64_t to_pitch = 0, from_pitch = 0, width = 0, count = 1;
  };
  Code copy_rows(ThreadState& thread, void* to, const void* from, const Rows& rows, int kind,
                 Stream* stream, bool wait);
  /// `count` times the `size` (1, 2 or 4) low bytes of `value`.
  Code fill(ThreadState& thread, void* to, std::uint32_t value, std::uint32_t size,
            std::uint64_t count, Stream* stream, bool wait);
  Code launch(ThreadState& thread, LaunchRequest request);
  /// How many workgroups of `items` work-items fit on a compute unit. Fails as arch::occupancy() does.
  [[nodiscard]] Result<arch::Occupancy> occupancy(const Function& function, std::uint32_t items,
                                                  std::uint32_t dynamic_lds_bytes) const;
  /// Whether all workgroups of the launch fit on the device at once, as a cooperative one must.
  [[nodiscard]] bool fits_at_once(const LaunchRequest& request) const;
  Code copy_box(ThreadState& thread, const CopyWork& work, Stream* stream, bool wait);
  /// Whether a fill stays in its allocation.
  [[nodiscard]] Code check_fill(const FillWork& work) const;
  /// Whether a copy could be done now: its direction, and that it stays in its allocations.
  Code check_copy(ThreadState& thread, const CopyWork& work);
  Code fill_box(ThreadState& thread, const FillWork& work, Stream* stream);

  // graphs (graph.h)
  /// From now on what is asked of the stream becomes nodes, of `into` or, for null, of a graph of its own.
  Code begin_capture(Stream& stream, Graph* into);
  /// `own` gets the graph where begin_capture() made it.
  Code end_capture(Stream& stream, std::unique_ptr<Graph>& own, Graph*& graph);
  /// What streams are being captured into.
  [[nodiscard]] std::vector<Graph*> graphs_in_capture() const;
  /// Writes the work down where the stream is captured; else false.
  bool captures(Stream& stream, CapturedWork work);
  /// One node after the other, in the stream. `call_host` runs functions of the host.
  Code do_nodes(ThreadState& thread, const std::vector<GraphNode*>& order, Stream* stream,
                const std::function<void(const HostWork&)>& call_host);
  /// Gives back what an earlier launch left in use, as hipGraphInstantiateFlagAutoFreeOnLaunch says.
  void free_left_over(const std::vector<GraphNode*>& order);

  // streams and events
  Stream* create_stream(ThreadState& thread, unsigned flags, int priority);
  Code destroy_stream(Stream* stream);
  /// The stream that a handle names for this thread: null and 1 the null stream, 2 the thread's own. Null for no stream.
  Stream* stream_of(ThreadState& thread, void* handle);
  Event* create_event(unsigned flags);
  Code destroy_event(Event* event);
  [[nodiscard]] bool is_event(const Event* event) const {
    return events_.contains(const_cast<Event*>(event));
  }
  Code record(Event& event, Stream& stream);
  Code wait_on(Stream& stream, const Event& event);
  /// When what was asked of the stream so far is done; of the null stream, what its rules make it wait for too.
  [[nodiscard]] std::int64_t done_ns(const Stream& stream) const;
  [[nodiscard]] std::int64_t device_done_ns(std::uint32_t device) const;
  /// The host waits until then.
  void wait_until(std::int64_t time_ns);
  /// The host is told that the devices have done everything up to then.
  void host_knows(std::int64_t time_ns) { capturer_.host_knows(time_ns, call_); }
  /// The function of the interface that was called last, for messages; `name` lives as long as the program.
  void begin_call(const char* name) { call_ = name; }

  // modules
  Result<Module*> add_module(std::span<const std::byte> image);
  Code unload(Module* module);
  [[nodiscard]] bool is_module(const Module* module) const;
  Code variable(ThreadState& thread, Module& module, const std::string& name, void** address,
                std::uint64_t* bytes);

  // the clock of the host, and what is written down
  [[nodiscard]] std::int64_t now() const { return now_; }
  void spend(std::int64_t ns) { now_ += ns; }
  std::uint64_t next_correlation() { return ++correlation_; }
  RecordingWriter* recording() { return recording_ ? &*recording_ : nullptr; }
  /// In a child of fork(): the file belongs to the parent.
  void stop_recording();
  void refuse(const std::string& name) { ++refused_[name]; }
  [[nodiscard]] const std::map<std::string, std::uint64_t>& refused() const { return refused_; }
  /// What a kernel died of; empty while none did. The devices do nothing more then: every call returns failure().
  [[nodiscard]] const std::string& failure_text() const { return failure_text_; }
  [[nodiscard]] Code failure() const { return failure_; }
  /// Writes the last records; nothing is recorded afterwards.
  void finish();

 private:
  Code do_node(ThreadState& thread, const GraphNode& node, Stream* stream,
               const std::function<void(const HostWork&)>& call_host);
  [[nodiscard]] Stream& null_stream(std::uint32_t device) { return *streams_[device]; }
  Stream& add_stream(std::uint32_t device);
  /// When work that is asked for now may begin on the stream.
  [[nodiscard]] std::int64_t ready_on(const Stream& stream, std::int64_t latency) const;
  [[nodiscard]] Place place_of(const ThreadState& thread, const Stream& stream,
                               const Span& span) const;
  /// One side of a copy.
  struct Side {
    std::byte* host = nullptr;  ///< where its first byte lies for this process
    std::int32_t device = CopyRecord::kHost;
    std::uint64_t address = 0;  ///< as recorded: 0 for memory that HIP did not give out
  };
  struct Transfer {
    Side to, from;
    std::uint64_t bytes = 0;
  };
  Code check_side(std::uint64_t address, std::uint64_t bytes, bool side_is_device,
                  std::uint32_t device, Side& side) const;
  Result<Transfer> transfer_of(ThreadState& thread, void* to, const void* from, const Rows& rows,
                               int kind);
  [[nodiscard]] std::int64_t transfer_ns(const Transfer& transfer) const;
  void note_again(ThreadState& thread, const Transfer& transfer, const Rows& rows);
  /// Marks what was copied into memory that is freed.
  void note_gone(const std::byte* begin, const std::byte* end);
  bool is_sent_again(const Transfer& transfer, const Rows& rows);
  Code failed(const Error& error, const Function& function);
  /// Memory of a device that the runtime reads or writes.
  struct Extent {
    std::uint64_t address = 0, bytes = 0;
    bool written = false;
  };
  /// Nanoseconds that a kernel of the runtime's own takes to move the bytes of `sides`, its launch among them.
  std::int64_t moved_ns(std::uint32_t device, std::initializer_list<Extent> sides);
  [[nodiscard]] std::string record_path() const;  ///< of the launch that goes on
  /// A launch that was executed before, if its record is there. Fails as read_record() does, and with corrupt for the record of another one.
  Result<std::optional<Executed>> timed_again(const LaunchRequest& request);
  /// Executes one, and writes its record where that is asked for. Fails as both do.
  Result<Executed> carry_out(const Launch& launch, const LaunchRequest& request);
  std::uint64_t record_kernel(Function& function, std::uint32_t device);
  void record_module(Module& module, std::uint32_t device);
  void record_dispatch(const Place& place, LaunchRequest& request, const Executed& done);
  void record_counts(const Executed& done);
  std::string findings_of(const Function& function, const Executed& done);
  void record_trace(const isa::Kernel& kernel, std::uint32_t device, const Executed& done);
  /// Whether this dispatch of the kernel is to be traced.
  [[nodiscard]] bool wants_trace(const isa::Kernel& kernel) const;

  RuntimeSettings settings_;
  std::optional<RecordingWriter> recording_;
  AddressSpace space_;
  GraphMemory graph_memory_;
  Hostcall hostcall_;
  DispatchCapturer capturer_;
  std::shared_ptr<const cycle::Parameters> parameters_;
  std::vector<std::shared_ptr<cycle::MemoryState>> memory_states_;  ///< by device
  std::vector<Timeline> timelines_;                                 ///< by device
  std::vector<std::unique_ptr<Stream>> streams_;  ///< the null streams of the devices first
  std::map<Event*, std::unique_ptr<Event>> events_;
  std::vector<std::unique_ptr<Module>> modules_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> peers_;
  std::map<std::string, std::uint64_t> refused_;
  std::map<std::string, std::uint32_t> counter_ids_;  ///< that were recorded
  std::map<const std::byte*, const std::byte*>
      last_source_;  ///< by where copies went, while recording: where the last one came from
  /// What the last copy from a place of the host to a device took.
  struct Sent {
    std::uint64_t bytes = 0, hash = 0;
    const std::byte* to = nullptr;
    bool is_gone = false;  ///< where it went was freed since
  };
  std::map<const std::byte*, Sent> sent_;   ///< by where copies came from, while recording
  std::set<std::string> traced_;            ///< kernels
  std::map<std::string, double> found_ns_;  ///< by kernel: time of the dispatch that was diagnosed
  std::string failure_text_;
  const char* call_ = "";
  Code failure_ = Code::success;
  double emulation_s_ = 0;
  std::int64_t now_;
  std::uint64_t correlation_ = 0, dispatches_ = 0, launches_ = 0, stream_ids_ = 0, event_ids_ = 0,
                object_ids_ = 0, kernel_ids_ = 0, capture_ids_ = 0;
};

}  // namespace rpl::emu::hip
