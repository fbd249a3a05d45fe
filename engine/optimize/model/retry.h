// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "engine/base/result.h"
#include "engine/optimize/model/transport.h"

namespace rpl::llm {

/// Time and chance, so that tests need not wait.
struct Clock {
  std::function<std::int64_t()> now_unix_s;
  /// Fails with interrupted on Ctrl-C.
  std::function<Status(std::chrono::milliseconds)> sleep;
  std::function<double()> random;  ///< uniform in [0, 1)
};
Clock real_clock();

struct RetryRule {
  int most = 4;      ///< requests after the first
  int most_cut = 2;  ///< of them after replies that had begun: those cost tokens
  std::chrono::milliseconds first{1'000}, longest{60'000};
  std::chrono::milliseconds longest_asked{
      300'000};  ///< a server that asks for more is not waited for
};

/// How long the server asks to wait: Retry-After in seconds or as an HTTP date, or retry-after-ms. Nothing: it does not say, or nonsense.
std::optional<std::chrono::milliseconds> asked_wait(const HttpReply& reply,
                                                    std::int64_t now_unix_s);

/// Before request `attempt` (1: the first repetition): full jitter, random × min(longest, first × 2^(attempt − 1)).
std::chrono::milliseconds back_off(int attempt, const RetryRule& rule, double random);

}  // namespace rpl::llm
