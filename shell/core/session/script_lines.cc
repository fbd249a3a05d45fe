// SPDX-License-Identifier: MIT
#include "shell/core/session/script_lines.h"

#include <fmt/format.h>

#include "engine/base/interrupt.h"
#include "shell/core/command/registry.h"
#include "shell/core/session/face.h"

namespace rpl {
namespace {

std::string_view first_word(std::string_view line) {
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos) return {};
  line.remove_prefix(start);
  return line.substr(0, line.find_first_of(" \t\r"));
}

bool opens_body(const Registry& registry, std::string_view line) {
  const std::string_view word = first_word(line);
  if (word.empty() || word[0] == '#') return false;
  // A definition that gives its lines by option has no body.
  if (line.find(" --line") != std::string_view::npos) return false;
  const std::vector<std::string> words{std::string(word)};
  const auto resolved = registry.resolve(words);
  return resolved &&
         (resolved->command->path == "define" || resolved->command->path == "document" ||
          resolved->command->path == "commands");
}

/// Puts the reader of lines back, whatever happens.
class ReadFrom {
 public:
  ReadFrom(Face& face, const std::vector<std::string>& lines, std::size_t& next)
      : face_(face),
        before_(face.read_from([&lines, &next](std::string_view) -> std::optional<std::string> {
          if (next >= lines.size()) return std::nullopt;
          return lines[next++];
        })) {}
  ~ReadFrom() { face_.read_from(std::move(before_)); }
  ReadFrom(const ReadFrom&) = delete;
  ReadFrom& operator=(const ReadFrom&) = delete;

 private:
  Face& face_;
  Face::LineSource before_;
};

}  // namespace

int run_lines(Face& face, const std::vector<std::string>& lines) {
  return run_numbered_lines(face, lines).status;
}

LinesRun run_numbered_lines(Face& face, const std::vector<std::string>& lines) {
  std::size_t next = 0;
  const ReadFrom from(face, lines, next);
  int status = 0;
  while (next < lines.size() && status == 0 && !face.leaving()) {
    // A line that fails must not end the program while `lines` is being read: the index moves first.
    const std::string& line = lines[next++];
    if (first_word(line).empty()) continue;
    status = face.run_line(line);
    if (status == 0 && interrupt::pending()) status = exit_status(Errc::interrupted);
  }
  return {status, next};
}

Result<std::vector<std::string>> read_body(Face& face, const Registry& registry,
                                           std::string_view what) {
  std::vector<std::string> body;
  std::size_t depth = 1;
  while (std::optional<std::string> line = face.read_line(">")) {
    if (interrupt::pending()) return fail(Errc::interrupted, "interrupted");
    if (first_word(*line) == "end" && --depth == 0) return body;
    if (opens_body(registry, *line)) ++depth;
    body.push_back(std::move(*line));
  }
  return fail(Errc::usage, fmt::format("{} has no 'end'", what),
              "the lines up to 'end' are its body; --line TEXT gives them on the same line");
}

}  // namespace rpl
