// SPDX-License-Identifier: MIT
#include "tests/engine/intercept/mini_runtime.h"

#include <optional>

namespace rpl::intercept {
namespace {

MiniRuntime* runtime = nullptr;

hsa::SignalBlock& block(Signal signal) {
  return *reinterpret_cast<hsa::SignalBlock*>(signal.handle);  // NOLINT(performance-no-int-to-ptr)
}
std::atomic_ref<std::int64_t> value(Signal signal) {
  return std::atomic_ref(const_cast<std::int64_t&>(block(signal).value));
}

}  // namespace

MiniRuntime::MiniRuntime() {
  runtime = this;
  calls_.signal_create = [](hsa::SignalValue initial, std::uint32_t, const Agent*, Signal* out) {
    if (runtime->failing_ != 0 && --runtime->failing_ == 0) return Status::out_of_resources;
    *out = runtime->signal(initial);
    return Status::success;
  };
  calls_.signal_destroy = [](Signal signal) {
    const std::scoped_lock lock(runtime->mutex_);
    return runtime->blocks_.erase(signal.handle) == 1 ? Status::success : Status::invalid_signal;
  };
  calls_.signal_load = [](Signal signal) { return value(signal).load(); };
  calls_.signal_store = [](Signal signal, hsa::SignalValue to) { value(signal).store(to); };
  calls_.signal_subtract = [](Signal signal, hsa::SignalValue by) { value(signal).fetch_sub(by); };
  device_ = std::thread([this] { run(); });
}

MiniRuntime::~MiniRuntime() {
  stop_ = true;
  device_.join();
  runtime = nullptr;
}

Signal MiniRuntime::signal(hsa::SignalValue initial) {
  auto made = std::make_unique<hsa::SignalBlock>();
  made->kind = 1;
  made->value = initial;
  const Signal out{reinterpret_cast<std::uintptr_t>(made.get())};
  const std::scoped_lock lock(mutex_);
  blocks_.emplace(out.handle, std::move(made));
  return out;
}

void MiniRuntime::set(Signal signal, hsa::SignalValue to) { value(signal).store(to); }
hsa::SignalValue MiniRuntime::get(Signal signal) { return value(signal).load(); }

void MiniRuntime::submit(std::span<const Packet> packets) {
  const std::scoped_lock lock(mutex_);
  idle_ = false;
  written_.emplace_back(packets.begin(), packets.end());
  packets_.insert(packets_.end(), packets.begin(), packets.end());
}

bool MiniRuntime::drained(std::chrono::milliseconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  while (!idle_ && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  return idle_;
}

void MiniRuntime::run() {
  std::uint64_t ticks = 1000;
  while (!stop_) {
    std::optional<Packet> next;
    {
      const std::scoped_lock lock(mutex_);
      idle_ = packets_.empty();
      if (!packets_.empty()) next = packets_.front();
    }
    // Not `idle_`, which a submission may lower here: the packet that it brings would be taken for the one that was read.
    if (!next) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      continue;
    }
    const Packet& packet = *next;
    Signal completion{};
    if (hsa::type_of(packet.header()) == hsa::PacketType::dispatch) {
      const auto dispatch = packet.as<hsa::DispatchPacket>();
      completion = dispatch.completion;
      if (on_dispatch) on_dispatch(dispatch);
    } else {
      const auto barrier = packet.as<hsa::BarrierPacket>();
      completion = barrier.completion;
      bool waits = false;
      for (const Signal dependency : barrier.dependency)
        waits |= dependency.handle != 0 && value(dependency).load() != 0;
      if (waits) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
        continue;
      }
    }
    if (completion.handle != 0) {
      block(completion).start_ticks = ticks;
      block(completion).end_ticks = ticks += 10;
      value(completion).fetch_sub(1);
    }
    const std::scoped_lock lock(mutex_);
    packets_.pop_front();
  }
}

void mini_writer(const void* packets, std::uint64_t count) {
  runtime->submit(packets_at(packets, count));
}

}  // namespace rpl::intercept
