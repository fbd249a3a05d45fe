// SPDX-License-Identifier: MIT
#include "shell/core/session/workspace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "engine/base/input_file.h"
#include "engine/base/interrupt.h"
#include "engine/trace/import/open.h"

namespace rpl {

/// What the reading thread and those who wait for it share.
struct OpenTrace::Loading {
  std::mutex mutex;
  std::optional<Result<std::shared_ptr<const Trace>>> result;
  std::condition_variable done;
  std::thread thread;
  std::string what;
  std::uint64_t progress_done = 0, progress_total = 0;
};

/// Sizes and times of what lies at a path, and beside a database that is being written.
static std::string stamp_of(const std::string& path) {
  constexpr std::size_t kMostFiles = 10'000;
  std::string out;
  const auto add = [&](const std::filesystem::path& file) {
    std::error_code ignored;
    const auto size = std::filesystem::file_size(file, ignored);
    const auto time = std::filesystem::last_write_time(file, ignored).time_since_epoch().count();
    out += fmt::format("{} {} {}\n", file.string(), ignored ? 0 : size, time);
  };
  std::error_code problem;
  add(std::filesystem::weakly_canonical(path, problem));
  add(path + "-wal");
  if (!std::filesystem::is_directory(path, problem)) return out;
  std::size_t files = 0;
  for (std::filesystem::recursive_directory_iterator at(path, problem), end;
       !problem && at != end && files < kMostFiles; at.increment(problem), ++files)
    add(at->path());
  return out;
}

bool OpenTrace::is_of(const std::string& path) const {
  return paths_.size() == 1 && origin_.empty() && stamp_ == stamp_of(path);
}

OpenTrace::OpenTrace(std::string id, std::vector<std::string> paths)
    : id_(std::move(id)), paths_(std::move(paths)) {
  if (paths_.size() == 1) stamp_ = stamp_of(paths_.front());
  start();
}

OpenTrace::OpenTrace(std::string id, std::vector<std::string> paths, std::string origin,
                     std::shared_ptr<const Trace> trace)
    : id_(std::move(id)),
      paths_(std::move(paths)),
      origin_(std::move(origin)),
      loading_(std::make_shared<Loading>()) {
  loading_->result = std::move(trace);
}

OpenTrace::~OpenTrace() {
  // The reader looks at the interrupt flag: closing a trace that is still being read must not wait for all of it.
  std::optional<interrupt::ForNow> stop;
  if (!ready()) stop.emplace();
  if (loading_->thread.joinable()) loading_->thread.join();
}

void OpenTrace::start() {
  loading_ = std::make_shared<Loading>();
  loading_->thread = std::thread([loading = loading_.get(), paths = paths_] {
    Monitor monitor;
    monitor.progress = [&](std::string_view what, std::uint64_t done, std::uint64_t total) {
      const std::lock_guard lock(loading->mutex);
      loading->what = what;
      loading->progress_done = done;
      loading->progress_total = total;
    };
    auto result = open_trace(paths, {}, monitor);
    const std::lock_guard lock(loading->mutex);
    loading->result = std::move(result);
    loading->done.notify_all();
  });
}

void note_damage(Workspace& workspace, Document& result) {
  for (const auto& open : workspace.traces()) {
    if (!open->was_used() || !open->ready()) continue;
    const auto trace = open->get({});
    static_cast<void>(open->was_used());
    if (!trace) continue;
    const std::vector<std::string> found = (*trace)->damage();
    // These two list it.
    const bool listed =
        result.schema == "rpl.info.warnings/1" || result.schema == "rpl.trace.verify/1";
    if (found.empty() || listed) continue;
    result.notes.push_back(fmt::format(
        "{} is damaged, and this may be wrong: {}{}", open->id(), found.front(),
        found.size() == 1 ? "" : fmt::format(" (and {} more: info warnings)", found.size() - 1)));
  }
}

bool OpenTrace::ready() const {
  const std::lock_guard lock(loading_->mutex);
  return loading_->result.has_value();
}

Result<std::shared_ptr<const Trace>> OpenTrace::get(const Monitor& monitor) {
  using namespace std::chrono_literals;
  std::unique_lock lock(loading_->mutex);
  while (!loading_->result) {
    if (interrupt::pending()) return fail(Errc::interrupted, "interrupted");
    loading_->done.wait_for(lock, 20ms);
    if (!loading_->what.empty()) {
      monitor.report(loading_->what, loading_->progress_done, loading_->progress_total);
    }
  }
  // A Ctrl-C that stopped the reader must not leave the trace unusable: the next question reads again.
  const bool interrupted =
      !*loading_->result && (*loading_->result).error().code == Errc::interrupted;
  auto result = *loading_->result;
  lock.unlock();
  used_ = true;
  if (interrupted) {
    loading_->thread.join();
    start();
  }
  return result;
}

std::shared_ptr<const void> OpenTrace::find_cached(const void* key) const {
  for (const auto& [held, value] : cache_) {
    if (held == key) return value;
  }
  return nullptr;
}

void OpenTrace::store_cached(const void* key, std::shared_ptr<const void> value) {
  cache_.emplace_back(key, std::move(value));
}

Result<OpenTrace*> Workspace::open(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
      return fail(Errc::not_found, fmt::format("{}: no such file", path),
                  "give the path of a rocpd database, an .rpd file, a rocprofv3 CSV or JSON, or a "
                  "trace of PyTorch's profiler");
    }
    // Told now, and not by a reader in the background: the answer must not depend on which is faster.
    struct stat what{};
    const bool known = ::stat(path.c_str(), &what) == 0;
    if (known && !S_ISREG(what.st_mode) && !S_ISDIR(what.st_mode))
      return not_a_file(path, what.st_mode);
  }
  auto trace = std::make_unique<OpenTrace>(fmt::format("t{}", ++opened_), paths);
  current_ = trace.get();
  looks_at_capture = false;
  selection = {};
  last_rows.clear();
  traces_.push_back(std::move(trace));
  return current_;
}

OpenTrace* Workspace::opened_from(const std::string& path) {
  const auto same =
      std::ranges::find_if(traces_, [&](const auto& trace) { return trace->is_of(path); });
  if (same == traces_.end()) return nullptr;
  if (current_ != same->get()) {
    selection = {};
    last_rows.clear();
  }
  current_ = same->get();
  looks_at_capture = false;
  return current_;
}

OpenTrace* Workspace::derive(const OpenTrace& from, std::string origin,
                             std::shared_ptr<const Trace> trace) {
  traces_.push_back(std::make_unique<OpenTrace>(fmt::format("t{}", ++opened_), from.paths(),
                                                std::move(origin), std::move(trace)));
  current_ = traces_.back().get();
  looks_at_capture = false;
  selection = {};
  last_rows.clear();
  return current_;
}

Status Workspace::close(std::string_view reference) {
  OpenTrace* before = current_;
  OpenTrace* closing = reference.empty() ? TRY(current()) : TRY(select(reference));
  std::erase_if(traces_, [&](const auto& trace) { return trace.get() == closing; });
  if (before != closing) {
    current_ = before;
  } else {
    current_ = traces_.empty() ? nullptr : traces_.back().get();
    selection = {};
    last_rows.clear();
  }
  return {};
}

Result<OpenTrace*> Workspace::select(std::string_view reference) {
  std::vector<OpenTrace*> matches;
  for (const auto& trace : traces_) {
    if (trace->id() == reference) matches = {trace.get()};
    if (trace->id() == reference) break;
    for (const std::string& path : trace->paths()) {
      if (path.find(reference) != std::string::npos) {
        matches.push_back(trace.get());
        break;
      }
    }
  }
  if (matches.size() != 1) {
    std::vector<std::string> ids;
    for (const auto& trace : traces_) {
      ids.push_back(fmt::format("{} ({})", trace->id(), fmt::join(trace->paths(), ", ")));
    }
    std::error_code ignored;
    const bool path = reference.find_first_of("./") != std::string_view::npos;
    if (matches.empty() && path && !std::filesystem::exists(reference, ignored))
      return fail(Errc::not_found,
                  fmt::format("{}: no such file, and no open trace is called so", reference),
                  ids.empty() ? "check the path" : fmt::format("open: {}", fmt::join(ids, ", ")));
    return fail(
        matches.empty() ? Errc::not_found : Errc::ambiguous,
        fmt::format("{} open trace '{}'", matches.empty() ? "no" : "more than one", reference),
        ids.empty() ? "open one: open FILE" : fmt::format("open: {}", fmt::join(ids, ", ")));
  }
  if (current_ != matches[0]) {
    selection = {};
    last_rows.clear();
  }
  current_ = matches[0];
  looks_at_capture = false;
  return current_;
}

Result<OpenTrace*> Workspace::current() {
  if (!current_) {
    return fail(Errc::not_found, "no trace is open",
                fmt::format("open one: open FILE, or name it in the command: summary FILE{}",
                            stepping.empty() ? ""
                                             : "; of the stopped kernel: 'info target', 'info "
                                               "threads'"));
  }
  return current_;
}

}  // namespace rpl
