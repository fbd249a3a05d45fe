// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace rpl {

/// Threads that are worth having for work that keeps a core busy: one for each core, at most `most`, at least one.
inline std::size_t worthwhile_threads(std::size_t most) {
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1,
                                 std::max<std::size_t>(most, 1));
}

/// Calls work(i) once for each i below `count`, on at most `threads` threads, this one among them; returns when all have returned. `work` may not throw, and has to be safe to
/// be called from several threads at once.
template <class Work>
void in_parallel(std::size_t count, std::size_t threads, const Work& work) {
  std::atomic<std::size_t> next = 0;
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min(count, threads); ++i) others.emplace_back(take);
  take();
}

}  // namespace rpl
