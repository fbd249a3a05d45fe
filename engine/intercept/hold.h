// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <shared_mutex>

namespace rpl::intercept {

/// Keeps the application from copying, freeing and unmapping memory while a dispatch is captured. The application's calls share it for as
/// long as they take; a capture has it alone, and gives up when that cannot be had in time.
class Hold {
 public:
  /// Around one call of the application. Calls nest on a thread: the runtime calls back.
  class Shared {
   public:
    explicit Shared(Hold& hold) : hold_(hold), outermost_(depth_++ == 0) {
      if (outermost_) hold_.mutex_.lock_shared();
    }
    ~Shared() {
      --depth_;
      if (outermost_) hold_.mutex_.unlock_shared();
    }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

   private:
    Hold& hold_;
    bool outermost_;
  };

  /// False when calls of the application did not end in time, or when this thread is inside one.
  [[nodiscard]] bool take(std::chrono::milliseconds most) {
    return depth_ == 0 && mutex_.try_lock_for(most);
  }
  void give_back() { mutex_.unlock(); }

 private:
  std::shared_timed_mutex mutex_;
  static inline thread_local int depth_ = 0;
};

}  // namespace rpl::intercept
