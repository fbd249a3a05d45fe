// SPDX-License-Identifier: MIT
#include "shell/core/session/jobs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/process/background.h"
#include "shell/core/command/line.h"

namespace rpl {
namespace {

constexpr char kSeparator = '\x1e';
constexpr std::string_view kProgress = "progress ", kOpened = "opened ";
constexpr std::string_view kBetween = "\x1f";  ///< paths: a unit separator
constexpr std::uint64_t kMostShown = std::uint64_t{8} << 20;
constexpr std::uint64_t kLastBytes = 4096;  ///< in which the latest progress stands

std::string message(std::string_view kind, std::string_view text) {
  return fmt::format("{}{}{}\n", kSeparator, kind, text);
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

namespace job_message {

std::string progress(std::string_view what, std::uint64_t done, std::uint64_t total) {
  constexpr double kPercent = 100.0;
  if (total == 0) return message(kProgress, fmt::format("{} {}", what, done));
  return message(kProgress,
                 fmt::format("{} {:.0f} %", what,
                             kPercent * static_cast<double>(done) / static_cast<double>(total)));
}

std::string opened(const std::vector<std::string>& paths) {
  return message(kOpened, fmt::format("{}", fmt::join(paths, kBetween)));
}

}  // namespace job_message

std::string_view to_string(Job::State state) {
  switch (state) {
    case Job::State::running:
      return "running";
    case Job::State::done:
      return "done";
    case Job::State::failed:
      return "failed";
    case Job::State::stopped:
      return "stopped";
  }
  return "unknown";
}

Job::Job(std::string id, std::string line, std::unique_ptr<Background> child)
    : id_(std::move(id)), line_(std::move(line)), child_(std::move(child)) {}
Job::~Job() = default;

Job::State Job::state() {
  const Exit* exit = child_->ended();
  if (exit == nullptr) return State::running;
  if (stopped_) return State::stopped;
  return exit->ok() ? State::done : State::failed;
}

int Job::exit_status() {
  const Exit* exit = child_->ended();
  return exit == nullptr ? 0 : exit->code;
}

std::int64_t Job::elapsed_ns() const { return child_->elapsed().count(); }

std::vector<std::string> Job::messages(std::string_view kind) const {
  std::vector<std::string> out;
  for (const std::string& line : lines_of(child_->printed(OutputStream::err, 0, kMostShown))) {
    const std::string_view text = line;
    if (text.starts_with(kSeparator) && text.substr(1).starts_with(kind))
      out.emplace_back(text.substr(1 + kind.size()));
  }
  return out;
}

std::string Job::progress() const {
  const std::uint64_t all = child_->printed_bytes(OutputStream::err);
  std::string latest;
  // A line that is cut at the front begins with no separator.
  for (const std::string& line :
       lines_of(child_->printed(OutputStream::err, all - std::min(all, kLastBytes), kLastBytes))) {
    const std::string_view text = line;
    if (text.starts_with(kSeparator) && text.substr(1).starts_with(kProgress))
      latest = text.substr(1 + kProgress.size());
  }
  return latest;
}

std::string Job::output() const { return child_->printed(OutputStream::out, 0, kMostShown); }

std::string Job::remarks() const {
  std::string out;
  for (const std::string& line : lines_of(child_->printed(OutputStream::err, 0, kMostShown))) {
    if (!line.starts_with(kSeparator)) out += line + "\n";
  }
  return out;
}

std::vector<std::vector<std::string>> Job::opened() const {
  std::vector<std::vector<std::string>> out;
  for (std::string_view paths : messages(kOpened)) {
    auto& together = out.emplace_back();
    for (std::size_t end = paths.find(kBetween); end != std::string_view::npos;
         end = paths.find(kBetween)) {
      together.emplace_back(paths.substr(0, end));
      paths.remove_prefix(end + 1);
    }
    together.emplace_back(paths);
  }
  return out;
}

void Job::ask_to_end() {
  if (child_->ended() != nullptr) return;
  stopped_ = true;
  child_->ask_to_end();
}

void Job::stop() {
  if (child_->ended() != nullptr) return;
  stopped_ = true;
  child_->stop();
}

Jobs::Jobs() = default;
Jobs::~Jobs() = default;

Job& Jobs::add(std::string line, std::unique_ptr<Background> child) {
  all_.push_back(std::make_unique<Job>(fmt::format("j{}", all_.size() + 1), std::move(line),
                                       std::move(child)));
  return *all_.back();
}

Result<Job*> Jobs::find(std::string_view id) const {
  if (all_.empty())
    return fail(Errc::not_found, "there are no jobs",
                "a line with & at its end starts one: profile -- ./app &");
  if (id.empty()) return all_.back().get();
  const auto found = std::ranges::find_if(all_, [&](const auto& job) { return job->id() == id; });
  if (found != all_.end()) return found->get();
  return fail(
      Errc::not_found,
      fmt::format("there is no job '{}'; there {} j1{}", id, all_.size() == 1 ? "is" : "are",
                  all_.size() == 1 ? std::string() : fmt::format(" to j{}", all_.size())),
      "info jobs");
}

std::size_t Jobs::running() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      all_, [](const auto& job) { return job->state() == Job::State::running; }));
}

bool Jobs::expects_news() const {
  return std::ranges::any_of(all_, [](const auto& job) { return !job->told; });
}

std::string Jobs::news() {
  std::string text;
  for (const auto& job : all_) {
    const Job::State state = job->state();
    if (job->told || state == Job::State::running) continue;
    job->told = true;
    text += fmt::format("{} {} after {}: {}   job show {}\n", job->id(), to_string(state),
                        format_ns(job->elapsed_ns()), job->line(), job->id());
  }
  return text;
}

std::optional<std::string> without_ampersand(std::string_view line) {
  if (line.find('&') == std::string_view::npos) return std::nullopt;
  const auto split = split_line(line);
  if (!split || split->words.empty()) return std::nullopt;
  std::string_view rest = split->text;
  if (split->pipe.empty()) {
    const Word& last = split->words.back();
    if (split->words.size() < 2 || last.quoted || last.text != "&") return std::nullopt;
    rest = rest.substr(0, last.offset);
  } else {
    // A host command that runs in the background itself would outlive the result that it reads.
    if (!split->pipe.ends_with(" &")) return std::nullopt;
    rest.remove_suffix(1);
  }
  while (rest.ends_with(' ') || rest.ends_with('\t')) rest.remove_suffix(1);
  return std::string(rest);
}

}  // namespace rpl
