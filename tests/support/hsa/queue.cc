// SPDX-License-Identifier: MIT
// Signals, queues and the times of dispatches. Packets are processed by the parts of the stand-in for the kernel driver.
#include <chrono>
#include <cstring>

#include "tests/support/hsa/calls.h"

namespace rpl::hsa_double::calls {
namespace {

// Offsets in an amd_queue_t (amd_hsa_queue.h of ROCr), which begins with the hsa_queue_t.
constexpr std::uint64_t kWriteIndex = 56, kReadIndex = 128, kQueueProperties = 180,
                        kInactiveSignal = 192;
constexpr std::uint64_t kPage = 4096;
constexpr std::uint32_t kProfiling = 1U << 3;

template <class T>
T read_at(std::uint64_t address) {
  return std::atomic_ref(*static_cast<T*>(pointer_to(address))).load();
}

std::string packet_text(std::uint64_t index, std::uint64_t address) {
  DispatchPacket p{};
  std::memcpy(&p, pointer_to(address), sizeof(p));
  std::string text = fmt::format("packet {} header 0x{:04x}", index, p.header);
  if (type_of(p.header) != PacketType::dispatch) return text;
  text += fmt::format(" setup {} workgroup {} {} {} grid {} {} {} private {} group {}", p.setup,
                      p.workgroup[0], p.workgroup[1], p.workgroup[2], p.grid[0], p.grid[1],
                      p.grid[2], p.private_bytes, p.group_bytes);
  const bool clean = p.reserved0 == 0 && p.reserved2 == 0;
  return text + fmt::format(" signal {} reserved {}", p.completion.handle == 0 ? "no" : "yes",
                            clean ? "zero" : "set");
}

/// What ROCr makes of the bits that the packet processor stores.
Status status_of(std::int64_t bits) {
  constexpr std::int64_t kDimensions = 2, kLds = 4, kCode = 8, kFormat = 32, kWorkgroup = 64,
                         kVendor = 256, kIllegal = 0x40000000;
  if ((bits & kDimensions) != 0) return Status::incompatible_arguments;
  if ((bits & kLds) != 0) return Status::invalid_allocation;
  if ((bits & kCode) != 0) return Status::invalid_code_object;
  if ((bits & (kFormat | kVendor)) != 0) return Status::invalid_packet_format;
  if ((bits & kWorkgroup) != 0) return Status::invalid_argument;
  return (bits & kIllegal) != 0 ? static_cast<Status>(42) : Status::exception;
}

/// A processor that writes packets down before it processes them, and tells the program of errors.
class LoggedProcessor : public hsakmt::Processor {
 public:
  struct Program {
    void (*on_error)(Status, Queue*, void*) = nullptr;
    void* data = nullptr;
  };
  LoggedProcessor(const Machine& machine, const Ring& ring, Program program)
      : base_(address_of(ring.queue->base_address)),
        packets_(ring.packets),
        queue_(ring.queue),
        inactive_(ring.inactive),
        program_(program),
        inner_(machine.device, {.address = base_,
                                .packets = packets_,
                                .read_index = ring.pages + kReadIndex,
                                .write_index = ring.pages + kWriteIndex}) {}

  hsakmt::Step step(const std::atomic<bool>& cancel) override {
    const std::uint64_t at = base_ + next_ % packets_ * kPacketBytes;
    const bool is_there = next_ < read_at<std::uint64_t>(address_of(queue_) + kWriteIndex) &&
                          type_of(read_at<std::uint16_t>(at)) != PacketType::invalid;
    if (is_there && written_ == next_) {
      journal().write(packet_text(next_, at));
      ++written_;
    }
    const hsakmt::Step step = inner_.step(cancel);
    if (step == hsakmt::Step::done) ++next_;
    const auto bits = read_at<std::int64_t>(inactive_ + 8);
    if (step == hsakmt::Step::failed && bits != 0 && program_.on_error != nullptr)
      program_.on_error(status_of(bits), queue_, program_.data);
    return step;
  }

 private:
  std::uint64_t base_, packets_;
  Queue* queue_;
  std::uint64_t inactive_;
  Program program_;
  hsakmt::AqlProcessor inner_;
  std::uint64_t next_ = 0, written_ = 0;
};

std::unique_ptr<Ring> make_ring(Machine& machine, std::uint32_t size) {
  auto ring = std::make_unique<Ring>();
  const std::uint64_t bytes = kPage + emu::round_up_to(size * kPacketBytes, kPage);
  ring->pages = machine.map.allocate(bytes, hsakmt::AddressMap::kHostNode, 0);
  if (ring->pages == 0) return nullptr;
  machine.map.map(ring->pages, bytes);
  ring->packets = size;
  ring->doorbell = machine.make_signal(-1);
  ring->inactive = machine.make_signal(0);
  std::memcpy(pointer_to(ring->pages + kInactiveSignal), &ring->inactive, sizeof(ring->inactive));
  ring->queue = static_cast<Queue*>(pointer_to(ring->pages));
  *ring->queue = {.type = 0,
                  .features = 1,
                  .base_address = pointer_to(ring->pages + kPage),
                  .doorbell = {ring->doorbell},
                  .size = size,
                  .reserved = 0,
                  .id = ++machine.next_handle};
  for (std::uint64_t i = 0; i < size; ++i)
    static_cast<DispatchPacket*>(ring->queue->base_address)[i].header =
        static_cast<std::uint16_t>(PacketType::invalid);
  return ring;
}

bool satisfied(SignalValue now, Condition condition, SignalValue than) {
  const bool all[] = {now == than, now != than, now < than, now >= than};
  return all[static_cast<std::size_t>(condition)];
}

}  // namespace

Status signal_create(SignalValue value, std::uint32_t, const Agent*, Signal* signal) {
  return on_machine("hsa_signal_create", fmt::format("{}", value), [&](Machine& machine) {
    if (signal == nullptr) return Status::invalid_argument;
    signal->handle = machine.make_signal(value);
    return signal->handle == 0 ? Status::out_of_resources : Status::success;
  });
}

Status signal_destroy(Signal signal) {
  return on_machine("hsa_signal_destroy", {}, [&](Machine& machine) {
    return machine.signals.erase(signal.handle) == 1 ? Status::success : Status::invalid_signal;
  });
}

void signal_store_screlease(Signal signal, SignalValue value) {
  journal().write(fmt::format("hsa_signal_store_screlease {}", value));
  auto* block = static_cast<SignalBlock*>(pointer_to(signal.handle));
  std::atomic_ref(*const_cast<std::int64_t*>(&block->value)).store(value);
}

// Made to fail it behaves as if the time was over.
SignalValue signal_wait_scacquire(Signal signal, Condition condition, SignalValue than,
                                  std::uint64_t ticks, WaitState) {
  const auto now = machine();
  const bool fails = journal().enter("hsa_signal_wait_scacquire") != Status::success;
  const auto value = [&] { return read_at<std::int64_t>(signal.handle + 8); };
  if (!now || fails) {
    journal().write("hsa_signal_wait_scacquire = over (injected)");
    return 1;
  }
  constexpr double kNsPerS = 1e9, kLongestNs = 1e15;
  const double ns =
      std::min(static_cast<double>(ticks) / static_cast<double>(now->options.frequency) * kNsPerS,
               kLongestNs);
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::nanoseconds(static_cast<std::int64_t>(ns));
  while (!satisfied(value(), condition, than) && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  journal().write(fmt::format("hsa_signal_wait_scacquire = {}", value()));
  return value();
}

Status queue_create(Agent agent, std::uint32_t size, QueueType type,
                    void (*on_error)(Status, Queue*, void*), void* data, std::uint32_t,
                    std::uint32_t, Queue** queue) {
  return on_machine("hsa_queue_create", fmt::format("{}", size), [&](Machine& machine) {
    if (agent.handle != kGpu.handle) return Status::invalid_agent;
    if (size == 0 || (size & (size - 1)) != 0 || queue == nullptr || type == QueueType::cooperative)
      return Status::invalid_argument;
    auto ring = make_ring(machine, size);
    if (!ring) return Status::out_of_resources;
    machine.signals.erase(ring->doorbell);
    machine.signals.erase(ring->inactive);
    auto* doorbell = static_cast<std::uint64_t*>(pointer_to(ring->doorbell + 8));
    ring->thread = std::make_unique<hsakmt::Queue>(
        std::make_unique<LoggedProcessor>(machine, *ring, LoggedProcessor::Program{on_error, data}),
        doorbell);
    *queue = ring->queue;
    machine.queues[ring->pages] = std::move(ring);
    return Status::success;
  });
}

Status queue_destroy(Queue* queue) {
  return on_machine("hsa_queue_destroy", {}, [&](Machine& machine) {
    const auto found = machine.queues.find(address_of(queue));
    if (found == machine.queues.end()) return Status::invalid_queue;
    found->second->thread.reset();
    machine.map.free(found->first);
    machine.queues.erase(found);
    return Status::success;
  });
}

std::uint64_t queue_load_read_index_scacquire(const Queue* queue) {
  return read_at<std::uint64_t>(address_of(queue) + kReadIndex);
}
std::uint64_t queue_load_write_index_relaxed(const Queue* queue) {
  return read_at<std::uint64_t>(address_of(queue) + kWriteIndex);
}
std::uint64_t queue_add_write_index_scacq_screl(const Queue* queue, std::uint64_t count) {
  return std::atomic_ref(*static_cast<std::uint64_t*>(pointer_to(address_of(queue) + kWriteIndex)))
      .fetch_add(count);
}

Status profiling_set_profiler_enabled(Queue* queue, int enabled) {
  return on_machine(
      "hsa_amd_profiling_set_profiler_enabled", fmt::format("{}", enabled), [&](Machine& machine) {
        if (!machine.queues.contains(address_of(queue))) return Status::invalid_queue;
        const std::uint32_t bits = enabled != 0 ? kProfiling : 0;
        std::memcpy(pointer_to(address_of(queue) + kQueueProperties), &bits, sizeof(bits));
        return Status::success;
      });
}

Status profiling_get_dispatch_time(Agent agent, Signal signal, DispatchTime* time) {
  return on_machine("hsa_amd_profiling_get_dispatch_time", {}, [&](Machine& machine) {
    if (agent.handle != kGpu.handle) return Status::invalid_agent;
    if (!machine.signals.contains(signal.handle) || time == nullptr) return Status::invalid_signal;
    const auto* block = static_cast<const SignalBlock*>(pointer_to(signal.handle));
    if (block->end_ticks == 0) return Status::error;
    *time = {block->start_ticks, block->end_ticks};
    return Status::success;
  });
}

}  // namespace rpl::hsa_double::calls
