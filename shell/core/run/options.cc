// SPDX-License-Identifier: MIT
#include "shell/core/run/options.h"
#include "shell/core/command/gdb_words.h"
#include "shell/core/command/other_tools.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>

#include "engine/source/build/compiler.h"
#include "shell/core/session/folders.h"

namespace rpl {
namespace {

class Reader {
 public:
  Reader(std::span<const std::string> arguments,
         const std::function<bool(std::string_view)>& is_command)
      : arguments_(arguments), is_command_(is_command) {}

  Result<Options> read() {
    for (; at_ < arguments_.size(); ++at_) {
      const std::string& word = arguments_[at_];
      if (word == "--" && !options_.one_shot) {
        options_.after_dashes.assign(arguments_.begin() + static_cast<std::ptrdiff_t>(at_) + 1,
                                     arguments_.end());
        break;
      }
      if (word == "--") {
        options_.words.insert(options_.words.end(),
                              arguments_.begin() + static_cast<std::ptrdiff_t>(at_),
                              arguments_.end());
        break;
      }
      TRY(take(word));
    }
    return std::move(options_);
  }

 private:
  Status take(const std::string& word) {
    const bool belongs_to_another = options_.one_shot || options_.args;
    const ProgramOption* option = program_option(word);
    if (option != nullptr && (option->anywhere || !belongs_to_another))
      return take_option(*option, word);
    if (belongs_to_another) {
      options_.words.push_back(word);
      return {};
    }
    if (word.starts_with('-') && word.size() > 1) {
      const std::string_view other = instead_of_option(word.substr(0, word.find('=')));
      return fail(Errc::usage, fmt::format("unknown option {}", word),
                  other.empty() ? "'rpl --help' lists them" : std::string(other));
    }
    // A word of another tool is no file, either.
    std::error_code ignored;
    const GdbWord* known =
        options_.words.empty() && !is_command_(word) ? gdb_word("", word) : nullptr;
    if (known != nullptr && !known->why.empty() && !std::filesystem::exists(word, ignored))
      return fail(Errc::usage, fmt::format("unknown command '{}': {}", word, known->why),
                  std::string(known->instead));
    options_.one_shot = options_.words.empty() && options_.actions.empty() && is_command_(word);
    options_.words.push_back(word);
    return {};
  }

  Status take_option(const ProgramOption& option, const std::string& word) {
    if (option.value.empty()) return option.set(options_, {});
    std::string given = TRY(value(word));
    // Two words, as it is said.
    if (option.name == "--allow" && (given == "write" || given == "read"))
      given += " " + TRY(value("--allow " + given));
    // Where programs may run is for the setting to say.
    const bool is_closed =
        option.takes == ProgramOption::Takes::choice && option.name != "--target";
    if (is_closed && std::ranges::find(option.choices, given) == option.choices.end()) {
      std::string kind(option.value);
      std::ranges::transform(kind, kind.begin(),
                             [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      return fail(Errc::usage, fmt::format("no {} '{}'", kind, given),
                  fmt::format("{} {}", option.name, fmt::join(option.choices, "|")));
    }
    return option.set(options_, given);
  }

  Result<std::string> value(const std::string& option) {
    if (at_ + 1 >= arguments_.size()) {
      return fail(Errc::usage, fmt::format("{} needs a value", option), "'rpl --help' explains it");
    }
    return arguments_[++at_];
  }

  std::span<const std::string> arguments_;
  const std::function<bool(std::string_view)>& is_command_;
  std::size_t at_ = 0;
  Options options_;
};

}  // namespace

Policy Options::policy() const {
  Policy out{.restricted = true, .readable = readable, .writable = writable};
  out.granted.add(allowed);
  // The project, what was named at the start, and what the program itself reads of its user's.
  std::vector<std::string> places{".", config_folder() + "/arch", config_folder() + "/counters",
                                  state_folder() + "/sessions"};
  places.insert(places.end(), words.begin(), words.end());
  for (const std::string& place : places) {
    std::error_code failed;
    const auto known = std::filesystem::weakly_canonical(std::filesystem::absolute(place), failed);
    if (!failed) out.readable.push_back(known.string());
  }
  out.kept = {config_folder(), state_folder(), cache_folder()};
  out.starts_as = restricted || interpreter == "console" ? "rpl --restricted"
                                                         : "rpl --interpreter " + interpreter;
  return out;
}

Result<Options> parse_options(std::span<const std::string> arguments,
                              const std::function<bool(std::string_view)>& is_command) {
  return Reader(arguments, is_command).read();
}

}  // namespace rpl
