// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "engine/base/result.h"
#include "engine/capture/wish.h"
#include "engine/intercept/copies.h"
#include "engine/intercept/freeze.h"
#include "engine/intercept/live.h"
#include "engine/intercept/loaded_code.h"
#include "engine/intercept/memory_log.h"
#include "engine/intercept/queues.h"
#include "engine/intercept/snapshot.h"
#include "engine/intercept/trigger.h"

namespace rpl::intercept {

/// What the tool is told through the environment of the process that it is loaded into. `capture run --target local` sets these:
///
///     RPL_CAPTURE_KERNEL      which kernels; nothing: none
///     RPL_CAPTURE_DISPATCH    which of their dispatches, from 1
///     RPL_CAPTURE_GRID        only dispatches of this grid, in work-items: "1024,1,1"; "1024" is the same
///     RPL_CAPTURE_LONGER_US   only dispatches of a kernel and grid whose last run took at least this long
///     RPL_CAPTURE_FOLDER      the capture's folder
///     RPL_CAPTURE_SCOPE       "reachable" or "all"
///     RPL_CAPTURE_LIMIT       most bytes of memory; 0: no limit
///     RPL_CAPTURE_DRAIN_MS, RPL_CAPTURE_DISPATCH_MS   how long the waits may last
///     RPL_CAPTURE_REPORTS     a folder: each process writes PID.json there
///     RPL_CAPTURE_CONTROL     a folder for a socket of each process, through which rpl can ask and tell while the program runs
struct Settings {
  CaptureWish wish;
  Patience patience;
  std::string reports, control;

  /// Whether the tool has anything to do.
  [[nodiscard]] bool wanted() const { return !wish.kernel.empty() || !control.empty(); }
};

/// `variable` returns null for what is not set. Fails with usage, naming the variable.
Result<Settings> settings_from(const std::function<const char*(const char*)>& variable);

/// The capture tool in a program's process: knows its memory, queues and copies, looks at every packet, and freezes one dispatch. Lives until
/// the process ends: the runtime may call back at any time. What goes wrong is told in the report; the program never notices.
class Tool {
 public:
  /// Fails with usage for a wrong pattern, unsupported when the runtime lacks a function that captures need.
  static Result<std::unique_ptr<Tool>> make(const hsa::Tables& tables, Settings settings);

  /// Puts the tool's functions in place of the runtime's, where they are not yet. One tool of the process.
  void install(const hsa::Tables& tables);

  /// A packet handler's work, see freeze.h.
  void handle(TrackedQueue& queue, std::span<const Packet> packets, Writer writer);

  /// Writes what was seen so far to the folder for reports, if there is one.
  void write_report();
  [[nodiscard]] Report report() const;

  [[nodiscard]] const Calls& calls() const { return calls_; }
  MemoryLog& memory() { return memory_; }
  QueueLog& queues() { return queues_; }
  CopyLog& copies() { return copies_; }
  Trigger& trigger() { return trigger_; }
  LoadedCode& code() { return code_; }
  Hold& hold() { return hold_; }
  /// For a new queue; `ring` is made larger where the runtime needs that. Fails as SignalBin::make does.
  Result<Pace> pace_for(std::uint32_t& ring);
  /// Answers requests under settings.control from now on. Fails as LiveServer::start does.
  rpl::Status listen();
  /// Ends that, when the program does.
  void stop_listening() { server_.reset(); }
  /// When the runtime is about to shut down.
  void end() {
    threads_.end();
    signals_.empty();
  }

 private:
  Tool(const hsa::Tables& tables, Settings settings, Trigger trigger);
  struct Chosen {
    std::size_t index = 0;
    Trigger::Turn turn = Trigger::Turn::none;
    SeenDispatch dispatch = {};
  };
  /// Lets the trigger see every dispatch.
  Chosen chosen_among(const TrackedQueue& queue, std::span<const Packet> packets);
  [[nodiscard]] SeenDispatch seen(const TrackedQueue& queue, const hsa::DispatchPacket& packet);
  void pass(TrackedQueue& queue, std::span<const Packet> packets, Writer writer);
  Surroundings surroundings();
  void capture(TrackedQueue& queue, std::span<const Packet> packets, std::size_t chosen,
               Writer writer);
  [[nodiscard]] CaptureFacts facts_of(const TrackedQueue& queue, const Packet& packet,
                                      const isa::Kernel& kernel) const;

  Settings settings_;
  Trigger trigger_;
  Calls calls_;
  std::string versions_, releases_;
  std::vector<CapturedTable> table_versions_;
  bool paced_;
  std::int64_t pid_ = ::getpid();
  MemoryLog memory_;
  QueueLog queues_;
  CopyLog copies_{calls_};
  LoadedCode code_{calls_};
  Hold hold_;
  SignalBin signals_{calls_};
  Threads threads_;
  std::atomic<std::shared_ptr<QueueStop>> stop_;
  std::atomic<bool> capturing_{false};
  std::unique_ptr<LiveServer> server_;
  std::uint64_t captures_ = 0;  ///< begun so far; the one that captures alone changes it
};

/// The tool of this process; null before install().
Tool* installed_tool();

}  // namespace rpl::intercept
