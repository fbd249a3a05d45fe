// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/att/read/code_table.h"

/// Which instructions a wait waited for. The counters of the hardware are followed in program order, as the recorder itself does it
/// (rocprofiler-sdk att-tool; equal to the stored lists of 6,900 gfx9 waves). gfx10 to gfx12 follow the ISA documents and were compared with no recording.
namespace rpl::att {

enum class Counter : std::uint8_t {
  lgkmcnt,
  vmcnt,
  vscnt,
  loadcnt,
  storecnt,
  samplecnt,
  dscnt,
  kmcnt,
  expcnt,
  bvhcnt,
  asynccnt,
  tensorcnt,
};
inline constexpr std::size_t kCounters = 12;
std::string_view to_string(Counter counter);

/// The counters that a wait instruction names, "vmcnt+lgkmcnt"; "other" for s_wait_idle and the like.
std::string waited_counters(std::string_view text);

/// What one instruction does to the counters.
struct CounterStep {
  enum class Kind : std::uint8_t {
    wait,       ///< until at most `limit` are outstanding
    push,       ///< one more outstanding, in order
    unordered,  ///< from here on completions come in any order, until a wait for 0
    push_flat,  ///< outstanding on two counters at once
  };
  Kind kind = Kind::push;
  Counter counter = Counter::vmcnt;
  std::uint16_t limit = 0;
};

struct CounterSteps {
  std::array<CounterStep, 4> steps{};
  std::uint8_t count = 0;
  bool extra = false;  ///< s_buffer_load: counted here, forgotten by the recorder's own lists
};

/// Compiles an instruction; `gfxip` 9 to 12.
CounterSteps counter_steps(std::string_view text, int gfxip);

/// An instruction whose result is outstanding.
struct Outstanding {
  std::uint32_t row = 0;  ///< in the listing
  std::int32_t line = 0;
  std::int64_t issued = 0;  ///< cycle
};

/// The counters of one wave.
class WaitState {
 public:
  void reset();
  /// Performs the steps of one instruction; calls retired(counter, list) for each counter that a wait brought down, oldest first.
  template <class Retired>
  void run(const CounterSteps& steps, const Outstanding& self, Retired&& retired) {
    for (std::uint8_t i = 0; i < steps.count; ++i) {
      const CounterStep& step = steps.steps[i];
      if (step.kind != CounterStep::Kind::wait) {
        note(step, self);
      } else if (wait(step)) {
        retired(step.counter, std::span<const Outstanding>(out_));
      }
    }
  }

 private:
  /// Hardware counters hold at most 63; what a damaged trace piles up beyond this is forgotten, oldest first.
  static constexpr std::size_t kMostOutstanding = 4096;
  struct Queue {
    std::vector<Outstanding> items;
    std::size_t head = 0;
    bool unordered = false;
  };

  void note(const CounterStep& step, const Outstanding& self);
  /// Moves what is retired into out_; false for nothing.
  bool wait(const CounterStep& step);
  static void push(Queue& queue, const Outstanding& self);

  std::array<Queue, kCounters> queues_;
  Queue flat_loads_, flat_stores_;
  std::vector<Outstanding> out_;
};

}  // namespace rpl::att
