// SPDX-License-Identifier: MIT
#pragma once
#include <pthread.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "engine/document/json.h"

namespace rpl {

/// One request that waits or runs.
struct Work {
  std::string id;         ///< as JSON writes it; "" for what cannot be cancelled
  std::size_t bytes = 0;  ///< that it holds while it waits
  std::function<JsonText()>
      run;  ///< gives the reply, to be written after done(): whoever has read it may use the id again
  std::function<void()> cancelled;  ///< answers it instead, when it is cancelled before it runs
};

/// Requests in the order in which they came. One thread, the one that makes the queue, takes and runs them; another fills it and may cancel.
class WorkQueue {
 public:
  enum class Cancelled { nothing, waiting, running };

  /// The thread that makes the queue runs its work.
  WorkQueue();

  /// Waits while too many requests or bytes wait already. False, and nothing added, when one with this id waits or runs.
  bool push(Work work);
  /// Takes back what waits, stops what runs as a Ctrl-C does. `told` hears what it met: before what runs can have ended, so that the reply to the cancel
  /// comes before that of the stopped request; after the reply of what waited. Empty: nobody asks.
  void cancel(const std::string& id, const std::function<void(Cancelled)>& told = {});
  /// Once more for what still runs though it was cancelled or the process was told to end: its wait may have missed the signal.
  void cancel_again();
  /// Nobody is there to hear of anything: stops what runs, forgets what waits, and takes no more.
  void give_up();
  /// No more will come.
  void close();
  /// Nothing that waits is wanted any more; gives it back.
  std::deque<Work> abandon();

  /// The next one, which then counts as running; nullopt at the end, or when the process was told to end.
  std::optional<Work> next();
  /// What next() gave has ended; gives whether it was cancelled meanwhile. The interrupt flag is down afterwards.
  bool done();

 private:
  [[nodiscard]] bool is_full() const;

  pthread_t runner_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> waiting_;
  std::size_t bytes_ = 0;
  std::optional<std::string> running_;
  bool cancelling_ = false, closed_ = false, abandoned_ = false;
};

}  // namespace rpl
