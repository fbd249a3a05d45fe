// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "engine/trace/core/entities.h"

namespace rpl {

/// Adds one more instance of a counter. Recorders write all instances of a dispatch together, in an order of their own:
/// a sample that belongs to one of the last rows is folded into it at once, so that memory follows the number of
/// counters and not of instances.
inline void add_sample(std::vector<CounterSample>& rows, const CounterSample& sample) {
  constexpr std::size_t kLookBack = 64;
  const std::size_t first = rows.size() > kLookBack ? rows.size() - kLookBack : 0;
  for (std::size_t i = rows.size(); i > first && rows[i - 1].dispatch == sample.dispatch; --i) {
    CounterSample& row = rows[i - 1];
    if (row.counter != sample.counter) continue;
    row.instances += sample.instances;
    row.sum += sample.sum;
    row.max = std::max(row.max, sample.max);
    return;
  }
  rows.push_back(sample);
}

/// Sorts by (dispatch, counter) and folds what add_sample() could not.
inline void fold_samples(std::vector<CounterSample>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const CounterSample& a, const CounterSample& b) {
    return a.dispatch != b.dispatch ? a.dispatch < b.dispatch : a.counter < b.counter;
  });
  std::size_t kept = 0;
  for (const CounterSample& sample : rows) {
    CounterSample* const last = kept > 0 ? &rows[kept - 1] : nullptr;
    if (last == nullptr || last->dispatch != sample.dispatch || last->counter != sample.counter) {
      rows[kept++] = sample;
      continue;
    }
    last->instances += sample.instances;
    last->sum += sample.sum;
    last->max = std::max(last->max, sample.max);
  }
  rows.resize(kept);
}

}  // namespace rpl
