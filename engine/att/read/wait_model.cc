// SPDX-License-Identifier: MIT
#include "engine/att/read/wait_model.h"

#include <algorithm>

namespace rpl::att {
namespace {

using StepKind = CounterStep::Kind;

constexpr std::array<std::string_view, kCounters> kCounterNames{
    "lgkmcnt", "vmcnt", "vscnt",  "loadcnt", "storecnt", "samplecnt",
    "dscnt",   "kmcnt", "expcnt", "bvhcnt",  "asynccnt", "tensorcnt"};

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The number after `name(` or the last word of "s_wait_loadcnt 0x3f"; 0 without one.
std::uint16_t number_in(std::string_view text, std::size_t at) {
  std::uint32_t value = 0;
  const bool hexadecimal = text.substr(at).starts_with("0x");
  at += hexadecimal ? 2 : 0;
  for (; at < text.size() && value < 4096; ++at) {
    const char c = text[at];
    if (c >= '0' && c <= '9') {
      value = value * (hexadecimal ? 16 : 10) + static_cast<std::uint32_t>(c - '0');
    } else if (hexadecimal && c >= 'a' && c <= 'f') {
      value = value * 16 + static_cast<std::uint32_t>(c - 'a' + 10);
    } else {
      break;
    }
  }
  return static_cast<std::uint16_t>(value);
}

std::uint16_t number_after(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos || at + name.size() >= text.size()) return 0;
  return text[at + name.size()] == '(' ? number_in(text, at + name.size() + 1) : 0;
}

std::uint16_t last_number(std::string_view text) {
  const std::size_t at = text.find_last_of(" ,");
  return at == std::string_view::npos ? 0 : number_in(text, at + 1);
}

class StepCompiler {
 public:
  StepCompiler(std::string_view text, int gfxip) : text_(text), gfxip_(gfxip) {}

  CounterSteps compile() {
    if (gfxip_ >= 12) {
      gfx12();
    } else if (gfxip_ >= 10) {
      gfx10();
    } else {
      gfx9();
    }
    return steps_;
  }

 private:
  void add(StepKind kind, Counter counter, std::uint16_t limit = 0) {
    if (steps_.count < steps_.steps.size()) steps_.steps[steps_.count++] = {kind, counter, limit};
  }
  [[nodiscard]] bool starts(std::string_view prefix) const { return text_.starts_with(prefix); }
  [[nodiscard]] bool scalar_memory() {
    steps_.extra = starts("s_buffer_");
    return starts("s_load") || starts("s_store") || steps_.extra;
  }
  /// buffer_ also behind one more character: tbuffer_.
  [[nodiscard]] bool vector_memory() const {
    return starts("global_") || starts("scratch_") || starts("buffer_") ||
           (text_.size() > 1 && text_.substr(1).starts_with("buffer_"));
  }

  void gfx9() {
    if (starts("s_waitcnt")) {
      if (has(text_, "lgk")) add(StepKind::wait, Counter::lgkmcnt, number_after(text_, "lgkmcnt"));
      if (has(text_, "vmcnt")) add(StepKind::wait, Counter::vmcnt, number_after(text_, "vmcnt"));
    } else if (scalar_memory()) {
      add(StepKind::unordered, Counter::lgkmcnt);
      add(StepKind::push, Counter::lgkmcnt);
    } else if (starts("s_sendmsg") || starts("ds_")) {
      add(StepKind::push, Counter::lgkmcnt);
    } else if (vector_memory()) {
      add(StepKind::push, Counter::vmcnt);
    } else if (starts("flat_")) {
      add(StepKind::unordered, Counter::lgkmcnt);
      add(StepKind::unordered, Counter::vmcnt);
      add(StepKind::push_flat, Counter::vmcnt);
    }
  }

  void gfx10() {
    if (starts("s_waitcnt_depctr") || starts("s_wait_alu")) return;
    if (starts("s_waitcnt")) {
      if (has(text_, "vscnt"))
        add(StepKind::wait, Counter::vscnt,
            starts("s_waitcnt_") ? last_number(text_) : number_after(text_, "vscnt"));
      if (has(text_, "vmcnt"))
        add(StepKind::wait, Counter::vmcnt,
            starts("s_waitcnt_") ? last_number(text_) : number_after(text_, "vmcnt"));
      if (has(text_, "lgk"))
        add(StepKind::wait, Counter::lgkmcnt,
            starts("s_waitcnt_") ? last_number(text_) : number_after(text_, "lgkmcnt"));
    } else if (scalar_memory()) {
      add(StepKind::unordered, Counter::lgkmcnt);
      add(StepKind::push, Counter::lgkmcnt);
    } else if (starts("s_sendmsg") || starts("ds_")) {
      add(StepKind::push, Counter::lgkmcnt);
      if (starts("s_sendmsg_rtn")) add(StepKind::push, Counter::lgkmcnt);
    } else if (vector_memory() || starts("image_")) {
      add(StepKind::push, has(text_, "store") ? Counter::vscnt : Counter::vmcnt);
    } else if (starts("flat_")) {
      const Counter counter = has(text_, "store") ? Counter::vscnt : Counter::vmcnt;
      add(StepKind::unordered, Counter::lgkmcnt);
      add(StepKind::unordered, counter);
      add(StepKind::push_flat, counter);
    }
  }

  void gfx12_wait() {
    if (starts("s_wait_idle")) return add(StepKind::wait, Counter::loadcnt);
    const std::uint16_t number = last_number(text_);
    const bool pair = starts("s_wait_loadcnt_dscnt") || starts("s_wait_storecnt_dscnt");
    if (pair) {
      const Counter memory = starts("s_wait_load") ? Counter::loadcnt : Counter::storecnt;
      add(StepKind::wait, Counter::dscnt, number & 0x3f);
      return add(StepKind::wait, memory, static_cast<std::uint16_t>((number >> 8) & 0x3f));
    }
    for (std::size_t i = static_cast<std::size_t>(Counter::loadcnt); i < kCounters; ++i) {
      if (mnemonic_of(text_).substr(7) == kCounterNames[i])
        add(StepKind::wait, static_cast<Counter>(i), number);
    }
  }

  void gfx12() {
    if (starts("s_wait_")) return gfx12_wait();
    if (has(text_, "_prefetch_")) return;
    if (scalar_memory()) {
      add(StepKind::unordered, Counter::kmcnt);
      return add(StepKind::push, Counter::kmcnt);
    }
    if (starts("s_sendmsg")) return add(StepKind::push, Counter::kmcnt);
    if (starts("ds_")) return add(StepKind::push, Counter::dscnt);
    if (starts("image_sample")) return add(StepKind::push, Counter::samplecnt);
    if (starts("image_bvh")) return add(StepKind::push, Counter::bvhcnt);
    if (starts("exp")) return add(StepKind::push, Counter::expcnt);
    const bool stores = has(text_, "store") || starts("global_wb");
    const Counter counter = stores ? Counter::storecnt : Counter::loadcnt;
    if (vector_memory() || starts("image_")) return add(StepKind::push, counter);
    if (!starts("flat_")) return;
    add(StepKind::unordered, Counter::dscnt);
    add(StepKind::unordered, counter);
    add(StepKind::push_flat, counter);
  }

  std::string_view text_;
  int gfxip_;
  CounterSteps steps_;
};

bool of_stores(Counter counter) {
  return counter == Counter::vscnt || counter == Counter::storecnt;
}

}  // namespace

std::string_view to_string(Counter counter) {
  return kCounterNames[static_cast<std::size_t>(counter)];
}

std::string waited_counters(std::string_view text) {
  std::string names;
  for (const std::string_view name : kCounterNames) {
    const std::size_t at = text.find(name);
    // "lgkmcnt" ends with the name of another counter.
    if (at == std::string_view::npos || (at > 0 && text[at - 1] >= 'a' && text[at - 1] <= 'z'))
      continue;
    if (!names.empty()) names += '+';
    names += name;
  }
  return names.empty() ? "other" : names;
}

CounterSteps counter_steps(std::string_view text, int gfxip) {
  return StepCompiler(text, gfxip).compile();
}

void WaitState::reset() {
  for (Queue& queue : queues_) {
    queue.items.clear();
    queue.head = 0;
    queue.unordered = false;
  }
  flat_loads_ = flat_stores_ = {};
}

void WaitState::push(Queue& queue, const Outstanding& self) {
  queue.items.push_back(self);
  if (queue.items.size() - queue.head > kMostOutstanding) ++queue.head;
  if (queue.head > kMostOutstanding) {
    queue.items.erase(queue.items.begin(),
                      queue.items.begin() + static_cast<std::ptrdiff_t>(queue.head));
    queue.head = 0;
  }
}

void WaitState::note(const CounterStep& step, const Outstanding& self) {
  Queue& queue = queues_[static_cast<std::size_t>(step.counter)];
  switch (step.kind) {
    case StepKind::unordered:
      queue.unordered = true;
      break;
    case StepKind::push:
      push(queue, self);
      break;
    case StepKind::push_flat:
      push(of_stores(step.counter) ? flat_stores_ : flat_loads_, self);
      break;
    case StepKind::wait:
      break;
  }
}

bool WaitState::wait(const CounterStep& step) {
  Queue& queue = queues_[static_cast<std::size_t>(step.counter)];
  out_.clear();
  if (step.limit == 0) queue.unordered = false;
  if (queue.unordered) return false;
  Queue& flats = of_stores(step.counter) ? flat_stores_ : flat_loads_;
  out_.insert(out_.end(), flats.items.begin() + static_cast<std::ptrdiff_t>(flats.head),
              flats.items.end());
  flats.items.clear();
  flats.head = 0;
  const std::size_t size = queue.items.size() - queue.head;
  const std::size_t done = size > step.limit ? size - step.limit : 0;
  const auto first = queue.items.begin() + static_cast<std::ptrdiff_t>(queue.head);
  out_.insert(out_.end(), first, first + static_cast<std::ptrdiff_t>(done));
  queue.head += done;
  if (queue.head == queue.items.size()) {
    queue.items.clear();
    queue.head = 0;
  }
  return !out_.empty();
}

}  // namespace rpl::att
