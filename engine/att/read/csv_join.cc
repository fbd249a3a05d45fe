// SPDX-License-Identifier: MIT
// The CSV file sorts instructions by address and leaves out their numbers; the sums of the wave files tell which is which.
#include "engine/att/read/wave_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/att/read/wave_file.h"
#include "engine/base/interrupt.h"

namespace rpl::att {
namespace {

/// Costs by line number, added up as the recorder adds up its listing.
class LineCosts final : public WaveConsumer {
 public:
  void restart() override { wave_.clear(); }
  void head(const WaveHead& head) override { busy_until_ = head.begin; }
  void instructions(std::span<const WaveInstruction> some) override {
    for (const WaveInstruction& now : some) {
      const std::uint64_t latency = std::max(now.duration, now.stall);
      const std::int64_t gap = std::max<std::int64_t>(now.time - busy_until_, 0);
      busy_until_ = std::max(busy_until_, now.time + static_cast<std::int64_t>(latency));
      wave_.push_back({now.line, {1, latency, now.stall, static_cast<std::uint64_t>(gap)}});
    }
  }
  void states(const StateCycles& /*cycles*/) override {}
  void stored_wait(std::int32_t /*line*/, std::span<const std::int32_t> /*waited_for*/) override {}

  /// The wave was read to its end.
  void commit() {
    for (const auto& [line, cost] : wave_) {
      // What the recorder could not match has number 0 or -1.
      if (line <= 0 || static_cast<std::size_t>(line) >= kMostRows) continue;
      if (static_cast<std::size_t>(line) >= by_line_.size())
        by_line_.resize(static_cast<std::size_t>(line) + 1);
      by_line_[static_cast<std::size_t>(line)] += cost;
    }
  }
  [[nodiscard]] const std::vector<Cost>& by_line() const { return by_line_; }

 private:
  std::int64_t busy_until_ = 0;
  std::vector<std::pair<std::int32_t, Cost>> wave_;
  std::vector<Cost> by_line_;
};

/// A label and what follows it, or what stands before the first label: rows [first, last).
struct Function {
  std::size_t first = 0, last = 0;
  std::size_t anchor = 0;  ///< the row with most latency
};

std::vector<Function> functions_of(const CodeTable& code) {
  std::vector<Function> out;
  for (std::size_t at = 0; at < code.rows.size(); ++at) {
    if (out.empty() || code.rows[at].label) out.push_back({at, at, at});
    Function& here = out.back();
    here.last = at + 1;
    if (code.rows[at].latency > code.rows[here.anchor].latency) here.anchor = at;
  }
  return out;
}

Cost cost_of_csv(const Instruction& row) {
  return {.hits = row.hit, .latency = row.latency, .stall = row.stall, .idle = row.idle};
}

class RowNumbers {
 public:
  RowNumbers(CodeTable& code, const std::vector<Cost>& by_line)
      : code_(code), by_line_(by_line), taken_(by_line.size()) {}

  std::string number() {
    std::vector<Function> quiet;
    for (const Function& function : functions_of(code_)) {
      if (code_.rows[function.anchor].hit == 0) {
        quiet.push_back(function);
        continue;
      }
      const auto begin = place_of(function);
      if (!begin)
        return fmt::format("no numbers, or several, fit the costs of {}", name_of(function));
      place(function, *begin);
    }
    for (std::size_t line = 0; line < by_line_.size(); ++line) {
      if (by_line_[line].hits > 0 && !taken_[line])
        return fmt::format("no row fits line {} of the wave files", line);
    }
    // Functions that never ran need numbers that no wave names.
    std::int64_t next =
        static_cast<std::int64_t>(by_line_.size()) + static_cast<std::int64_t>(code_.rows.size());
    for (const Function& function : quiet) {
      for (std::size_t at = function.first; at < function.last; ++at)
        lines_.emplace_back(at, next++);
    }
    for (const auto& [at, line] : lines_) code_.rows[at].line = line;
    code_.index();
    return "";
  }

 private:
  [[nodiscard]] Cost at_line(std::int64_t line) const {
    return line >= 0 && static_cast<std::size_t>(line) < by_line_.size()
               ? by_line_[static_cast<std::size_t>(line)]
               : Cost();
  }

  /// The number of its first row; nothing when none or more than one fits.
  [[nodiscard]] std::optional<std::int64_t> place_of(const Function& function) {
    const Cost wanted = cost_of_csv(code_.rows[function.anchor]);
    std::optional<std::int64_t> found;
    for (std::size_t line = 0; line < by_line_.size(); ++line) {
      if (tries_ == 0) return std::nullopt;
      --tries_;
      if (taken_[line] || !(by_line_[line] == wanted)) continue;
      const std::int64_t begin = static_cast<std::int64_t>(line) -
                                 static_cast<std::int64_t>(function.anchor - function.first);
      if (!fits(function, begin)) continue;
      if (found) return std::nullopt;
      found = begin;
    }
    return found;
  }

  [[nodiscard]] bool fits(const Function& function, std::int64_t begin) {
    for (std::size_t at = function.first; at < function.last; ++at) {
      if (tries_ == 0) return false;
      --tries_;
      if (!(at_line(begin + static_cast<std::int64_t>(at - function.first)) ==
            cost_of_csv(code_.rows[at])))
        return false;
    }
    return true;
  }

  void place(const Function& function, std::int64_t begin) {
    for (std::size_t at = function.first; at < function.last; ++at) {
      const std::int64_t line = begin + static_cast<std::int64_t>(at - function.first);
      if (line >= 0 && static_cast<std::size_t>(line) < taken_.size())
        taken_[static_cast<std::size_t>(line)] = true;
      lines_.emplace_back(at, line);
    }
  }

  [[nodiscard]] std::string name_of(const Function& function) const {
    const std::string name = code_.function_of(static_cast<std::uint32_t>(function.first));
    return name.empty() ? "the listing" : name;
  }

  CodeTable& code_;
  const std::vector<Cost>& by_line_;
  std::uint64_t tries_ = std::uint64_t{1}
                         << 27;  ///< comparisons; a damaged trace must not take minutes
  std::vector<bool> taken_;
  std::vector<std::pair<std::size_t, std::int64_t>> lines_;  ///< row and its number
};

}  // namespace

std::string number_rows(CodeTable& code, const std::vector<Cost>& by_line) {
  return RowNumbers(code, by_line).number();
}

std::string join_waves_to_csv(ThreadTrace& trace) {
  LineCosts costs;
  WaveBuffers buffers;
  for (const WaveFile& wave : trace.manifest.waves) {
    if (interrupt::pending()) return "interrupted";
    const auto reading = read_wave(trace.path_of(wave), costs, buffers);
    if (!reading) return reading.error().message;
    costs.commit();
  }
  return number_rows(trace.code, costs.by_line());
}

}  // namespace rpl::att
