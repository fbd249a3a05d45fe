// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shell/core/command/command.h"

namespace rpl {

/// Where a command's words ended and what they named.
struct Resolved {
  const Command* command = nullptr;
  std::size_t words = 0;  ///< how many of the given words were the command's name
};

/// The words of a command's path, without the blanks between them.
std::vector<std::string> split_words(std::string_view text);

/// All commands. Built-in ones are added by explicit calls at start; `define` and rpl.command add more while it runs.
/// Pointers to commands stay valid as long as the registry: a command may redefine itself while it runs.
class Registry {
 public:
  /// Adds or, for a user-defined command of the same path, replaces. Fails with Errc::conflict-like `denied` when the path is
  /// a built-in command, with `usage` when the definition lacks summary or handler.
  Status add(Command command);
  /// Removes a user-defined command.
  Status remove(std::string_view path);
  /// `alias cp = critpath`: the word stands for the words of `expansion` at the start of a line.
  Status add_alias(std::string word, std::string expansion);

  /// Finds the command that the first words name, level by level: exact word, alias, GDB's abbreviation (gdb_words.h), unique prefix, the prefix
  /// of one of GDB's words. The error lists candidates or the nearest names, or says what does here what GDB's word does there.
  [[nodiscard]] Result<Resolved> resolve(std::span<const std::string> words) const;

  [[nodiscard]] const Command* find(std::string_view path) const;
  /// Commands by path, aliases not repeated.
  [[nodiscard]] const std::map<std::string, std::unique_ptr<Command>, std::less<>>& all() const {
    return commands_;
  }
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& aliases() const {
    return aliases_;
  }
  /// The path of what `words` begin and is no command yet, "info" for `i`; "" for what is a command, or nothing.
  [[nodiscard]] std::string family(std::span<const std::string> words) const;
  /// The words that may follow `words` in a command's name, for completion and for `help info`.
  [[nodiscard]] std::vector<std::string> next_words(std::span<const std::string> words) const;

 private:
  struct Node {
    std::map<std::string, std::unique_ptr<Node>, std::less<>> children;
    const Command* command = nullptr;
    std::string path;  ///< the words that lead here
  };

  /// Drops words that lead to no command any more.
  static void prune(Node& node);
  /// Whether anything below or at the node is listed.
  static bool listed(const Node& node);
  void link(const std::string& path, const Command* command);
  [[nodiscard]] Result<const Node*> step(const Node& node, std::string_view word,
                                         std::string_view before, std::string_view path) const;
  static std::vector<const Node*> gdb_first(const Node& node,
                                            std::span<const std::string> candidates,
                                            std::string_view path);
  [[nodiscard]] std::vector<std::string> expand_alias(std::span<const std::string> words,
                                                      std::size_t& shift) const;

  std::map<std::string, std::unique_ptr<Command>, std::less<>> commands_;
  std::map<std::string, std::string, std::less<>> aliases_;
  std::vector<std::unique_ptr<Command>> retired_;  ///< replaced or removed, perhaps still running
  Node root_;
};

/// Runs a command's handler and stamps its result with schema, field and column descriptions. A row whose width is not that of
/// the definition, a field that is not defined, or an exception from the handler becomes an `internal` error.
/// Every face (prompt, command line, Lua, JSON lines) comes through here.
Result<Document> dispatch(Context& context, const Command& command, const Arguments& arguments);

}  // namespace rpl
