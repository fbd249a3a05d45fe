// SPDX-License-Identifier: MIT
#pragma once

#include <sys/stat.h>

#include <memory>

#include "tests/support/kfd/driver.h"
#include "tests/support/kfd/nodes.h"

namespace rpl::kfd {

/// What a process sees of the kernel through paths and descriptors: the files that a driver of one emulated device has. For several threads.
class Front {
 public:
  explicit Front(std::unique_ptr<Driver> driver);

  /// The one of this process, made when it is first needed; of the kind that RPL_EMU_GPU names, gfx90a by default. A child of fork() gets one
  /// of its own. Null when there can be none, after saying why.
  static Front* get();
  /// The same if it was made already.
  static Front* made();
  /// Whether a descriptor of which fstat() said `facts` is one that a parent opened before fork(): the kernel answers no call on it.
  static bool is_of_a_parent(const struct stat& facts);

  /// Only for paths of Nodes::may_be(). A descriptor, or a negative errno. A folder's is one of a file that holds its path.
  int open(const char* path, int flags);
  /// 0, or a negative errno.
  int status(const char* path, struct stat& out) const;
  /// The same for what fstat() said of a descriptor; false when that is none of ours, and `out` stays.
  bool improve(struct stat& out) const;
  /// A call on a descriptor of which fstat() said `facts`: false when that is none of ours, else its result is in `result`.
  bool call(const struct stat& facts, std::uint64_t request, std::uint64_t argument, int& result);

  /// Whether fstat() said `facts` of a descriptor of this driver's.
  [[nodiscard]] bool owns(const struct stat& facts) const {
    return driver_->control().is(facts.st_dev, facts.st_ino) ||
           driver_->memory().is(facts.st_dev, facts.st_ino);
  }
  [[nodiscard]] const Nodes& nodes() const { return nodes_; }
  [[nodiscard]] Driver& driver() { return *driver_; }

 private:
  std::unique_ptr<Driver> driver_;
  Nodes nodes_;
  Front* parents_ = nullptr;  ///< of the process that this one was forked from
};

}  // namespace rpl::kfd
