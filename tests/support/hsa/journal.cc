// SPDX-License-Identifier: MIT
#include "tests/support/hsa/journal.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace rpl::hsa_double {

Journal& journal() {
  // Never destroyed: threads of queues may outlive main().
  static Journal* const one = [] {
    auto* made = new Journal;
    made->start(options_of_environment());
    return made;
  }();
  return *one;
}

std::string status_text(hsa::Status status) {
  return status == hsa::Status::success ? "ok" : hsa::name_of(status);
}

void Journal::start(const Options& options) {
  const std::lock_guard lock(mutex_);
  file_ = options.log;
  injections_ = options.injections;
  lines_.clear();
  counts_.clear();
  all_ = 0;
}

void Journal::write(const std::string& line) {
  const std::lock_guard lock(mutex_);
  lines_.push_back(line);
  if (file_.empty()) return;
  if (std::FILE* file = std::fopen(file_.c_str(), "a")) {
    std::fprintf(file, "%s\n", line.c_str());
    std::fclose(file);
  }
}

std::vector<std::string> Journal::lines() const {
  const std::lock_guard lock(mutex_);
  return lines_;
}

std::uint64_t Journal::calls() const {
  const std::lock_guard lock(mutex_);
  return all_;
}

hsa::Status Journal::enter(const char* function) {
  std::unique_lock lock(mutex_);
  const std::uint64_t number = ++counts_[function];
  ++all_;
  for (const Injection& injection : injections_) {
    const bool is_any = injection.function == "*";
    if (!is_any && injection.function != function) continue;
    if (injection.number != (is_any ? all_ : number)) continue;
    if (injection.kind == Injection::Kind::status) return injection.status;
    if (injection.kind == Injection::Kind::crash) std::abort();
    lock.unlock();
    while (true) ::pause();
  }
  return hsa::Status::success;
}

}  // namespace rpl::hsa_double
