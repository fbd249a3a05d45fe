// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "shell/core/command/command.h"

namespace rpl::testing_support {

/// Requests for `rpl --interpreter jsonl`, right and wrong, made from the definitions of all commands: their examples, those with mistakes, calls with
/// arguments of wrong types and beyond all bounds, cut lines, bytes that are no text. Equal seeds give equal requests.
class RandomRequests {
 public:
  explicit RandomRequests(std::uint64_t seed);

  /// Commands that are not asked for, or only with what they must refuse, each with the reason.
  static const std::map<std::string, std::string, std::less<>>& left_out();
  static const std::map<std::string, std::string, std::less<>>& only_refused();

  /// Makes what examples name in a folder: a recording, captures, thread traces, code objects, a source.
  static void prepare(const std::string& folder);

  /// One line without its end. Where it has an id, that is `number`.
  std::string next(std::size_t number);

  [[nodiscard]] std::size_t examples() const { return lines_.size(); }
  [[nodiscard]] std::size_t commands() const { return commands_.size(); }

 private:
  /// What is drawn from of a definition.
  struct Asked {
    std::string path;
    std::vector<Param> params;
    bool refused = false;
  };

  std::size_t draw(std::size_t below) { return static_cast<std::size_t>(random_() % below); }
  template <class T>
  const T& one(const std::vector<T>& all) {
    return all[draw(all.size())];
  }
  std::string bytes();
  std::string mutated(std::string line);
  std::string value(const Param& param);
  std::string call(std::size_t number);

  std::mt19937_64 random_;
  std::vector<std::string> lines_, names_;
  std::vector<Asked> commands_;
};

}  // namespace rpl::testing_support
