// SPDX-License-Identifier: MIT
#include "engine/optimize/model/retry.h"

#include <algorithm>
#include <ctime>
#include <memory>
#include <random>
#include <thread>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"

namespace rpl::llm {
namespace {

using std::chrono::milliseconds;

std::optional<double> plain_number(const std::string& text) {
  const auto value = whole_number<double>(text);
  constexpr double kMost = 1e9;
  return value && *value >= 0 && *value <= kMost ? value : std::nullopt;
}

Status sleep_in_slices(milliseconds whole) {
  constexpr milliseconds kSlice{50};
  const auto until = std::chrono::steady_clock::now() + whole;
  for (auto now = std::chrono::steady_clock::now(); now < until;
       now = std::chrono::steady_clock::now()) {
    TRY(interrupt::check());
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(kSlice, until - now));
  }
  return interrupt::check();
}

}  // namespace

Clock real_clock() {
  const auto engine = std::make_shared<std::mt19937_64>(std::random_device{}());
  return {.now_unix_s = [] { return static_cast<std::int64_t>(std::time(nullptr)); },
          .sleep = sleep_in_slices,
          .random = [engine] { return std::uniform_real_distribution<double>(0, 1)(*engine); }};
}

std::optional<milliseconds> asked_wait(const HttpReply& reply, std::int64_t now_unix_s) {
  constexpr double kPerSecond = 1000;
  if (const auto ms = plain_number(reply.retry_after_ms))
    return milliseconds(static_cast<std::int64_t>(*ms));
  if (const auto seconds = plain_number(reply.retry_after))
    return milliseconds(static_cast<std::int64_t>(*seconds * kPerSecond));
  if (reply.retry_after.empty()) return std::nullopt;
  const auto date = http_date(reply.retry_after);
  if (!date) return std::nullopt;
  return milliseconds(std::max<std::int64_t>(0, *date - now_unix_s) * 1000);
}

milliseconds back_off(int attempt, const RetryRule& rule, double random) {
  milliseconds ceiling = rule.first;
  for (int i = 1; i < attempt && ceiling < rule.longest; ++i) ceiling *= 2;
  ceiling = std::min(ceiling, rule.longest);
  return milliseconds(static_cast<std::int64_t>(random * static_cast<double>(ceiling.count())));
}

}  // namespace rpl::llm
