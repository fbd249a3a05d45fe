// SPDX-License-Identifier: MIT
#include "tests/golden/transcript.h"

#include <array>
#include <charconv>
#include <optional>

namespace rpl::golden {
namespace {

constexpr std::string_view kNoNewline = "\\no newline";
constexpr std::string_view kErr = "err: ";
constexpr std::string_view kStatus = "? ";

struct Prefix {
  Speaker speaker;
  std::string_view text;
};
constexpr std::array kPrefixes{
    Prefix{Speaker::command_line, "$ "},
    Prefix{Speaker::prompt, "(rpl) "},
    Prefix{Speaker::host, "! "},
};

const Prefix* speaker_of(std::string_view line) {
  for (const Prefix& prefix : kPrefixes) {
    if (line.starts_with(prefix.text)) return &prefix;
  }
  return nullptr;
}

bool is_comment(std::string_view line) { return line.starts_with('#'); }

/// Whether an output line would be taken for something else.
bool needs_escape(std::string_view line) {
  return line.starts_with('\\') || is_comment(line) || line.starts_with(kErr) ||
         line.starts_with(kStatus) || line == "err:" || speaker_of(line) != nullptr;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::optional<int> status_of(std::string_view line) {
  int status = 0;
  const std::string_view digits = line.substr(kStatus.size());
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), status);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return status;
}

void add_line(std::string& stream, std::string_view line) {
  if (line == kNoNewline) {
    if (stream.ends_with('\n')) stream.pop_back();
    return;
  }
  if (line.starts_with('\\')) line.remove_prefix(1);
  stream += line;
  stream += '\n';
}

void add_answer_line(Answer& answer, std::string_view line) {
  if (line == "err:") return add_line(answer.err, "");
  if (line.starts_with(kErr)) return add_line(answer.err, line.substr(kErr.size()));
  if (line.starts_with(kStatus)) {
    if (const auto status = status_of(line)) {
      answer.status = *status;
      return;
    }
  }
  add_line(answer.out, line);
}

class Parser {
 public:
  Transcript parse(std::string_view text) {
    for (const std::string& line : lines_of(text)) take(line);
    keep_answer();
    result_.trailing_comments = std::move(comments_);
    return std::move(result_);
  }

 private:
  void take(const std::string& line) {
    if (is_comment(line)) {
      end_answer();
      comments_.push_back(line);
    } else if (const Prefix* prefix = speaker_of(line)) {
      end_answer();
      result_.steps.push_back(
          {std::move(comments_), prefix->speaker, line.substr(prefix->text.size()), {}});
      comments_.clear();
      in_answer_ = true;
    } else if (in_answer_) {
      answer_.push_back(line);
    }
  }

  /// One empty line before what follows separates and is no output.
  void end_answer() {
    if (!answer_.empty() && answer_.back().empty()) answer_.pop_back();
    keep_answer();
  }

  void keep_answer() {
    if (!in_answer_) return;
    in_answer_ = false;
    for (const std::string& line : answer_) add_answer_line(result_.steps.back().answer, line);
    answer_.clear();
  }

  Transcript result_;
  std::vector<std::string> comments_;
  std::vector<std::string> answer_;
  bool in_answer_ = false;
};

std::string rendered_stream(std::string_view text, std::string_view prefix) {
  std::string result;
  for (const std::string& line : lines_of(text)) {
    if (!prefix.empty() && line.empty()) {
      result += "err:\n";
      continue;
    }
    const bool escape = prefix.empty() ? needs_escape(line) : line.starts_with('\\');
    result += fmt::format("{}{}{}\n", prefix, escape ? "\\" : "", line);
  }
  if (!text.empty() && !text.ends_with('\n')) result += fmt::format("{}{}\n", prefix, kNoNewline);
  return result;
}

std::string rendered(const Step& step) {
  std::string result;
  for (const std::string& comment : step.comments) result += comment + "\n";
  for (const Prefix& prefix : kPrefixes) {
    if (prefix.speaker == step.speaker) result += fmt::format("{}{}\n", prefix.text, step.command);
  }
  result += rendered_stream(step.answer.out, "");
  result += rendered_stream(step.answer.err, kErr);
  if (step.answer.status != 0) result += fmt::format("{}{}\n", kStatus, step.answer.status);
  return result;
}

/// "# KIND NAME: RECIPE"; nullopt when the comment says something else.
std::optional<Fixture> fixture_of(std::string_view comment) {
  constexpr std::array<std::pair<std::string_view, Fixture::Kind>, 6> kKinds{{
      {"# fixture ", Fixture::Kind::generated},
      {"# shared ", Fixture::Kind::shared},
      {"# example ", Fixture::Kind::example},
      {"# kept ", Fixture::Kind::kept},
      {"# file ", Fixture::Kind::text},
      {"# needs ", Fixture::Kind::program},
  }};
  for (const auto& [prefix, kind] : kKinds) {
    if (!comment.starts_with(prefix)) continue;
    comment.remove_prefix(prefix.size());
    const std::size_t colon = comment.find(':');
    if (colon == std::string_view::npos) return Fixture{kind, "", std::string(comment)};
    std::string_view recipe = comment.substr(colon + 1);
    while (recipe.starts_with(' ')) recipe.remove_prefix(1);
    return Fixture{kind, std::string(comment.substr(0, colon)), std::string(recipe)};
  }
  return std::nullopt;
}

}  // namespace

Transcript parse(std::string_view text) { return Parser().parse(text); }

std::string render(const Transcript& transcript) {
  std::string result;
  const Step* before = nullptr;
  for (const Step& step : transcript.steps) {
    if (before != nullptr) result += '\n';
    result += rendered(step);
    before = &step;
  }
  if (before != nullptr && !transcript.trailing_comments.empty()) result += '\n';
  for (const std::string& comment : transcript.trailing_comments) result += comment + "\n";
  return result;
}

Result<std::vector<Fixture>> fixtures(const Transcript& transcript) {
  std::vector<Fixture> result;
  for (const Step& step : transcript.steps) {
    for (std::string_view comment : step.comments) {
      if (comment.starts_with("#|") && !result.empty()) {
        comment.remove_prefix(comment.starts_with("#| ") ? 3 : 2);
        result.back().recipe += std::string(comment) + "\n";
      } else if (auto fixture = fixture_of(comment)) {
        if (!fixture->name.empty())
          result.push_back(std::move(*fixture));
        else
          return fail(Errc::usage, fmt::format("'{}' names no file", comment),
                      "write '# fixture NAME: ARGS'");
      }
    }
  }
  return result;
}

}  // namespace rpl::golden
