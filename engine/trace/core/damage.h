// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace rpl {

/// What speaks against a file itself: pages or rows of it that are not as somebody wrote them. It grows while tables are read on first use.
/// Thread-safe.
class Damage {
 public:
  /// A sentence for people; one that is there already is not added again.
  void add(std::string sentence);
  /// In the order in which they were found.
  [[nodiscard]] std::vector<std::string> list() const;
  [[nodiscard]] std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> found_;
};

}  // namespace rpl
