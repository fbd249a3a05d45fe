// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/queue.h"

#include <algorithm>
#include <chrono>

namespace rpl::hsakmt {
namespace {

// A doorbell is plain memory, which nothing tells the thread about: it looks again after a while that grows.
class Patience {
 public:
  void rest() {
    std::this_thread::sleep_for(now_);
    now_ = std::min(now_ * 2, kLongest);
  }
  void renew() { now_ = kShortest; }

 private:
  static constexpr std::chrono::microseconds kShortest{10}, kLongest{500};
  std::chrono::microseconds now_ = kShortest;
};

}  // namespace

Queue::Queue(std::unique_ptr<Processor> processor, std::uint64_t* doorbell)
    : processor_(std::move(processor)), doorbell_(doorbell) {
  std::atomic_ref(*doorbell_).store(kSilent);
  thread_ = std::thread([this] { run(); });
}

Queue::~Queue() {
  stop_ = true;
  thread_.join();
}

void Queue::run() {
  Patience patience;
  bool rung = false;
  while (!stop_) {
    // The bell is silenced before the ring is looked at, so that none is lost.
    rung = std::atomic_ref(*doorbell_).exchange(kSilent) != kSilent || rung;
    if (!rung || paused_ || failed_) {
      patience.rest();
      continue;
    }
    const Step step = processor_->step(stop_);
    if (step == Step::done) patience.renew();
    if (step == Step::idle) {
      rung = false;
      patience.renew();
    }
    if (step == Step::waiting) patience.rest();
    if (step == Step::failed) failed_ = true;
  }
}

}  // namespace rpl::hsakmt
