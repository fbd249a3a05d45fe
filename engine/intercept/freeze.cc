// SPDX-License-Identifier: MIT
#include "engine/intercept/freeze.h"

#include <fmt/format.h>

#include <atomic>
#include <thread>

namespace rpl::intercept {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::microseconds kInterval{200};

/// Signals of one freeze.
struct Gates {
  Signal drained{}, gate{}, done{}, behind{};

  static Result<Gates> make(SignalBin& signals) {
    Gates out;
    for (Signal* signal : {&out.drained, &out.gate, &out.done, &out.behind})
      *signal = TRY(signals.make(1));
    return out;
  }
};

bool wait_for(Clock::time_point end, const std::function<bool()>& reached) {
  while (!reached()) {
    if (Clock::now() >= end) return false;
    std::this_thread::sleep_for(kInterval);
  }
  return true;
}

std::vector<Packet> with_gates(const Moment& moment, const Gates& gates) {
  std::vector<Packet> out(moment.packets.begin(),
                          moment.packets.begin() + static_cast<std::ptrdiff_t>(moment.chosen));
  out.push_back(barrier({}, gates.drained));
  out.push_back(barrier(gates.gate, {}));
  auto dispatch = moment.packets[moment.chosen].as<hsa::DispatchPacket>();
  dispatch.header = hsa::system_header(hsa::PacketType::dispatch, true);
  dispatch.completion = gates.done;
  out.push_back(Packet::of(dispatch));
  if (moment.chosen + 1 < moment.packets.size()) {
    out.push_back(barrier(gates.behind, {}));
    out.insert(out.end(), moment.packets.begin() + static_cast<std::ptrdiff_t>(moment.chosen) + 1,
               moment.packets.end());
  }
  return out;
}

/// The application's signal ends as the dispatch's own would have: with the times that the processor wrote into ours.
void complete(const Calls& calls, Signal original, Signal done) {
  if (original.handle == 0) return;
  constexpr std::int64_t kUserSignal = 1;
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  const auto* from = reinterpret_cast<const hsa::SignalBlock*>(done.handle);
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  auto* to = reinterpret_cast<hsa::SignalBlock*>(original.handle);
  if (from->kind == kUserSignal && to->kind == kUserSignal) {
    to->start_ticks = from->start_ticks;
    to->end_ticks = from->end_ticks;
  }
  calls.signal_subtract(original, 1);
}

/// The other queues' side of a freeze: stopped from start() on until the end of its life.
class Others {
 public:
  explicit Others(const Surroundings& around) : around_(around) {}
  ~Others() {
    if (stop_ == nullptr) return;
    around_.announce(nullptr);
    stop_->end();
  }
  Others(const Others&) = delete;
  Others& operator=(const Others&) = delete;

  rpl::Status start(const TrackedQueue& queue, std::uint64_t number) {
    std::vector<hsa::Queue*> to_poke;
    for (TrackedQueue* other : around_.queues.others(queue)) {
      // A queue with one producer takes packets from that thread only: it counts as empty once all of them were read.
      (other->queue->type == kSeveralProducers ? to_poke : watched_).push_back(other->queue);
    }
    const Signal drained = TRY(around_.signals.make(static_cast<hsa::SignalValue>(to_poke.size())));
    stop_ =
        std::make_shared<QueueStop>(around_.calls, number, drained, TRY(around_.signals.make(1)));
    around_.announce(stop_);
    if (to_poke.empty()) return {};
    // A doorbell rung inside a handler is put off by the runtime; a thread of its own is like any thread of the application.
    around_.threads.run([calls = &around_.calls, to_poke](const std::stop_token& stop) {
      for (hsa::Queue* other : to_poke) poke(*calls, *other, stop);
    });
    return {};
  }
  [[nodiscard]] bool drained() const {
    for (const hsa::Queue* queue : watched_) {
      if (around_.calls.load_read_index(queue) < around_.calls.load_write_index(queue))
        return false;
    }
    return around_.calls.signal_load(stop_->drained()) <= 0;
  }

 private:
  const Surroundings& around_;
  std::vector<hsa::Queue*> watched_;
  std::shared_ptr<QueueStop> stop_;
};

/// Gives the application's copies and frees back when the freeze is over.
class HeldAlone {
 public:
  HeldAlone(Hold& hold, std::chrono::milliseconds most) : hold_(hold), taken_(hold.take(most)) {}
  ~HeldAlone() {
    if (taken_) hold_.give_back();
  }
  HeldAlone(const HeldAlone&) = delete;
  HeldAlone& operator=(const HeldAlone&) = delete;
  [[nodiscard]] bool taken() const { return taken_; }

 private:
  Hold& hold_;
  bool taken_;
};

rpl::Status wait_until_alone(const Surroundings& around, const Gates& gates, const Others& others,
                             Clock::time_point end, std::chrono::milliseconds patience) {
  const auto late = [&](std::string_view what) {
    return fail(
        Errc::timeout,
        fmt::format("{} did not end within {} s", what,
                    static_cast<double>(patience.count()) / 1000),
        "work that waits for the dispatch itself never does; else allow more: --drain-timeout");
  };
  if (!wait_for(end, [&] { return around.calls.signal_load(gates.drained) <= 0; }))
    return late("earlier work of the dispatch's queue");
  if (!wait_for(end, [&] { return others.drained(); })) return late("work of another queue");
  if (!wait_for(end, [&] { return around.copies.in_flight() == 0; }))
    return late("an asynchronous copy");
  return {};
}

/// False when it did not end in time. It may end later; whoever waits for it then hears of that.
bool wait_for_dispatch(const Surroundings& around, Signal original, Signal done,
                       const Patience& patience) {
  if (wait_for(Clock::now() + patience.dispatch,
               [&] { return around.calls.signal_load(done) <= 0; }))
    return true;
  around.threads.run([&calls = around.calls, original, done](const std::stop_token& stop) {
    while (!stop.stop_requested() && calls.signal_load(done) > 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (calls.signal_load(done) <= 0) complete(calls, original, done);
  });
  return false;
}

Failure late_dispatch(const Patience& patience) {
  return fail(Errc::timeout,
              fmt::format("the dispatch did not end within {} s",
                          static_cast<double>(patience.dispatch.count()) / 1000),
              "allow more: --dispatch-timeout");
}

}  // namespace

rpl::Status freeze(const Surroundings& around, const Moment& moment, std::uint64_t number,
                   const Patience& patience, const Images& images) {
  const Calls& calls = around.calls;
  const auto unharmed = [&] { moment.writer(moment.packets.data(), moment.packets.size()); };
  const auto end = Clock::now() + patience.drain;
  const HeldAlone held(around.hold, patience.drain);
  if (!held.taken()) {
    unharmed();
    return fail(Errc::timeout, "a copy or a free of the application did not end");
  }
  const auto gates = Gates::make(around.signals);
  if (!gates) {
    unharmed();
    return Failure(gates.error());
  }
  const Signal original = moment.packets[moment.chosen].as<hsa::DispatchPacket>().completion;
  Others others(around);
  rpl::Status outcome = others.start(*moment.queue, number);
  const std::vector<Packet> packets = with_gates(moment, *gates);
  moment.writer(packets.data(), packets.size());
  if (outcome) outcome = wait_until_alone(around, *gates, others, end, patience.drain);
  if (outcome) outcome = images.before();
  calls.signal_store(gates->gate, 0);
  const bool ran = wait_for_dispatch(around, original, gates->done, patience);
  if (!ran) {
    if (outcome) outcome = late_dispatch(patience);
  } else {
    if (outcome) outcome = images.after();
    complete(calls, original, gates->done);
  }
  calls.signal_store(gates->behind, 0);
  return outcome;
}

std::optional<std::chrono::nanoseconds> timed(const Surroundings& around, const Moment& moment,
                                              const Patience& patience) {
  const auto gates = Gates::make(around.signals);
  if (!gates) {
    moment.writer(moment.packets.data(), moment.packets.size());
    return std::nullopt;
  }
  const Signal original = moment.packets[moment.chosen].as<hsa::DispatchPacket>().completion;
  const std::vector<Packet> packets = with_gates(moment, *gates);
  moment.writer(packets.data(), packets.size());
  const auto end = Clock::now() + patience.drain;
  while (around.calls.signal_load(gates->drained) > 0 && Clock::now() < end)
    std::this_thread::yield();
  // It begins when the gate opens, so that the host misses nothing of a short one.
  const auto begin = Clock::now();
  around.calls.signal_store(gates->gate, 0);
  const auto most = begin + patience.dispatch;
  while (around.calls.signal_load(gates->done) > 0 && Clock::now() < most)
    std::this_thread::yield();
  const auto took = Clock::now() - begin;
  const bool ran = wait_for_dispatch(around, original, gates->done,
                                     {.drain = {}, .dispatch = std::chrono::milliseconds(0)});
  around.calls.signal_store(gates->behind, 0);
  if (!ran) return std::nullopt;
  complete(around.calls, original, gates->done);
  for (const Signal signal : {gates->drained, gates->gate, gates->done})
    around.signals.give_back(signal);
  return std::chrono::duration_cast<std::chrono::nanoseconds>(took);
}

}  // namespace rpl::intercept
