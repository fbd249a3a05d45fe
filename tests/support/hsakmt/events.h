// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>

namespace rpl::hsakmt {

/// The events that threads of the program wait for and interrupts of the device set. For several threads.
class Events {
 public:
  static constexpr std::uint32_t kMost = 4096;  ///< as many as KFD gives to a process

  /// Its number, from 1; 0 when there are no more. An event that is not reset by hand is reset by the wait that saw it.
  std::uint32_t create(bool reset_by_hand, bool is_set, bool of_signals);
  bool destroy(std::uint32_t id);
  bool set(std::uint32_t id);
  bool reset(std::uint32_t id);
  [[nodiscard]] std::optional<bool> is_set(std::uint32_t id) const;
  /// Sets every event of signals: an interrupt that does not say whose it is.
  void set_signals();

  enum class Outcome : std::uint8_t { set, timeout, invalid };
  /// Until one of them is set, or all of them. Forever without `timeout`. Invalid when one of them is not there, also when it goes away
  /// meanwhile.
  Outcome wait(std::span<const std::uint32_t> ids, bool all,
               std::optional<std::chrono::milliseconds> timeout) {
    return wait(ids, {}, all, timeout);
  }
  /// The same for who knows how often each event of signals was set, counted from 1, so that none is missed that another thread reset: an
  /// event that was set since counts as set. `ages` are one for each of `ids`, 0 for who does not know, and are what they are afterwards.
  Outcome wait(std::span<const std::uint32_t> ids, std::span<std::uint64_t> ages, bool all,
               std::optional<std::chrono::milliseconds> timeout);

 private:
  struct Event {
    bool reset_by_hand = false, is_set = false, of_signals = false;
    std::uint64_t age = 1;

    void set() {
      is_set = true;
      ++age;
    }
  };
  /// What a wait would return now; nothing when it has to go on.
  std::optional<Outcome> look(std::span<const std::uint32_t> ids, std::span<std::uint64_t> ages,
                              bool all);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint32_t, Event> events_;
  std::uint32_t next_ = 1;
};

}  // namespace rpl::hsakmt
