// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace rpl::test {

/// What kind of application is simulated. Times in ns.
struct WorkloadOptions {
  std::uint64_t dispatches = 1000;
  unsigned gpus = 1;
  unsigned queues = 4;   ///< hardware queues per GPU
  unsigned streams = 4;  ///< of the process; dealt out over threads, GPUs and queues
  unsigned threads = 2;
  unsigned kernels = 40;
  std::int64_t kernel_ns = 12000;  ///< mean duration
  double event_share = 0.03;       ///< of host operations: record on one stream, wait on another
  double sync_share = 0.004;       ///< stream, device and event synchronisation
  double copy_share = 0.02;
  double marker_share = 0.01;
  std::int64_t start_ns = 3'700'000'000'000;  ///< since boot
  std::uint64_t seed = 1;
};

enum class NodeKind { kernel, copy };

struct Node {
  NodeKind kind = NodeKind::kernel;
  std::uint64_t id = 0;  ///< dispatch id or copy id, from 1, in order of submission

  bool operator==(const Node&) const = default;
};

enum class DependencyKind {
  stream,  ///< previous operation of the same stream
  queue,   ///< previous kernel in the same hardware queue, of another stream
  event,   ///< through hipEventRecord and hipStreamWaitEvent
  host,    ///< a host thread waited for `from`, then launched `to`
};

/// `to` could not start before `from` had ended.
struct Dependency {
  Node from, to;
  DependencyKind kind = DependencyKind::stream;
};

struct KernelRun {
  std::uint64_t id = 0, correlation = 0;
  std::int64_t thread = 0, start_ns = 0, end_ns = 0;
  unsigned gpu = 0, queue = 0, stream = 0, kernel = 0;  ///< 0-based; queue counts over all GPUs
  std::array<std::uint32_t, 3> grid{}, workgroup{};
  std::uint32_t lds_bytes = 0, scratch_bytes = 0;
};

enum class CopyKind { host_to_device, device_to_host, device_to_device };

struct CopyRun {
  std::uint64_t id = 0, correlation = 0, bytes = 0;
  std::int64_t thread = 0, start_ns = 0, end_ns = 0;
  unsigned gpu = 0, stream = 0;
  CopyKind kind = CopyKind::host_to_device;
};

struct CallArgument {
  const char* type;
  const char* name;
  std::string value;
};

struct ApiRun {
  const char* name = "";
  std::uint64_t correlation = 0;
  std::int64_t thread = 0, start_ns = 0, end_ns = 0;
  std::vector<CallArgument> arguments;
};

/// A barrier on the device for an event: its record on `stream`, or `stream` waiting for it.
struct EventRun {
  bool wait = false;
  std::uint64_t handle = 0, correlation = 0;
  std::int64_t thread = 0, start_ns = 0, end_ns = 0;
  unsigned gpu = 0, queue = 0, stream = 0, source_queue = 0;
};

struct MarkerRun {
  bool range = false;
  std::string text;
  std::uint64_t correlation = 0;
  std::int64_t thread = 0, start_ns = 0, end_ns = 0;
};

/// Receives what the recorder would see. Kernels, copies and events come in order of completion, calls and markers in
/// order of their start, dependencies with the later operation's submission.
class WorkloadSink {
 public:
  virtual ~WorkloadSink() = default;
  virtual void kernel(const KernelRun& run) = 0;
  virtual void copy(const CopyRun&) {}
  virtual void call(const ApiRun&) {}
  virtual void event(const EventRun&) {}
  virtual void marker(const MarkerRun&) {}
  virtual void dependency(const Dependency&) {}
  /// Whether calls should carry their arguments, which are costly to make.
  [[nodiscard]] virtual bool wants_calls() const { return false; }
};

/// Handles as the application sees them, in call arguments.
std::uint64_t stream_pointer(unsigned stream);
std::int64_t thread_id(unsigned thread);

/// Simulates host threads that launch onto streams, streams on hardware queues, events and synchronisation. Every operation
/// starts only when what it depends on has ended. Returns the time when everything has ended.
std::int64_t simulate(const WorkloadOptions& options, WorkloadSink& sink);

}  // namespace rpl::test
