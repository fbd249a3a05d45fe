// SPDX-License-Identifier: MIT
#include "shell/server/runner.h"
#include "engine/base/monitor.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/render/render.h"
#include "shell/server/call.h"

#include <cstdio>

namespace rpl {
namespace {

constexpr std::chrono::milliseconds kBetweenReports{100};

void add(Printed& printed, std::string_view text) {
  const std::size_t room = std::min(
      text.size(), Streams::kMostPrinted - std::min(printed.text.size(), Streams::kMostPrinted));
  printed.text += text.substr(0, room);
  printed.left_out_bytes += text.size() - room;
}

}  // namespace

Runner::Runner(Context& context, Streams& streams, Sink err)
    : context_(context),
      streams_(streams),
      err_(std::move(err)),
      console_(
          context, render, [this](OutputBytes text) { return print(text); },
          [this](OutputBytes text) { return print(text); }) {
  context_.face().terminal() = {};
  context_.monitor().progress = [this](std::string_view what, std::uint64_t done,
                                       std::uint64_t total) { report(what, done, total); };
  context_.monitor().note = [this](const std::string& text) {
    if (running_) {
      outcome_.notes.push_back(text);
    } else {
      console_.note(text);
    }
  };
}

Status Runner::print(OutputBytes text) {
  if (!running_) return err_(text);
  // What programs and io.write of a script wrote before stands before it. It goes to a pipe that is read.
  static_cast<void>(std::fflush(stdout));
  const Printed before = streams_.take_printed();
  add(outcome_.printed, before.text);
  outcome_.printed.left_out_bytes += before.left_out_bytes;
  add(outcome_.printed, text.bytes());
  return {};
}

void Runner::report(std::string_view what, std::uint64_t done, std::uint64_t total) {
  const std::lock_guard lock(progress_lock_);
  if (!progress_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - reported_ < kBetweenReports) return;
  reported_ = now;
  progress_(what, done, total);
}

Runner::Outcome Runner::run(const Understand& understand, const std::string& line,
                            Progress progress) {
  // What was printed before (by init files, by a job) belongs to nobody's answer.
  static_cast<void>(std::fflush(stdout));
  if (const Printed before = streams_.take_printed(); !before.text.empty())
    static_cast<void>(err_(OutputBytes::raw(before.text)));
  outcome_ = {};
  running_ = true;
  {
    const std::lock_guard lock(progress_lock_);
    progress_ = std::move(progress);
    reported_ = {};
  }
  auto invocation = understand(console_);
  if (invocation) {
    const std::string said = line.empty() ? line_of(*invocation) : line;
    outcome_.answer = console_.answer(std::move(*invocation), said);
    outcome_.exit_code =
        outcome_.answer ? context_.face().exit_code() : exit_status(outcome_.answer.error().code);
  } else {
    if (!line.empty()) console_.keep_misunderstood(invocation.error(), line);
    outcome_.answer = Failure(invocation.error());
    outcome_.exit_code = exit_status(invocation.error().code);
  }
  {
    const std::lock_guard lock(progress_lock_);
    progress_ = nullptr;
  }
  static_cast<void>(print(""));
  running_ = false;
  return std::exchange(outcome_, {});
}

}  // namespace rpl
