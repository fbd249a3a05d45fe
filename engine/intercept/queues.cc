// SPDX-License-Identifier: MIT
#include "engine/intercept/queues.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace rpl::intercept {
namespace {

constexpr std::chrono::microseconds kGlance{100};
constexpr std::chrono::seconds kLongestPause{10};
/// A capture ends by itself, for all its waits are bounded; should copying memory hang, the application goes on behind the gate.
constexpr std::chrono::minutes kLongestStop{30};

}  // namespace

Result<Signal> SignalBin::make(hsa::SignalValue value) {
  const std::scoped_lock lock(mutex_);
  Signal out{};
  if (!free_.empty()) {
    out = free_.back();
    free_.pop_back();
    calls_.signal_store(out, value);
    return out;
  }
  const Status status = calls_.signal_create(value, 0, nullptr, &out);
  if (status != Status::success)
    return fail(Errc::io, "hsa_signal_create: " + hsa::name_of(status));
  signals_.push_back(out);
  return out;
}

void SignalBin::give_back(Signal signal) {
  const std::scoped_lock lock(mutex_);
  free_.push_back(signal);
}

void SignalBin::empty() {
  const std::scoped_lock lock(mutex_);
  for (const Signal signal : signals_) (void)calls_.signal_destroy(signal);
  signals_.clear();
  free_.clear();
}

void Pace::forward(const Calls& calls, std::span<const Packet> packets, Writer writer) {
  since_ += packets.size();
  if (since_ < piece_) return writer(packets.data(), packets.size());
  since_ = 0;
  // The mark before the last one: behind it lie two quarters, and the third begins.
  const Signal mine = marks_[turn_];
  const auto end = std::chrono::steady_clock::now() + kLongestPause;
  while (calls.signal_load(mine) > 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(kGlance);
  if (calls.signal_load(mine) > 0) return writer(packets.data(), packets.size());
  calls.signal_store(mine, 1);
  std::vector<Packet> out(packets.begin(), packets.end());
  out.push_back(mark(mine));
  turn_ ^= 1U;
  writer(out.data(), out.size());
}

std::vector<Packet> QueueStop::passed(TrackedQueue& queue, std::span<const Packet> packets) const {
  std::vector<Packet> out;
  if (queue.fenced_for != number_) {
    queue.fenced_for = number_;
    out = {barrier({}, drained_), barrier(gate_, {})};
  } else {
    const auto end = std::chrono::steady_clock::now() + kLongestStop;
    while (calls_.signal_load(gate_) > 0 && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(kGlance);
  }
  out.insert(out.end(), packets.begin(), packets.end());
  return out;
}

TrackedQueue& QueueLog::add(TrackedQueue queue) {
  const std::scoped_lock lock(mutex_);
  queues_.push_back(std::make_unique<TrackedQueue>(queue));
  return *queues_.back();
}

void QueueLog::remove(const hsa::Queue* queue) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(queues_, [queue](const auto& entry) { return entry->queue == queue; });
}

void QueueLog::set_priority(const hsa::Queue* queue, std::uint32_t priority) {
  const std::scoped_lock lock(mutex_);
  for (const auto& entry : queues_) {
    if (entry->queue == queue) entry->priority = priority;
  }
}

std::vector<TrackedQueue*> QueueLog::others(const TrackedQueue& than) const {
  const std::scoped_lock lock(mutex_);
  std::vector<TrackedQueue*> out;
  for (const auto& entry : queues_) {
    if (entry.get() != &than) out.push_back(entry.get());
  }
  return out;
}

bool poke(const Calls& calls, hsa::Queue& queue, const std::stop_token& stop) {
  if (queue.type != kSeveralProducers) return false;
  const std::uint64_t index = calls.add_write_index(&queue, 1);
  while (index - calls.load_read_index(&queue) >= queue.size) {
    if (stop.stop_requested()) return false;
    std::this_thread::sleep_for(kGlance);
  }
  auto* slot =
      static_cast<std::byte*>(queue.base_address) + (index & (queue.size - 1)) * hsa::kPacketBytes;
  Packet packet = barrier({}, {});
  // The processor may look at the slot at any time: the header, which makes the packet valid, comes last and at once.
  std::uint32_t head = 0;
  std::memcpy(&head, packet.bytes.data(), sizeof(head));
  std::memcpy(slot + sizeof(head), packet.bytes.data() + sizeof(head),
              packet.bytes.size() - sizeof(head));
  std::atomic_ref(*reinterpret_cast<std::uint32_t*>(slot)).store(head, std::memory_order_release);
  calls.signal_store(queue.doorbell, static_cast<hsa::SignalValue>(index));
  return true;
}

}  // namespace rpl::intercept
