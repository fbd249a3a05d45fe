// SPDX-License-Identifier: MIT
// Packets and doorbells: HSA Platform System Architecture Specification 1.2, 2.8 and 2.9.
#include "engine/replay/hsa/hsa_queue.h"

#include <atomic>
#include <cstring>
#include <thread>

namespace rpl {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kPackets = 64;
constexpr std::uint32_t kNoLimit = ~std::uint32_t{0};

void note_queue_error(hsa::Status status, hsa::Queue*, void* data) {
  static_cast<HsaEvents*>(data)->queue_status = status;
}

/// The packet without its first word, then that word at once: from then on the packet is the GPU's.
void publish(hsa::DispatchPacket* slot, const hsa::DispatchPacket& packet) {
  constexpr std::size_t kFirst = sizeof(std::uint32_t);
  std::memcpy(reinterpret_cast<std::byte*>(slot) + kFirst,
              reinterpret_cast<const std::byte*>(&packet) + kFirst, sizeof(packet) - kFirst);
  const std::uint32_t word = packet.header | std::uint32_t{packet.setup} << 16;
  std::atomic_ref(*reinterpret_cast<std::uint32_t*>(slot)).store(word, std::memory_order_release);
}

}  // namespace

HsaQueue::~HsaQueue() {
  if (queue_ != nullptr) calls_.release(calls_.api.queue_destroy, "the queue", queue_);
  if (done_.handle != 0) calls_.release(calls_.api.signal_destroy, "the completion signal", done_);
}

Status HsaQueue::make() {
  const hsa::Api& api = calls_.api;
  TRY(calls_.call(api.queue_create, "the queue", device_.gpu, kPackets,
                  hsa::QueueType::several_producers, &note_queue_error,
                  static_cast<void*>(&events_), kNoLimit, kNoLimit, &queue_));
  TRY(calls_.call(api.profiling_set_profiler_enabled, "the queue", queue_, 1));
  return calls_.call(api.signal_create, "the completion signal", hsa::SignalValue{1},
                     std::uint32_t{0}, static_cast<const hsa::Agent*>(nullptr), &done_);
}

Status HsaQueue::wait_for_room(Clock::time_point end) const {
  const auto used = [&] {
    return calls_.api.queue_load_write_index_relaxed.call(queue_) -
           calls_.api.queue_load_read_index_scacquire.call(queue_);
  };
  while (used() >= queue_->size) {
    if (Clock::now() > end) return fail(Errc::timeout, "the queue stays full");
    std::this_thread::yield();
  }
  return {};
}

void HsaQueue::submit(const hsa::DispatchPacket& packet) {
  const std::uint64_t index = calls_.api.queue_add_write_index_scacq_screl.call(queue_, 1);
  publish(static_cast<hsa::DispatchPacket*>(queue_->base_address) + (index & (queue_->size - 1)),
          packet);
  calls_.api.signal_store_screlease.call(queue_->doorbell, static_cast<hsa::SignalValue>(index));
}

Status HsaQueue::check_events(std::string_view about) const {
  if (events_.faulted)
    return fail(Errc::verification_failed,
                fmt::format("{} accessed memory at 0x{:x}, which is not mapped", about,
                            events_.fault_address.load()));
  const hsa::Status status = events_.queue_status;
  if (status == hsa::Status::success) return {};
  return fail(Errc::verification_failed,
              fmt::format("{} stopped the queue with {}", about, hsa::name_of(status)));
}

// In slices, so that an error of the queue ends the wait.
Status HsaQueue::wait(std::string_view about, std::chrono::milliseconds timeout) {
  constexpr double kSliceS = 0.02;
  const auto slice = static_cast<std::uint64_t>(device_.ticks_per_s * kSliceS);
  const auto end = Clock::now() + timeout;
  while (calls_.api.signal_wait_scacquire.call(done_, hsa::Condition::less, 1, slice,
                                               hsa::WaitState::active) >= 1) {
    TRY(check_events(about));
    if (Clock::now() > end)
      return fail(Errc::timeout, fmt::format("{} did not end within {} ms", about, timeout.count()),
                  "--timeout gives each run more time");
  }
  return check_events(about);
}

Result<HsaSample> HsaQueue::run(hsa::DispatchPacket packet, std::string_view about,
                                std::chrono::milliseconds timeout) {
  packet.header = hsa::system_header(hsa::PacketType::dispatch, true);
  packet.completion = done_;
  TRY(wait_for_room(Clock::now() + timeout));
  calls_.api.signal_store_screlease.call(done_, 1);
  calls_.enter("the dispatch", about);
  const auto begin = Clock::now();
  submit(packet);
  TRY(wait(about, timeout));
  HsaSample sample;
  sample.host_ns = static_cast<double>(std::chrono::nanoseconds(Clock::now() - begin).count());
  hsa::DispatchTime time{};
  TRY(calls_.call(calls_.api.profiling_get_dispatch_time, about, device_.gpu, done_, &time));
  constexpr double kNsPerS = 1e9;
  if (time.end > time.start)
    sample.device_ns = static_cast<double>(time.end - time.start) / device_.ticks_per_s * kNsPerS;
  return sample;
}

}  // namespace rpl
