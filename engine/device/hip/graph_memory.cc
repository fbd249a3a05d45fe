// SPDX-License-Identifier: MIT
#include "engine/device/hip/graph_memory.h"

#include <algorithm>

namespace rpl::emu::hip {

std::shared_ptr<GraphBlock> GraphMemory::make(std::uint32_t device, std::uint64_t bytes) {
  const Allocation* allocation = space_.allocate(Allocation::Kind::device, bytes, device, 0);
  if (allocation == nullptr) return nullptr;
  auto block = std::make_shared<GraphBlock>(
      GraphBlock{.base = allocation->base, .bytes = bytes, .device = device});
  blocks_[block->base] = block;
  return block;
}

std::shared_ptr<GraphBlock> GraphMemory::find(const void* base) const {
  const auto found = blocks_.find(reinterpret_cast<std::uint64_t>(base));
  return found == blocks_.end() ? nullptr : found->second;
}

bool GraphMemory::take(GraphBlock& block) {
  if (block.used) return false;
  block.used = true;
  auto& of = of_devices_[block.device];
  of[reserved] = of[used] += block.bytes;
  of[used_high] = std::max(of[used_high], of[used]);
  of[reserved_high] = std::max(of[reserved_high], of[reserved]);
  return true;
}

bool GraphMemory::give_back(GraphBlock& block) {
  if (!block.used) return false;
  block.used = false;
  auto& of = of_devices_[block.device];
  of[reserved] = of[used] -= block.bytes;
  return true;
}

std::uint64_t GraphMemory::get(std::uint32_t device, Attribute attribute) const {
  const auto found = of_devices_.find(device);
  return found == of_devices_.end() ? 0 : found->second[attribute];
}

void GraphMemory::reset(std::uint32_t device, Attribute attribute) {
  auto& of = of_devices_[device];
  of[attribute] = of[used];
}

void GraphMemory::forget_unused() {
  for (auto at = blocks_.begin(); at != blocks_.end();) {
    const GraphBlock& block = *at->second;
    if (block.used || at->second.use_count() > 1) {
      ++at;
      continue;
    }
    space_.release(block.base);
    at = blocks_.erase(at);
  }
}

}  // namespace rpl::emu::hip
