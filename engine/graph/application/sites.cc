// SPDX-License-Identifier: MIT
#include "engine/graph/application/sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "engine/base/one_line.h"

namespace rpl::findings {
namespace {

using Frames = std::vector<SiteFrame>;

/// A wrapper has so many lines with calls at the most, and is itself called from so many at the least.
constexpr std::size_t kOwnLines = 2, kCallers = 2;
/// Wrappers around wrappers.
constexpr int kNested = 3;

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Headers of the compiler and of HIP, and code whose lines nobody knows.
bool is_foreign(const SiteFrame& frame) {
  return frame.file.empty() || frame.file.starts_with("/usr/") || frame.file.starts_with("/opt/");
}

/// Without what the program's author did not write, where something is left then.
Frames own_frames(const Frames& frames) {
  Frames out;
  for (const SiteFrame& frame : frames) {
    if (!is_foreign(frame)) out.push_back(frame);
  }
  if (!out.empty()) return out;
  const auto program = std::ranges::find(frames, true, &SiteFrame::program);
  out.assign(program == frames.end() ? frames.begin() : program, frames.end());
  return out;
}

using Function = std::tuple<std::string, std::string, std::string>;
Function function_of(const SiteFrame& frame) { return {frame.module, frame.file, frame.function}; }
using Line = std::tuple<std::string, std::uint32_t, std::uint64_t, std::string>;
Line line_of(const SiteFrame& frame) {
  return {frame.file, frame.line, frame.offset, frame.function};
}

/// Takes wrappers off the beginnings of stacks.
void leave_wrappers(std::vector<Frames>& sites) {
  for (int round = 0; round < kNested; ++round) {
    struct Uses {
      std::set<Line> own, callers;
    };
    std::map<Function, Uses> uses;
    for (const Frames& frames : sites) {
      if (frames.empty()) continue;
      Uses& one = uses[function_of(frames.front())];
      one.own.insert(line_of(frames.front()));
      if (frames.size() > 1) one.callers.insert(line_of(frames[1]));
    }
    for (Frames& frames : sites) {
      if (frames.size() < 2) continue;
      const Uses& one = uses[function_of(frames.front())];
      if (one.own.size() <= kOwnLines && one.callers.size() >= kCallers)
        frames.erase(frames.begin());
    }
  }
}

std::string frame_text(const SiteFrame& frame) {
  if (frame.file.empty()) {
    const std::string at =
        frame.function.empty() ? std::string(last_part(frame.module)) : frame.function;
    std::string text = fmt::format("{}+0x{:x}", at, frame.offset);
    if (!frame.function.empty()) text += fmt::format(" of {}", last_part(frame.module));
    return text;
  }
  std::string text = fmt::format("{}:{}", last_part(frame.file), frame.line);
  if (!frame.function.empty()) text += " in " + frame.function;
  return text;
}

std::string site_text(const Frames& frames) {
  std::string text;
  for (const SiteFrame& frame : frames)
    text += (text.empty() ? "" : ", called from ") + frame_text(frame);
  return on_one_line(std::move(text));
}

}  // namespace

Sites::Sites(const CallSiteTable* table) : table_(table) {
  if (table == nullptr) return;
  std::vector<Frames> sites;
  for (const Frames& frames : table->sites) sites.push_back(own_frames(frames));
  leave_wrappers(sites);
  for (const Frames& frames : sites) texts_.push_back(site_text(frames));
}

const std::string& Sites::text(std::uint32_t process, std::uint64_t correlation) const {
  static const std::string kUnknown;
  const CallSiteTable::Row* row =
      table_ == nullptr ? nullptr : table_->row_of(process, correlation);
  return row == nullptr || row->site >= texts_.size() ? kUnknown : texts_[row->site];
}

const std::string& Sites::text(const ApiCall& call) const {
  return text(call.process, call.correlation);
}

std::optional<bool> Sites::again(std::uint32_t process, std::uint64_t correlation) const {
  const CallSiteTable::Row* row =
      table_ == nullptr ? nullptr : table_->row_of(process, correlation);
  return row == nullptr ? std::nullopt : row->again;
}

}  // namespace rpl::findings
