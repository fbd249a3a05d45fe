// SPDX-License-Identifier: MIT
#include "shell/server/work_queue.h"

#include <algorithm>
#include <chrono>

#include "engine/base/interrupt.h"
#include "shell/core/run/signals.h"

namespace rpl {
namespace {

constexpr std::size_t kMostWaiting = 1024;
constexpr std::size_t kMostBytes = std::size_t{64} << 20U;
// A signal does not wake a condition: how often is looked for one while nothing runs.
constexpr std::chrono::milliseconds kBetweenLooks{200};

}  // namespace

WorkQueue::WorkQueue() : runner_(pthread_self()) {}

bool WorkQueue::is_full() const { return waiting_.size() >= kMostWaiting || bytes_ >= kMostBytes; }

bool WorkQueue::push(Work work) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !is_full() || abandoned_; });
  const bool known =
      !work.id.empty() &&
      (running_ == work.id || std::ranges::find(waiting_, work.id, &Work::id) != waiting_.end());
  if (known) return false;
  if (abandoned_) {
    lock.unlock();
    if (work.cancelled) work.cancelled();
    return true;
  }
  bytes_ += work.bytes;
  waiting_.push_back(std::move(work));
  changed_.notify_all();
  return true;
}

void WorkQueue::cancel(const std::string& id, const std::function<void(Cancelled)>& told) {
  Work taken;
  Cancelled met = Cancelled::nothing;
  {
    const std::lock_guard lock(mutex_);
    const auto found = id.empty() ? waiting_.end() : std::ranges::find(waiting_, id, &Work::id);
    if (running_ == id) {
      // Under the lock, which done() needs: the flag never outlives what it was meant for.
      if (told) told(Cancelled::running);
      signals::stop(runner_);
      cancelling_ = true;
      return;
    }
    if (found != waiting_.end()) {
      met = Cancelled::waiting;
      taken = std::move(*found);
      bytes_ -= taken.bytes;
      waiting_.erase(found);
      changed_.notify_all();
    }
  }
  if (taken.cancelled) taken.cancelled();
  if (told) told(met);
}

void WorkQueue::cancel_again() {
  const std::lock_guard lock(mutex_);
  if (running_ && (cancelling_ || signals::ending() != 0)) signals::stop(runner_);
}

void WorkQueue::give_up() {
  const std::lock_guard lock(mutex_);
  abandoned_ = closed_ = true;
  waiting_.clear();
  bytes_ = 0;
  cancelling_ = running_.has_value();
  if (cancelling_) signals::stop(runner_);
  changed_.notify_all();
}

void WorkQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

std::deque<Work> WorkQueue::abandon() {
  const std::lock_guard lock(mutex_);
  abandoned_ = closed_ = true;
  bytes_ = 0;
  changed_.notify_all();
  return std::move(waiting_);
}

std::optional<Work> WorkQueue::next() {
  std::unique_lock lock(mutex_);
  while (waiting_.empty() && !closed_ && signals::ending() == 0)
    changed_.wait_for(lock, kBetweenLooks);
  if (waiting_.empty() || signals::ending() != 0) return std::nullopt;
  Work work = std::move(waiting_.front());
  waiting_.pop_front();
  bytes_ -= work.bytes;
  running_ = work.id;
  cancelling_ = false;
  // A Ctrl-C while nothing ran has stopped nothing.
  interrupt::clear();
  changed_.notify_all();
  return work;
}

bool WorkQueue::done() {
  const std::lock_guard lock(mutex_);
  running_.reset();
  if (signals::ending() == 0) interrupt::clear();
  return std::exchange(cancelling_, false);
}

}  // namespace rpl
