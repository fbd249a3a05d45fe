// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/intercept/calls.h"
#include "engine/intercept/packets.h"

namespace rpl::intercept {

/// As much of an HSA runtime as freezing a dispatch needs, in this process: signals, and a queue whose packets a thread of its own runs in
/// order. Calls are plain functions, so one runtime exists at a time.
class MiniRuntime {
 public:
  MiniRuntime();
  ~MiniRuntime();
  MiniRuntime(const MiniRuntime&) = delete;
  MiniRuntime& operator=(const MiniRuntime&) = delete;

  [[nodiscard]] const Calls& calls() const { return calls_; }
  Calls& calls() { return calls_; }
  Signal signal(hsa::SignalValue value);
  void set(Signal signal, hsa::SignalValue value);
  hsa::SignalValue get(Signal signal);
  /// The how manieth signal_create from now on fails; 0: none.
  void fail_signal(int which) { failing_ = which; }
  [[nodiscard]] std::size_t signals() const { return blocks_.size(); }

  /// What a writer does: packets for the device, one writer call for each call.
  void submit(std::span<const Packet> packets);
  [[nodiscard]] const std::vector<std::vector<Packet>>& written() const { return written_; }
  /// What the device does at a dispatch.
  std::function<void(const hsa::DispatchPacket&)> on_dispatch;
  /// Until all packets were run. False when the device waits for something.
  bool drained(std::chrono::milliseconds most);

 private:
  void run();

  Calls calls_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::unique_ptr<hsa::SignalBlock>> blocks_;
  std::deque<Packet> packets_;
  std::vector<std::vector<Packet>> written_;
  std::atomic<bool> stop_{false}, idle_{true};
  int failing_ = 0;
  std::thread device_;
};

/// The writer that hands packets to the runtime that exists.
void mini_writer(const void* packets, std::uint64_t count);

}  // namespace rpl::intercept
