// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>

namespace rpl {

/// Watches a mapping of a file for the file becoming shorter, which the kernel reports by SIGBUS on the first touch of a page that
/// is gone. While a guard lives, such a page reads as zeros instead of ending the program, and shrank() is true from then on.
///
/// A signal handler is installed with the first guard, for the whole process; what it does not know goes to the handler before
/// it. Up to 64 guards may live at once; guarded() is false for those beyond.
class ShrinkGuard {
 public:
  /// `base` is aligned to pages.
  ShrinkGuard(const void* base, std::size_t bytes);
  ShrinkGuard(const ShrinkGuard&) = delete;
  ShrinkGuard& operator=(const ShrinkGuard&) = delete;
  /// Before the memory is unmapped.
  ~ShrinkGuard();

  [[nodiscard]] bool guarded() const { return slot_ != nullptr; }
  [[nodiscard]] bool shrank() const;

  /// One watched mapping, as the signal handler sees it.
  struct Slot {
    std::atomic<bool> taken{false};
    std::atomic<std::size_t> base{0}, end{0};
    std::atomic<bool> shrank{false};
  };

 private:
  Slot* slot_ = nullptr;
};

}  // namespace rpl
