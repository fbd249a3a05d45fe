// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>

#include "engine/device/hip/address_space.h"
#include "engine/device/hip/error.h"

namespace rpl::emu::hip {

/// Memory that a node of a graph allocates. Its address is known when the node is added; it lives as long as a graph refers to it, or it is in use.
struct GraphBlock {
  std::uint64_t base = 0, bytes = 0;
  std::uint32_t device = 0;
  bool used = false;
};

/// All of them, and how much of them the devices use. What is given back is not kept for later graphs, as in AMD's runtime
/// after a synchronization.
class GraphMemory {
 public:
  /// In the order of hipGraphMemAttributeType.
  enum Attribute : std::uint8_t { used, used_high, reserved, reserved_high };

  explicit GraphMemory(AddressSpace& space) : space_(space) {}
  /// Null when the device has no room.
  std::shared_ptr<GraphBlock> make(std::uint32_t device, std::uint64_t bytes);
  /// The block that begins there, or null.
  [[nodiscard]] std::shared_ptr<GraphBlock> find(const void* base) const;
  /// False for one that is in use.
  bool take(GraphBlock& block);
  /// False for one that is not.
  bool give_back(GraphBlock& block);
  /// Bytes.
  [[nodiscard]] std::uint64_t get(std::uint32_t device, Attribute attribute) const;
  /// Highest values begin again at what is now.
  void reset(std::uint32_t device, Attribute attribute);
  /// Releases what no graph refers to and nobody uses.
  void forget_unused();

 private:
  AddressSpace& space_;
  std::map<std::uint64_t, std::shared_ptr<GraphBlock>> blocks_;  ///< by address
  std::map<std::uint32_t, std::array<std::uint64_t, 4>> of_devices_;
};

}  // namespace rpl::emu::hip
