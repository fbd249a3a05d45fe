// SPDX-License-Identifier: MIT
#include "shell/core/command/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "shell/core/command/gdb_words.h"
#include "shell/core/command/nearest.h"

namespace rpl {
std::vector<std::string> split_words(std::string_view text) {
  constexpr std::string_view kBlank = " \t\n\v\f\r";
  std::vector<std::string> words;
  for (std::size_t begin = text.find_first_not_of(kBlank); begin != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlank, begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kBlank, end);
  }
  return words;
}

Status Registry::add(Command command) {
  if (command.summary.empty() || !command.run) {
    return fail(Errc::usage,
                fmt::format("command '{}' needs a summary and a function to run", command.path));
  }
  const auto existing = commands_.find(command.path);
  if (existing != commands_.end() && !existing->second->is_user_defined) {
    return fail(Errc::denied, fmt::format("'{}' is a built-in command", command.path),
                "choose another name");
  }
  const std::string path = command.path;
  auto& slot = commands_[path];
  if (slot) retired_.push_back(std::move(slot));
  slot = std::make_unique<Command>(std::move(command));
  link(path, slot.get());
  for (const Label& alias : slot->aliases) link(alias, slot.get());
  return {};
}

Status Registry::remove(std::string_view path) {
  const auto found = commands_.find(path);
  if (found == commands_.end() || !found->second->is_user_defined) {
    return fail(Errc::not_found, fmt::format("no user-defined command '{}'", path),
                "list them with 'help user'");
  }
  link(found->first, nullptr);
  for (const Label& alias : found->second->aliases) link(alias, nullptr);
  retired_.push_back(std::move(found->second));
  commands_.erase(found);
  return {};
}

Status Registry::add_alias(std::string word, std::string expansion) {
  const std::vector<std::string> words = split_words(expansion);
  TRY(resolve(words));
  if (commands_.contains(word)) {
    return fail(Errc::denied, fmt::format("'{}' is a command", word), "choose another word");
  }
  aliases_[std::move(word)] = std::move(expansion);
  return {};
}

void Registry::link(const std::string& path, const Command* command) {
  Node* node = &root_;
  for (const std::string& word : split_words(path)) {
    auto& child = node->children[word];
    if (!child) {
      child = std::make_unique<Node>();
      child->path = node->path + (node->path.empty() ? "" : " ") + word;
    }
    node = child.get();
  }
  node->command = command;
  if (!command) prune(root_);
}

void Registry::prune(Node& node) {
  for (auto& [word, child] : node.children) prune(*child);
  std::erase_if(node.children, [](const auto& entry) {
    return !entry.second->command && entry.second->children.empty();
  });
}

const Command* Registry::find(std::string_view path) const {
  const Node* node = &root_;
  for (const std::string& word : split_words(path)) {
    const auto child = node->children.find(word);
    if (child == node->children.end()) return nullptr;
    node = child->second.get();
  }
  return node->command;
}

/// Of the words that begin as typed, those that GDB has: they go first, as they have for twenty years.
std::vector<const Registry::Node*> Registry::gdb_first(const Node& node,
                                                       std::span<const std::string> candidates,
                                                       std::string_view path) {
  std::vector<const Node*> targets;
  for (const std::string& name : candidates) {
    if (!is_gdb_word(path.empty() ? name : fmt::format("{} {}", path, name))) continue;
    const Node* target = node.children.find(name)->second.get();
    if (std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
  }
  return targets;
}

Result<const Registry::Node*> Registry::step(const Node& node, std::string_view word,
                                             std::string_view before, std::string_view path) const {
  if (const auto exact = node.children.find(word); exact != node.children.end()) {
    return exact->second.get();
  }
  if (const GdbWord* known = gdb_word(path, word)) {
    const auto meant = node.children.find(last_word(known->path));
    if (meant != node.children.end()) return meant->second.get();
    // Its abbreviations stand back behind what is here.
    auto answer = last_word(known->path) == word ? gdb_answer(*known) : std::nullopt;
    if (answer) return Failure(std::move(*answer));
  }
  std::vector<std::string> candidates, all;
  const Node* match = nullptr;
  std::vector<const Node*> targets;
  for (const auto& [name, child] : node.children) {
    all.push_back(name);
    if (!name.starts_with(word)) continue;
    candidates.push_back(name);
    match = child.get();
    if (std::ranges::find(targets, match) == targets.end()) targets.push_back(match);
  }
  if (targets.size() == 1) return match;
  if (const auto first = gdb_first(node, candidates, path); first.size() == 1) return first[0];
  // Of a word and its plural the list is meant: i ker is info kernels.
  if (candidates.size() == 2 && candidates[1] == candidates[0] + "s" && word.size() > 1)
    return node.children.find(candidates[1])->second.get();
  const std::string full = before.empty() ? std::string(word) : fmt::format("{} {}", before, word);
  if (!candidates.empty()) {
    return fail(Errc::ambiguous,
                fmt::format("ambiguous command '{}': {}", full, fmt::join(candidates, ", ")),
                "type a few more letters");
  }
  const GdbWord* known = gdb_word(path, word);
  if (known == nullptr) known = gdb_word_beginning(path, word);
  if (known != nullptr) {
    if (auto answer = gdb_answer(*known)) return Failure(std::move(*answer));
  }
  const std::string hint = did_you_mean(nearest(word, all));
  const std::string list = before.empty() ? "'help' lists the commands"
                                          : fmt::format("'help {}' lists what may follow", before);
  return fail(Errc::usage, fmt::format("unknown command '{}'", full), hint.empty() ? list : hint);
}

std::vector<std::string> Registry::expand_alias(std::span<const std::string> words,
                                                std::size_t& shift) const {
  std::vector<std::string> expanded(words.begin(), words.end());
  shift = 0;
  if (words.empty()) return expanded;
  const auto alias = aliases_.find(words[0]);
  if (alias == aliases_.end()) return expanded;
  expanded = split_words(alias->second);
  shift = expanded.size() - 1;
  expanded.insert(expanded.end(), words.begin() + 1, words.end());
  return expanded;
}

std::string Registry::family(std::span<const std::string> words) const {
  const Node* node = &root_;
  for (const std::string& word : words) {
    const auto next = step(*node, word, node->path, node->path);
    if (!next) return {};
    node = *next;
  }
  return node->command == nullptr ? node->path : std::string();
}

Result<Resolved> Registry::resolve(std::span<const std::string> given) const {
  std::size_t shift = 0;
  const std::vector<std::string> words = expand_alias(given, shift);
  const Node* node = &root_;
  std::string before;
  std::size_t used = 0;
  while (used < words.size() && !node->children.empty()) {
    // Behind a complete command a word is an argument unless it is exactly a further word of a name.
    if (node->command && !node->children.contains(words[used])) break;
    auto next = step(*node, words[used], before, node->path);
    if (!next) return std::move(next).failure();
    before += (before.empty() ? "" : " ") + words[used];
    node = *next;
    ++used;
  }
  // `target remote`: a command of ours, and of GDB's another one behind it.
  if (node->command && used < words.size()) {
    const GdbWord* known = gdb_word(node->path, words[used]);
    // `show print demangle`: a setting of ours among GDB's.
    const GdbWord* further = known == nullptr || used + 1 == words.size()
                                 ? nullptr
                                 : gdb_word(known->path, words[used + 1]);
    if (further != nullptr && further->why.empty()) known = further;
    auto answer = known == nullptr ? std::nullopt : gdb_answer(*known);
    if (answer) return Failure(std::move(*answer));
  }
  if (!node->command) {
    std::vector<std::string> children;
    for (const auto& [name, child] : node->children) children.push_back(name);
    return fail(Errc::usage,
                fmt::format("'{}' needs one more word: {}", node->path, fmt::join(children, ", ")),
                fmt::format("'help {}' explains them", node->path));
  }
  // An alias may bring arguments, too: they are no words of the line.
  return Resolved{node->command, used > shift ? used - shift : 1};
}

bool Registry::listed(const Node& node) {
  if (node.command && !node.command->hidden) return true;
  return std::ranges::any_of(node.children,
                             [](const auto& child) { return listed(*child.second); });
}

std::vector<std::string> Registry::next_words(std::span<const std::string> given) const {
  std::size_t shift = 0;
  const std::vector<std::string> words = expand_alias(given, shift);
  const Node* node = &root_;
  std::string before;
  for (const std::string& word : words) {
    const auto next = step(*node, word, before, node->path);
    if (!next) return {};
    node = *next;
  }
  std::vector<std::string> children;
  for (const auto& [name, child] : node->children) {
    if (listed(*child)) children.push_back(name);
  }
  return children;
}

void add(Registry& registry, Command command) {
  const Status status = registry.add(std::move(command));
  if (!status) throw std::logic_error(status.error().message);
}

}  // namespace rpl
