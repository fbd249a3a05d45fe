// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "tests/support/hsa/options.h"

namespace rpl::hsa_double {

/// What was called, in order, and which call is to fail. For several threads.
class Journal {
 public:
  /// Forgets everything.
  void start(const Options& options);
  /// A line, in memory and in the file.
  void write(const std::string& line);
  [[nodiscard]] std::vector<std::string> lines() const;
  /// How many calls there were that can be made to fail.
  [[nodiscard]] std::uint64_t calls() const;
  /// Counts a call. The status that it is to fail with, or success. May not return.
  hsa::Status enter(const char* function);

 private:
  mutable std::mutex mutex_;
  std::string file_;
  std::vector<Injection> injections_;
  std::vector<std::string> lines_;
  std::map<std::string, std::uint64_t, std::less<>> counts_;
  std::uint64_t all_ = 0;
};

Journal& journal();

/// "ok", or the status.
std::string status_text(hsa::Status status);

/// A function that returns a status: counted, made to fail where that is asked for, and written down with its arguments.
template <class Do>
hsa::Status logged(const char* function, const std::string& arguments, Do&& work) {
  const hsa::Status injected = journal().enter(function);
  const hsa::Status status = injected == hsa::Status::success ? work() : injected;
  journal().write(fmt::format("{}{}{} = {}{}", function, arguments.empty() ? "" : " ", arguments,
                              status_text(status),
                              injected == hsa::Status::success ? "" : " (injected)"));
  return status;
}

}  // namespace rpl::hsa_double
