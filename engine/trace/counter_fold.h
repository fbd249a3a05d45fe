// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "engine/trace/entities.h"

namespace rpl {

/// Adds one more instance of a counter; recorders write the instances of one counter and dispatch next to each other, so
/// that most are folded at once.
inline void add_sample(std::vector<CounterSample>& rows, const CounterSample& sample) {
  if (rows.empty() || rows.back().dispatch != sample.dispatch ||
      rows.back().counter != sample.counter) {
    rows.push_back(sample);
    return;
  }
  CounterSample& last = rows.back();
  last.instances += sample.instances;
  last.sum += sample.sum;
  last.max = std::max(last.max, sample.max);
}

/// Sorts by (dispatch, counter) and folds what was not next to each other.
inline void fold_samples(std::vector<CounterSample>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const CounterSample& a, const CounterSample& b) {
    return a.dispatch != b.dispatch ? a.dispatch < b.dispatch : a.counter < b.counter;
  });
  std::vector<CounterSample> folded;
  for (const CounterSample& sample : rows) add_sample(folded, sample);
  rows = std::move(folded);
}

}  // namespace rpl
