// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "engine/base/interrupt.h"
#include "engine/process/run.h"

namespace rpl {
namespace {

std::string last_lines(std::string_view text, int count) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::size_t start = text.size();
  for (; count > 0 && start != 0; --count) {
    const std::size_t newline = text.rfind('\n', start - 1);
    start = newline == std::string_view::npos ? 0 : newline;
  }
  if (start < text.size() && text[start] == '\n') ++start;
  return std::string(text.substr(start));
}

bool needs_quotes(std::string_view word) {
  constexpr std::string_view kPlain = "@%+=:,./-_";
  const auto plain = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kPlain.find(c) != std::string_view::npos;
  };
  return word.empty() || !std::ranges::all_of(word, plain);
}

std::string quoted_word(std::string_view word) {
  if (!needs_quotes(word)) return std::string(word);
  std::string result = "'";
  for (const char c : word) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c;
    }
  }
  return result + "'";
}

std::string how_it_ended(const Spawn& spawn, const Exit& exit) {
  if (exit.timed_out) return fmt::format("took longer than {} ms", spawn.timeout.count());
  if (exit.signal != 0) {
    return fmt::format("was ended by signal {} ({})", exit.signal, strsignal(exit.signal));
  }
  return fmt::format("ended with status {}", exit.code);
}

/// A job's end reaches its processes one after the other: the program's may come before ours.
Status check_end_of_all(const Exit& exit) {
  constexpr std::chrono::milliseconds kGrace{500}, kStep{10};
  if (exit.timed_out || (exit.signal != SIGTERM && exit.signal != SIGINT)) return {};
  for (auto waited = kStep; waited < kGrace && !interrupt::pending(); waited += kStep)
    std::this_thread::sleep_for(kStep);
  return interrupt::check();
}

}  // namespace

std::string last_line(std::string_view text) {
  constexpr std::size_t kMost = 300;
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end + 1);
  const std::size_t before = text.find_last_of('\n');
  return std::string(
      text.substr(before == std::string_view::npos ? 0 : before + 1).substr(0, kMost));
}

Status check_exit(const Spawn& spawn, const Exit& exit) {
  if (exit.ok()) return {};
  TRY(check_end_of_all(exit));
  constexpr int kQuotedLines = 5;
  std::string message = fmt::format("'{}' {}", command_line(spawn.argv), how_it_ended(spawn, exit));
  const std::string said = last_lines(exit.err.text, kQuotedLines);
  if (!said.empty()) message += ": " + said;
  return fail(exit.timed_out ? Errc::timeout : Errc::io, std::move(message),
              "run the command by hand to see all that it prints");
}

std::string command_line(const std::vector<std::string>& argv) {
  std::string result;
  for (const std::string& word : argv) {
    if (!result.empty()) result += ' ';
    result += quoted_word(word);
  }
  return result;
}

}  // namespace rpl
