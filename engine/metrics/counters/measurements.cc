// SPDX-License-Identifier: MIT
#include "engine/metrics/counters/measurements.h"

#include <algorithm>
#include <set>

#include "engine/base/interrupt.h"
#include "engine/metrics/counters/catalogue.h"

namespace rpl {
namespace {

/// Which processes belong to which pass, by the set of counters that they recorded.
struct Passes {
  static constexpr std::uint32_t kNoPass = kNone;
  std::vector<std::uint32_t> of_process;  ///< kNoPass for a process without counters
  std::vector<std::uint32_t> place;       ///< of a process among those of its pass
  std::uint32_t count = 0;
};

Passes find_passes(const Trace& trace, const CounterTable& table) {
  const std::size_t processes = trace.entities().processes.size();
  std::vector<std::set<std::uint32_t>> counted(processes);
  for (const CounterSample& sample : table.rows) {
    counted[trace.lane(sample.dispatch).process].insert(sample.counter);
  }
  Passes passes;
  passes.of_process.assign(processes, Passes::kNoPass);
  passes.place.assign(processes, 0);
  std::map<std::set<std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>> known;
  for (std::size_t i = 0; i < processes; ++i) {
    if (counted[i].empty()) continue;
    auto& [pass, members] = known.try_emplace(counted[i], passes.count, 0).first->second;
    if (pass == passes.count) ++passes.count;
    passes.of_process[i] = pass;
    passes.place[i] = members++;
  }
  return passes;
}

CounterReading reading_of(const CounterTable& table, const CounterSample& sample) {
  const bool time =
      CounterCatalogue::reduction(table.names[sample.counter]) == InstanceReduction::max;
  CounterReading reading{sample.sum, 1, time && sample.instances <= 1};
  if (time && sample.instances > 1) reading.value = sample.max;
  return reading;
}

void add_reading(CounterReadings& readings, const std::string& name, const CounterReading& more) {
  CounterReading& held = readings[name];
  const auto before = static_cast<double>(held.dispatches);
  held.value = (held.value * before + more.value) / (before + 1);
  held.summed_over_xccs = more.summed_over_xccs;
  ++held.dispatches;
}

struct KernelKey {
  std::uint32_t kernel = 0;
  std::string arch;
  auto operator<=>(const KernelKey&) const = default;
};

/// Sums of durations, of runs with and without counters apart.
struct Times {
  double plain_ns = 0, counted_ns = 0;
  std::uint64_t plain = 0, counted = 0;
};

class Collector {
 public:
  Collector(const Trace& trace, const CounterTable& table)
      : trace_(trace), table_(table), passes_(find_passes(trace, table)) {}

  Status run() {
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      if (i % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
      take(table_.rows[i], i == 0 || table_.rows[i - 1].dispatch != table_.rows[i].dispatch);
    }
    for (std::uint32_t row = 0; row < trace_.size(); ++row) {
      if (row % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
      take_time(row);
    }
    return {};
  }

  std::vector<KernelMeasurement> finish() {
    std::vector<KernelMeasurement> out;
    for (auto& [key, kernel] : kernels_) {
      for (const auto& [pass, calls] : calls_[key]) {
        kernel.calls = std::max(kernel.calls, calls);
        ++kernel.passes;
      }
      kernel.time = time_of(times_[key]);
      out.push_back(std::move(kernel));
    }
    const auto total = [](const KernelMeasurement& kernel) {
      return kernel.time.mean_ns.value_or(0) * static_cast<double>(kernel.calls);
    };
    std::ranges::stable_sort(out, std::greater(), total);
    return out;
  }

 private:
  [[nodiscard]] std::string arch_of(std::uint32_t row) const {
    const std::uint32_t agent = trace_.lane(row).agent;
    return agent == kNone ? std::string() : trace_.entities().agents[agent].arch;
  }

  void take(const CounterSample& sample, bool first_of_dispatch) {
    const std::uint32_t row = sample.dispatch;
    if (trace_.kernel_of(row) == kNone) return;
    const KernelKey key{trace_.kernel_of(row), arch_of(row)};
    KernelMeasurement& kernel = kernels_[key];
    if (kernel.counters.empty()) {
      kernel.kernel = key.kernel;
      kernel.agent = trace_.lane(row).agent;
      kernel.arch = key.arch;
    }
    add_reading(kernel.counters, table_.names[sample.counter], reading_of(table_, sample));
    if (first_of_dispatch) ++calls_[key][passes_.of_process[trace_.lane(row).process]];
  }

  void take_time(std::uint32_t row) {
    const std::int64_t ns = trace_.duration_ns(row);
    if (trace_.kernel_of(row) == kNone || ns <= 0) return;
    const auto found = times_key(row);
    if (!found) return;
    const bool plain = passes_.of_process[trace_.lane(row).process] == Passes::kNoPass;
    Times& times = times_[*found];
    (plain ? times.plain_ns : times.counted_ns) += static_cast<double>(ns);
    ++(plain ? times.plain : times.counted);
  }

  /// A plain run may lie beside a counter file that does not name its agent.
  [[nodiscard]] std::optional<KernelKey> times_key(std::uint32_t row) const {
    KernelKey key{trace_.kernel_of(row), arch_of(row)};
    if (kernels_.contains(key)) return key;
    const auto same = kernels_.lower_bound(KernelKey{key.kernel, {}});
    if (same == kernels_.end() || same->first.kernel != key.kernel) return std::nullopt;
    if (same->first.arch.empty() || key.arch.empty()) return same->first;
    return std::nullopt;
  }

  [[nodiscard]] KernelTime time_of(const Times& times) const {
    if (times.plain > 0)
      return {times.plain_ns / static_cast<double>(times.plain), times.plain, TimeSource::plain};
    if (times.counted == 0) return {};
    const Presence& presence = trace_.presence();
    const TimeSource undisturbed =
        presence.joined_counters ? TimeSource::plain : TimeSource::instrumented;
    return {times.counted_ns / static_cast<double>(times.counted), times.counted,
            presence.modelled ? TimeSource::modelled : undisturbed};
  }

  const Trace& trace_;
  const CounterTable& table_;
  Passes passes_;
  std::map<KernelKey, KernelMeasurement> kernels_;
  std::map<KernelKey, std::map<std::uint32_t, std::uint64_t>> calls_;  ///< by pass
  std::map<KernelKey, Times> times_;
};

/// Recorders decorate names differently: "f(int) [clone .kd]", "f(int) (.kd)", "f(int)".
std::string_view plain_name(std::string_view name) {
  for (const std::string_view tail : {" [clone .kd]", " (.kd)", ".kd"}) {
    if (name.ends_with(tail)) name.remove_suffix(tail.size());
  }
  return name;
}

bool same_kernel(const Kernel& a, const Kernel& b) {
  return a.mangled == b.mangled || plain_name(a.name) == plain_name(b.name);
}

}  // namespace

std::string_view to_string(TimeSource source) {
  switch (source) {
    case TimeSource::none:
      return "none";
    case TimeSource::plain:
      return "plain";
    case TimeSource::instrumented:
      return "instrumented";
    case TimeSource::modelled:
      return "modelled";
  }
  return "none";
}

Result<std::vector<KernelMeasurement>> measure_kernels(const Trace& trace) {
  const CounterTable* table = TRY(trace.counters());
  Collector collector(trace, *table);
  TRY(collector.run());
  return collector.finish();
}

std::size_t use_times_of(const Trace& plain, const Trace& counted,
                         std::vector<KernelMeasurement>& kernels) {
  struct Sum {
    double ns = 0;
    std::uint64_t count = 0;
  };
  std::vector<Sum> sums(plain.kernels().size());
  for (std::size_t row = 0; row < plain.size(); ++row) {
    if (plain.kernel_of(row) == kNone || plain.duration_ns(row) <= 0) continue;
    Sum& sum = sums[plain.kernel_of(row)];
    sum.ns += static_cast<double>(plain.duration_ns(row));
    ++sum.count;
  }
  std::size_t found = 0;
  for (KernelMeasurement& kernel : kernels) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (sums[i].count == 0 || !same_kernel(plain.kernels()[i], counted.kernels()[kernel.kernel]))
        continue;
      kernel.time = {sums[i].ns / static_cast<double>(sums[i].count), sums[i].count,
                     plain.presence().modelled ? TimeSource::modelled : TimeSource::plain};
      ++found;
      break;
    }
  }
  return found;
}

Result<std::vector<DispatchMeasurement>> measure_dispatches(const Trace& trace,
                                                            std::uint32_t kernel) {
  const CounterTable* table = TRY(trace.counters());
  const Passes passes = find_passes(trace, *table);
  std::map<std::uint32_t, std::uint64_t> ordinals;  // by process
  std::map<std::pair<std::uint32_t, std::uint64_t>, DispatchMeasurement> dispatches;
  for (std::size_t i = 0; i < table->rows.size();) {
    if (i % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    const std::uint32_t row = table->rows[i].dispatch;
    std::size_t end = i;
    while (end < table->rows.size() && table->rows[end].dispatch == row) ++end;
    if (trace.kernel_of(row) == kernel) {
      const std::uint32_t process = trace.lane(row).process;
      DispatchMeasurement& out = dispatches[{passes.place[process], ordinals[process]++}];
      if (out.rows.empty() && trace.duration_ns(row) > 0) out.duration_ns = trace.duration_ns(row);
      out.rows.push_back(row);
      for (std::size_t k = i; k < end; ++k) {
        add_reading(out.counters, table->names[table->rows[k].counter],
                    reading_of(*table, table->rows[k]));
      }
    }
    i = end;
  }
  std::vector<DispatchMeasurement> out;
  for (auto& [place, dispatch] : dispatches) {
    dispatch.ordinal = out.size() + 1;
    out.push_back(std::move(dispatch));
  }
  return out;
}

}  // namespace rpl
