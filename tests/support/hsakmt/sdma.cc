// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/sdma.h"

#include <fmt/format.h>

#include <cstring>

namespace rpl::hsakmt {
namespace {

std::uint64_t offset_in(const sdma::CopyBox& box, const sdma::CopyBox::Side& side, std::uint32_t y,
                        std::uint32_t z) {
  return (
      ((std::uint64_t{side.z} + z) * side.slice + (std::uint64_t{side.y} + y) * side.row + side.x)
      << box.shift);
}

bool holds(const sdma::Poll& poll, std::uint32_t word) {
  const std::uint32_t seen = word & poll.mask;
  switch (poll.function) {
    case 1:
      return seen < poll.value;
    case 2:
      return seen <= poll.value;
    case 3:
      return seen == poll.value;
    case 4:
      return seen != poll.value;
    case 5:
      return seen >= poll.value;
    case 6:
      return seen > poll.value;
    default:
      return true;
  }
}

}  // namespace

Step SdmaProcessor::step(const std::atomic<bool>&) {
  const auto before = device_.map->view();
  std::byte* const read_at = before->at(ring_.read_offset, sizeof(std::uint64_t));
  std::byte* const written_at = before->at(ring_.write_offset, sizeof(std::uint64_t));
  if (read_at == nullptr || written_at == nullptr)
    return stop("the queue is no longer mapped to the device");
  std::atomic_ref read(*reinterpret_cast<std::uint64_t*>(read_at));
  const std::uint64_t now = read.load(),
                      written =
                          std::atomic_ref(*reinterpret_cast<std::uint64_t*>(written_at)).load();
  if (now == written) return Step::idle;
  // Not earlier: what the program mapped before it wrote the packet belongs to it.
  const auto view = device_.map->view();
  if (written - now > ring_.bytes || written % sizeof(std::uint32_t) != 0)
    return stop("the write pointer is out of the ring");
  const std::uint64_t begin = now % ring_.bytes,
                      bytes = std::min(written - now, ring_.bytes - begin);
  const std::byte* at = view->at(ring_.address + begin, bytes);
  if (at == nullptr) return stop("the ring is no longer mapped to the device");
  std::vector<std::uint32_t> words(bytes / sizeof(std::uint32_t));
  std::memcpy(words.data(), at, words.size() * sizeof(std::uint32_t));
  const auto decoded = sdma::decode(words);
  if (!decoded) return stop(decoded.error().message);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const Step step =
      std::visit([&](const auto& command) { return run(*view, command); }, decoded->command);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (step == Step::done) read.store(now + decoded->dwords * sizeof(std::uint32_t));
  return step;
}

Step SdmaProcessor::stop(const std::string& why) {
  if (device_.say) device_.say("a copy engine stops: " + why);
  return Step::failed;
}

std::byte* SdmaProcessor::reach(const DeviceView& view, std::uint64_t address,
                                std::uint64_t bytes) {
  std::byte* at = view.at(address, bytes);
  if (at != nullptr) return at;
  stop(fmt::format("{} bytes at 0x{:x} are not mapped to the device: {}", bytes, address,
                   view.memory.describe(address)));
  device_.memory_fault(address);
  return nullptr;
}

Step SdmaProcessor::run(const DeviceView&, const sdma::Nop&) { return Step::done; }

Step SdmaProcessor::run(const DeviceView& view, const sdma::Copy& copy) {
  const std::byte* from = reach(view, copy.source, copy.bytes);
  std::byte* to = from == nullptr ? nullptr : reach(view, copy.destination, copy.bytes);
  if (to == nullptr) return Step::failed;
  std::memmove(to, from, copy.bytes);
  return Step::done;
}

Step SdmaProcessor::run(const DeviceView& view, const sdma::CopyBox& box) {
  const std::uint64_t bytes = std::uint64_t{box.size[0]} << box.shift;
  for (std::uint32_t z = 0; z < box.size[2]; ++z) {
    for (std::uint32_t y = 0; y < box.size[1]; ++y) {
      const std::byte* from =
          reach(view, box.source.address + offset_in(box, box.source, y, z), bytes);
      std::byte* to =
          from == nullptr
              ? nullptr
              : reach(view, box.destination.address + offset_in(box, box.destination, y, z), bytes);
      if (to == nullptr) return Step::failed;
      std::memmove(to, from, bytes);
    }
  }
  return Step::done;
}

Step SdmaProcessor::run(const DeviceView& view, const sdma::Fill& fill) {
  std::byte* to = reach(view, fill.destination, fill.bytes);
  if (to == nullptr) return Step::failed;
  for (std::uint64_t i = 0; i < fill.bytes; i += fill.width)
    std::memcpy(to + i, &fill.value, fill.width);
  return Step::done;
}

Step SdmaProcessor::run(const DeviceView& view, const sdma::Fence& fence) {
  std::byte* to = reach(view, fence.address & ~std::uint64_t{3}, sizeof(fence.value));
  if (to == nullptr) return Step::failed;
  std::atomic_ref(*reinterpret_cast<std::uint32_t*>(to)).store(fence.value);
  return Step::done;
}

Step SdmaProcessor::run(const DeviceView&, const sdma::Trap& trap) {
  if (device_.interrupt) device_.interrupt(trap.event);
  return Step::done;
}

Step SdmaProcessor::run(const DeviceView& view, const sdma::Poll& poll) {
  std::byte* at = reach(view, poll.address & ~std::uint64_t{3}, sizeof(poll.value));
  if (at == nullptr) return Step::failed;
  return holds(poll, std::atomic_ref(*reinterpret_cast<std::uint32_t*>(at)).load()) ? Step::done
                                                                                    : Step::waiting;
}

Step SdmaProcessor::run(const DeviceView& view, const sdma::AtomicAdd& add) {
  std::byte* at = reach(view, add.address & ~std::uint64_t{7}, sizeof(add.value));
  if (at == nullptr) return Step::failed;
  std::atomic_ref(*reinterpret_cast<std::uint64_t*>(at)).fetch_add(add.value);
  return Step::done;
}

Step SdmaProcessor::run(const DeviceView& view, const sdma::Timestamp& timestamp) {
  std::byte* at = reach(view, timestamp.address & ~std::uint64_t{7}, sizeof(std::uint64_t));
  if (at == nullptr) return Step::failed;
  std::atomic_ref(*reinterpret_cast<std::uint64_t*>(at)).store(device_.clock());
  return Step::done;
}

}  // namespace rpl::hsakmt
