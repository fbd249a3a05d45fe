// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/hsakmt/node_numbers.h"

namespace rpl::kfd {

/// One path that the kernel has when the device is there.
struct Node {
  enum class Kind : std::uint8_t { folder, text, control, render };
  Kind kind = Kind::folder;
  std::string text;  ///< of a file below /sys
};

/// Paths of /dev and /sys by name, with the device's topology as the kernel writes it (linux/kfd_sysfs.h, and what libhsakmt reads of it).
class Nodes {
 public:
  Nodes(const emu::hip::DeviceKind& kind, std::uint32_t gpu_id, std::uint32_t render_minor);

  /// Whether a path may be one of these: all others are none of our business. Needs no device.
  static bool may_be(std::string_view path);
  /// Null when there is none. An absolute path, in which slashes may be doubled and names be "." or "..".
  [[nodiscard]] const Node* find(std::string_view path) const;
  /// The names in a folder, in order.
  [[nodiscard]] std::vector<std::string> names(std::string_view folder) const;

 private:
  void add(const std::string& path, Node node);
  void add_host(const std::string& folder);
  void add_device(const std::string& folder, const emu::hip::DeviceKind& kind, std::uint32_t gpu_id,
                  std::uint32_t render_minor);

  std::map<std::string, Node, std::less<>> nodes_;
};

}  // namespace rpl::kfd
