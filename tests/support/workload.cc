// SPDX-License-Identifier: MIT
#include "tests/support/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <variant>

#include "tests/support/random.h"

namespace rpl::test {
namespace {

constexpr std::size_t kEvents = 64;           ///< the application reuses its events
constexpr std::size_t kStreamDepth = 256;     ///< launches in flight before the host has to wait
constexpr std::int64_t kCompletionNs = 1500;  ///< from the end of an operation to the waiting host
constexpr std::int64_t kBarrierNs = 200;

/// An operation that something may depend on; no id = nothing.
struct Done {
  Node node;
  std::int64_t end_ns = 0;
};

struct Stream {
  unsigned gpu = 0, queue = 0, thread = 0;
  Done last;
  std::vector<Done> waits;         ///< events to wait for before the next operation
  std::vector<std::int64_t> ends;  ///< ring of the last kStreamDepth ends
  std::size_t submitted = 0;
  std::uint64_t host_seen = 0;  ///< host synchronisations already counted for this stream
};

struct Event {
  std::vector<Done>
      recorded;  ///< the stream's last operation, and what the stream still waited for
  bool valid = false;
  unsigned stream = 0;
};

struct Thread {
  std::int64_t now_ns = 0;
  std::vector<Done> synced;  ///< what the last synchronisation waited for
  std::uint64_t sync_count = 0;
};

using Run = std::variant<KernelRun, CopyRun, EventRun>;

struct Pending {
  std::int64_t end_ns;
  std::uint64_t order;
  Run run;

  bool operator<(const Pending& other) const {
    return end_ns != other.end_ns ? end_ns > other.end_ns : order > other.order;
  }
};

class Simulation {
 public:
  Simulation(const WorkloadOptions& options, WorkloadSink& sink)
      : options_(options),
        sink_(sink),
        random_(options.seed),
        events_(kEvents),
        calls_(sink.wants_calls()) {
    for (unsigned s = 0; s < options.streams; ++s) {
      Stream stream;
      stream.gpu = s % options.gpus;
      stream.queue = stream.gpu * options.queues + s / options.gpus % options.queues;
      stream.thread = s % options.threads;
      stream.ends.resize(kStreamDepth);
      streams_.push_back(std::move(stream));
    }
    queues_.resize(std::size_t{options.gpus} * options.queues);
    threads_.resize(options.threads);
    for (Thread& thread : threads_) thread.now_ns = options.start_ns + random_.between(0, 50000);
  }

  std::int64_t run() {
    while (dispatches_ < options_.dispatches) {
      const auto least =
          std::min_element(threads_.begin(), threads_.end(),
                           [](const Thread& a, const Thread& b) { return a.now_ns < b.now_ns; });
      flush(least->now_ns);
      step(static_cast<unsigned>(least - threads_.begin()));
    }
    flush(INT64_MAX);
    std::int64_t end = 0;
    for (const Thread& thread : threads_) end = std::max(end, thread.now_ns);
    return std::max(end, last_end_);
  }

 private:
  void step(unsigned thread) {
    double roll = random_.unit();
    const auto is = [&](double share) { return (roll -= share) < 0; };
    if (is(options_.event_share)) return record_and_wait(thread);
    if (is(options_.sync_share)) return synchronize(thread);
    if (is(options_.copy_share)) return copy(thread);
    if (is(options_.marker_share)) return mark(thread);
    launch(thread);
  }

  unsigned stream_of(unsigned thread) {
    const unsigned own =
        (options_.streams - thread % options_.streams + options_.threads - 1) / options_.threads;
    return thread % options_.streams + options_.threads * static_cast<unsigned>(random_.below(own));
  }

  /// One API call that lasts `ns`; returns when it started.
  ApiRun begin_call(unsigned thread, const char* name, std::int64_t ns) {
    Thread& host = threads_[thread];
    host.now_ns += random_.between(300, 1500);
    ApiRun call;
    call.name = name;
    call.correlation = ++correlation_;
    call.thread = thread_id(thread);
    call.start_ns = host.now_ns;
    host.now_ns += ns;
    return call;
  }

  void end_call(unsigned thread, ApiRun& call) {
    call.end_ns = threads_[thread].now_ns;
    if (calls_) sink_.call(call);
  }

  void launch(unsigned thread) {
    const unsigned s = stream_of(thread);
    Stream& stream = streams_[s];
    wait_for_room(thread, stream);
    ApiRun call = begin_call(thread, "hipLaunchKernel", random_.between(1800, 4200));
    KernelRun run;
    run.id = ++dispatches_;
    run.correlation = call.correlation;
    run.thread = call.thread;
    run.gpu = stream.gpu;
    run.queue = stream.queue;
    run.stream = s;
    shape(run);
    Done& queue = queues_[stream.queue];
    const Node node{NodeKind::kernel, run.id};
    const std::int64_t ready = start_after(node, stream, thread);
    if (queue.node.id != 0 && queue.node != stream.last.node)
      depend(queue.node, node, DependencyKind::queue);
    run.start_ns = std::max(ready, queue.end_ns) + random_.between(300, 900);
    run.end_ns = run.start_ns + duration(run.kernel);
    if (calls_) call.arguments = launch_arguments(run);
    queue = {node, run.end_ns};
    finish(stream, node, run.end_ns);
    push(run.end_ns, run);
    end_call(thread, call);
  }

  void shape(KernelRun& run) {
    // A few kernels make most of the launches, as in real applications.
    const double skew = random_.unit() * random_.unit();
    run.kernel = static_cast<unsigned>(skew * options_.kernels);
    const std::uint32_t block = 64U << run.kernel % 5;
    run.workgroup = {block, 1, 1};
    run.grid = {
        block * (1 + 37 * (run.kernel % 11) + static_cast<std::uint32_t>(random_.below(4)) * 16),
        1 + run.kernel % 3, 1};
    run.lds_bytes = run.kernel % 4 * 4096;
    run.scratch_bytes = run.kernel % 13 == 0 ? 64 : 0;
  }

  std::int64_t duration(unsigned kernel) {
    const double mean =
        static_cast<double>(options_.kernel_ns) * (0.2 + 1.6 * ((kernel * 7 + 3) % 11) / 10.0);
    const double factor = 0.9 + 0.2 * random_.unit() + (random_.chance(0.0005) ? 40 : 0);
    return std::max<std::int64_t>(400, static_cast<std::int64_t>(mean * factor) / 40 * 40);
  }

  static std::vector<CallArgument> launch_arguments(const KernelRun& run) {
    return {
        {"const void*", "function_address", fmt::format("{:#x}", 0x200000 + run.kernel * 0x100)},
        {"dim3", "numBlocks",
         fmt::format("{{z={}, y={}, x={}}}", 1, run.grid[1], run.grid[0] / run.workgroup[0])},
        {"dim3", "dimBlocks", fmt::format("{{z=1, y=1, x={}}}", run.workgroup[0])},
        {"void**", "args", "0x7ffd12345678"},
        {"size_t", "sharedMemBytes", fmt::format("{}", run.lds_bytes)},
        {"hipStream_t", "stream", fmt::format("{:#x}", stream_pointer(run.stream))}};
  }

  /// When the operation may start, as far as its launch, stream, events and host synchronisation go.
  std::int64_t start_after(const Node& node, Stream& stream, unsigned thread) {
    std::int64_t ready = threads_[thread].now_ns + random_.between(1500, 3500);
    if (stream.last.node.id != 0) depend(stream.last.node, node, DependencyKind::stream);
    ready = std::max(ready, stream.last.end_ns);
    for (const Done& wait : stream.waits) {
      ready = std::max(ready, wait.end_ns + kBarrierNs);
      if (wait.node.id != 0 && wait.node != stream.last.node)
        depend(wait.node, node, DependencyKind::event);
    }
    stream.waits.clear();
    const Thread& host = threads_[thread];
    if (stream.thread == thread && stream.host_seen != host.sync_count) {
      for (const Done& synced : host.synced) {
        if (synced.node.id != 0 && synced.node != stream.last.node)
          depend(synced.node, node, DependencyKind::host);
      }
      stream.host_seen = host.sync_count;
    }
    return ready;
  }

  void finish(Stream& stream, const Node& node, std::int64_t end_ns) {
    stream.last = {node, end_ns};
    stream.ends[stream.submitted++ % kStreamDepth] = end_ns;
    last_end_ = std::max(last_end_, end_ns);
  }

  void wait_for_room(unsigned thread, const Stream& stream) {
    if (stream.submitted < kStreamDepth) return;
    std::int64_t& now = threads_[thread].now_ns;
    now = std::max(now, stream.ends[stream.submitted % kStreamDepth] + kCompletionNs);
  }

  void record_and_wait(unsigned thread) {
    const unsigned from = stream_of(thread);
    const auto handle = static_cast<std::size_t>(random_.below(kEvents));
    record(thread, handle, from);
    const auto to = static_cast<unsigned>(random_.below(options_.streams));
    if (to != from) wait(thread, handle, to);
  }

  static std::int64_t last_end(const Event& event) {
    std::int64_t end_ns = 0;
    for (const Done& done : event.recorded) end_ns = std::max(end_ns, done.end_ns);
    return end_ns;
  }

  static std::uint64_t event_pointer(std::size_t handle) { return 0x7f3300001000 + handle * 0x80; }

  void record(unsigned thread, std::size_t handle, unsigned from) {
    Stream& stream = streams_[from];
    ApiRun call = begin_call(thread, "hipEventRecord", random_.between(700, 1600));
    Event& event = events_[handle];
    event.recorded = {
        {stream.last.node, std::max(stream.last.end_ns, threads_[thread].now_ns) + kBarrierNs}};
    for (const Done& wait : stream.waits) {
      event.recorded.push_back({wait.node, wait.end_ns + kBarrierNs});
    }
    event.valid = true;
    event.stream = from;
    if (calls_) {
      call.arguments = {{"hipEvent_t", "event", fmt::format("{:#x}", event_pointer(handle))},
                        {"hipStream_t", "stream", fmt::format("{:#x}", stream_pointer(from))}};
    }
    EventRun run;
    run.handle = event_pointer(handle);
    run.correlation = call.correlation;
    run.thread = call.thread;
    run.gpu = stream.gpu;
    run.queue = run.source_queue = stream.queue;
    run.stream = from;
    run.end_ns = last_end(event);
    run.start_ns = run.end_ns - kBarrierNs;
    push(run.end_ns, run);
    end_call(thread, call);
  }

  void wait(unsigned thread, std::size_t handle, unsigned to) {
    Stream& stream = streams_[to];
    ApiRun call = begin_call(thread, "hipStreamWaitEvent", random_.between(700, 1600));
    const Event& event = events_[handle];
    for (const Done& done : event.recorded) {
      stream.waits.push_back({done.node, done.end_ns + kBarrierNs});
    }
    if (calls_) {
      call.arguments = {{"hipStream_t", "stream", fmt::format("{:#x}", stream_pointer(to))},
                        {"hipEvent_t", "event", fmt::format("{:#x}", event_pointer(handle))},
                        {"unsigned int", "flags", "0"}};
    }
    EventRun run;
    run.wait = true;
    run.handle = event_pointer(handle);
    run.correlation = call.correlation;
    run.thread = call.thread;
    run.gpu = stream.gpu;
    run.queue = stream.queue;
    run.source_queue = streams_[event.stream].queue;
    run.stream = to;
    run.start_ns = std::max(stream.last.end_ns, threads_[thread].now_ns);
    run.end_ns = std::max(run.start_ns, last_end(event)) + kBarrierNs;
    push(run.end_ns, run);
    end_call(thread, call);
  }

  void synchronize(unsigned thread) {
    const auto kind = random_.below(3);
    Thread& host = threads_[thread];
    host.synced.clear();
    ++host.sync_count;
    if (kind == 0) return synchronize_stream(thread);
    if (kind == 1) return synchronize_device(thread);
    const auto handle = static_cast<std::size_t>(random_.below(kEvents));
    ApiRun call = begin_call(thread, "hipEventSynchronize", random_.between(500, 900));
    if (calls_)
      call.arguments = {{"hipEvent_t", "event", fmt::format("{:#x}", event_pointer(handle))}};
    for (const Done& done : events_[handle].recorded) host_waits(thread, done);
    end_call(thread, call);
  }

  void host_waits(unsigned thread, const Done& done) {
    Thread& host = threads_[thread];
    host.synced.push_back(done);
    host.now_ns = std::max(host.now_ns, done.end_ns + kCompletionNs);
  }

  void synchronize_stream(unsigned thread) {
    const unsigned s = stream_of(thread);
    ApiRun call = begin_call(thread, "hipStreamSynchronize", random_.between(500, 900));
    if (calls_)
      call.arguments = {{"hipStream_t", "stream", fmt::format("{:#x}", stream_pointer(s))}};
    host_waits(thread, streams_[s].last);
    end_call(thread, call);
  }

  /// Of the device that the thread's first stream is on.
  void synchronize_device(unsigned thread) {
    ApiRun call = begin_call(thread, "hipDeviceSynchronize", random_.between(500, 900));
    const unsigned gpu = streams_[thread % options_.streams].gpu;
    for (const Stream& stream : streams_) {
      if (stream.gpu == gpu) host_waits(thread, stream.last);
    }
    end_call(thread, call);
  }

  void copy(unsigned thread) {
    const unsigned s = stream_of(thread);
    Stream& stream = streams_[s];
    wait_for_room(thread, stream);
    const bool blocking = random_.chance(0.2);
    ApiRun call =
        begin_call(thread, blocking ? "hipMemcpy" : "hipMemcpyAsync", random_.between(2000, 5000));
    CopyRun run;
    run.id = ++copies_;
    run.correlation = call.correlation;
    run.thread = call.thread;
    run.gpu = stream.gpu;
    run.stream = s;
    run.kind = static_cast<CopyKind>(random_.below(3));
    run.bytes = 4096U << random_.below(12);
    const Node node{NodeKind::copy, run.id};
    run.start_ns = start_after(node, stream, thread) + random_.between(300, 900);
    run.end_ns = run.start_ns + 2000 + static_cast<std::int64_t>(run.bytes / 40);
    finish(stream, node, run.end_ns);
    if (calls_) call.arguments = copy_arguments(run, blocking);
    push(run.end_ns, run);
    if (blocking) {
      Thread& host = threads_[thread];
      host.synced.clear();
      ++host.sync_count;
      host_waits(thread, stream.last);
    }
    end_call(thread, call);
  }

  static std::vector<CallArgument> copy_arguments(const CopyRun& run, bool blocking) {
    std::vector<CallArgument> arguments = {
        {"void*", "dst", "0x7f0000010000"},
        {"const void*", "src", "0x7f0000020000"},
        {"size_t", "sizeBytes", fmt::format("{}", run.bytes)},
        {"hipMemcpyKind", "kind", fmt::format("{}", static_cast<int>(run.kind) + 1)}};
    if (!blocking) {
      arguments.push_back(
          {"hipStream_t", "stream", fmt::format("{:#x}", stream_pointer(run.stream))});
    }
    return arguments;
  }

  void mark(unsigned thread) {
    Thread& host = threads_[thread];
    MarkerRun marker;
    marker.range = random_.chance(0.7);
    marker.text = fmt::format("step {}", dispatches_ / 100);
    marker.correlation = ++correlation_;
    marker.thread = thread_id(thread);
    marker.start_ns = host.now_ns;
    host.now_ns += marker.range ? random_.between(1000, 20000) : 100;
    marker.end_ns = marker.range ? host.now_ns : marker.start_ns;
    sink_.marker(marker);
  }

  void depend(const Node& from, const Node& to, DependencyKind kind) {
    sink_.dependency({from, to, kind});
  }

  template <class T>
  void push(std::int64_t end_ns, const T& run) {
    pending_.push({end_ns, ++order_, run});
  }

  void flush(std::int64_t until_ns) {
    while (!pending_.empty() && pending_.top().end_ns <= until_ns) {
      struct Emit {
        WorkloadSink& sink;
        void operator()(const KernelRun& run) const { sink.kernel(run); }
        void operator()(const CopyRun& run) const { sink.copy(run); }
        void operator()(const EventRun& run) const { sink.event(run); }
      };
      std::visit(Emit{sink_}, pending_.top().run);
      pending_.pop();
    }
  }

  WorkloadOptions options_;
  WorkloadSink& sink_;
  Random random_;
  std::vector<Event> events_;
  bool calls_;
  std::vector<Stream> streams_;
  std::vector<Done> queues_;
  std::vector<Thread> threads_;
  std::priority_queue<Pending> pending_;
  std::uint64_t dispatches_ = 0, copies_ = 0, correlation_ = 0, order_ = 0;
  std::int64_t last_end_ = 0;
};

}  // namespace

std::uint64_t stream_pointer(unsigned stream) {
  return 0x55d0c0de0000 + std::uint64_t{stream} * 0x2c0;
}

std::int64_t thread_id(unsigned thread) { return 4242 + std::int64_t{thread} * 17; }

std::int64_t simulate(const WorkloadOptions& options, WorkloadSink& sink) {
  return Simulation(options, sink).run();
}

}  // namespace rpl::test
