// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/monitor.h"
#include "engine/base/result.h"
#include "engine/trace/core/columns.h"
#include "engine/trace/core/entities.h"
#include "engine/trace/core/secondary.h"

namespace rpl {

struct OpenOptions {
  /// Read rocpd dispatches through SQLite's API even where the leaf-page decoder could.
  bool api_only = false;
  /// Threads that decode; 0 = as many as there are cores, at most 2.
  unsigned threads = 0;
  /// Look for damage that reading does not take. Off only to measure what it costs.
  bool look_for_damage = true;
};

/// One dispatch as a reader found it; `launch` and `lane` are what RawTrace::launch() and lane() returned.
struct RawDispatch {
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t launch = 0, lane = 0;
  std::int64_t dispatch_id = 0;
  std::int64_t event_id = 0;  ///< 0 = none
};

/// What one reader fills for one file: the dispatches in file order (unsorted) and interned tables around them. All
/// indices are local to this RawTrace; finish_trace() merges several, sorts and computes kernel ids.
///
/// Interning functions find or create; the returned index stays valid. Entities that were created implicitly (a queue
/// that only dispatches mention) are ordinary entities with an empty name.
class RawTrace {
 public:
  TraceFile file;
  Presence presence;
  std::vector<std::string> notes;      ///< what was odd, one sentence each, without the file's name
  std::unique_ptr<FileTables> tables;  ///< may be null
  TraceColumns columns;  ///< filled by add(), or directly by a reader that knows the row count

  /// Finds by (guid, pid); fills in what a process known so far only by name lacked. `process.file` is set later.
  std::uint32_t process(Process process);
  /// Finds by (process, recorded id); a later call with details replaces an implicit one.
  std::uint32_t agent(Agent agent);
  std::uint32_t queue(Queue queue);
  std::uint32_t stream(Stream stream);
  /// Finds by mangled name; `id` is set later. An empty `mangled` is taken from `name`, an empty `name` from `mangled`.
  /// A ".kd" at the end of `mangled` is cut off.
  std::uint32_t kernel(Kernel kernel);
  std::uint32_t launch(const Launch& launch);
  std::uint32_t lane(const Lane& lane);

  void reserve(std::size_t dispatches);
  void add(const RawDispatch& dispatch);

  [[nodiscard]] const std::vector<Process>& processes() const { return processes_; }
  [[nodiscard]] const std::vector<Agent>& agents() const { return agents_; }
  [[nodiscard]] const std::vector<Queue>& queues() const { return queues_; }
  [[nodiscard]] const std::vector<Stream>& streams() const { return streams_; }
  [[nodiscard]] const std::vector<Kernel>& kernels() const { return kernels_; }
  [[nodiscard]] const std::vector<Launch>& launches() const { return launches_; }
  [[nodiscard]] const std::vector<Lane>& lanes() const { return lanes_; }

 private:
  using Index = std::unordered_map<std::string, std::uint32_t>;  ///< by the key's bytes

  std::vector<Process> processes_;
  std::vector<Agent> agents_;
  std::vector<Queue> queues_;
  std::vector<Stream> streams_;
  std::vector<Kernel> kernels_;
  std::vector<Launch> launches_;
  std::vector<Lane> lanes_;
  Index process_index_, agent_index_, queue_index_, stream_index_, kernel_index_, launch_index_,
      lane_index_;
};

class ForeignDatabase;

/// What a reader gets. `path` exists and is a regular file of the reader's format as far as its first bytes tell.
struct ReadRequest {
  std::string path;
  OpenOptions options;
  const Monitor& monitor;
};

/// The readers, one per format. The database ones take over the open database, so that their FileTables may keep it.
Result<RawTrace> read_rocpd(std::shared_ptr<ForeignDatabase> database, const ReadRequest& request);
Result<RawTrace> read_rpd(std::shared_ptr<ForeignDatabase> database, const ReadRequest& request);
/// A kernel-trace CSV of rocprofv3; its siblings of the same run (memory copies, API, counters) are found beside it.
Result<RawTrace> read_csv(const ReadRequest& request);
Result<RawTrace> read_json(const ReadRequest& request);
/// A Chrome trace as PyTorch's profiler (Kineto) writes it, packed or not.
Result<RawTrace> read_kineto(const ReadRequest& request);

/// Merges what was read of several files: entities renumbered, kernels of one mangled name united and given their ids,
/// dispatches sorted by (start, file, row). A guid that occurs in two files is noted; a file that repeats
/// another's guid, dispatch count and times is left out, and that is noted.
Result<std::shared_ptr<const Trace>> finish_trace(std::vector<RawTrace> files,
                                                  const Monitor& monitor);

}  // namespace rpl
