// SPDX-License-Identifier: MIT
#include "shell/repl/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>

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
    if (TRY(take_global(word))) return {};
    if (options_.one_shot || options_.args) {
      options_.words.push_back(word);
      return {};
    }
    if (TRY(take_flag(word))) return {};
    if (word.starts_with('-') && word.size() > 1) {
      return fail(Errc::usage, fmt::format("unknown option {}", word), "'rpl --help' lists them");
    }
    options_.one_shot = options_.words.empty() && options_.actions.empty() && is_command_(word);
    options_.words.push_back(word);
    return {};
  }

  /// Options that may stand anywhere, also behind a command.
  Result<bool> take_global(const std::string& word) {
    if (word == "--no-color") {
      options_.no_color = true;
    } else if (word == "--session") {
      options_.session = TRY(value(word));
    } else if (word == "--width") {
      const std::string text = TRY(value(word));
      const auto [end, error] =
          std::from_chars(text.data(), text.data() + text.size(), options_.width);
      if (error != std::errc() || *end != 0)
        return fail(Errc::usage, "--width takes a whole number");
    } else {
      return false;
    }
    return true;
  }

  Result<bool> take_flag(const std::string& word) {
    static const std::map<std::string_view, bool Options::*> flags{
        {"-batch", &Options::batch}, {"--batch", &Options::batch}, {"-q", &Options::quiet},
        {"-quiet", &Options::quiet}, {"--quiet", &Options::quiet}, {"-nx", &Options::no_init},
        {"--nx", &Options::no_init}, {"--args", &Options::args},   {"--version", &Options::version},
        {"--help", &Options::help},  {"-h", &Options::help}};
    static const std::map<std::string_view, Format> formats{{"--json", Format::json},
                                                            {"--jsonl", Format::jsonl},
                                                            {"--csv", Format::csv},
                                                            {"--md", Format::markdown}};
    if (const auto flag = flags.find(word); flag != flags.end()) {
      options_.*(flag->second) = true;
    } else if (const auto format = formats.find(word); format != formats.end()) {
      options_.format = format->second;
    } else if (word == "-ex" || word == "--ex") {
      options_.actions.push_back({ false, TRY(value(word)) });
    } else if (word == "-x" || word == "--x") {
      options_.actions.push_back({ true, TRY(value(word)) });
    } else if (word == "--target") {
      options_.target = TRY(value(word));
    } else if (word == "--interpreter") {
      options_.interpreter = TRY(value(word));
      static constexpr std::array<std::string_view, 3> kInterpreters{"console", "jsonl", "mcp"};
      if (std::ranges::find(kInterpreters, options_.interpreter) == kInterpreters.end()) {
        return fail(Errc::usage, fmt::format("no interpreter '{}'", options_.interpreter), fmt::format("--interpreter {}", fmt::join(kInterpreters, "|")));
      }
    } else if (word == "--emit-lua-stubs") {
      options_.stubs = TRY(value(word));
    } else {
      return false;
    }
    return true;
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

Result<Options> parse_options(std::span<const std::string> arguments,
                              const std::function<bool(std::string_view)>& is_command) {
  return Reader(arguments, is_command).read();
}

std::string_view usage_text() {
  return R"(rpl: capture, analyze, and explain what an AMD GPU did

  rpl [options] [TRACE ...] [-- SCRIPT ARGS]   the shell, with these recordings opened
  rpl COMMAND ARGS [--json]                    any command, once

  -ex COMMAND         run a command (may be repeated; order with -x is kept)
  -x FILE             run a file of commands (.rpl) or a script (.lua)
  -batch              no prompt; stop at the first error
  -q                  no greeting
  -nx                 read no init files
  --json --jsonl --csv --md   the form of every result
  --session DIR       keep the session there instead of .rpl
  --no-color --width N
  --interpreter jsonl    a JSON request a line on stdin, typed replies on stdout (docs/interpreters.md)
  --interpreter mcp      the commands as tools of the Model Context Protocol, for agents
  --emit-lua-stubs DIR   write annotations for editors
  --version --help

exit status: 0 ok, 1 error, 2 usage, 3 gate failed, 4 undecided, 5 verification failed,
             6 capability missing, 124 time-out, 130 interrupted

'rpl help' lists the commands.
)";
}

}  // namespace rpl
