// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "shell/core/command/line.h"
#include "shell/core/command/nearest.h"
#include "shell/core/command/other_tools.h"
#include "shell/core/command/standing_arguments.h"

namespace rpl {
namespace {

/// Options that every command takes: how the result is written and what is opened first.
const std::vector<Param>& common_params() {
  static const std::vector<Param> params = [] {
    std::vector<Param> all;
    const auto add = [&](std::string_view name, ParamKind kind, ParamType type) {
      Param param;
      param.name = std::string(name);
      param.kind = kind;
      param.type = type;
      all.push_back(std::move(param));
    };
    for (const char* name : {"json", "jsonl", "csv", "csv-raw", "md"}) {
      add(name, ParamKind::flag, ParamType::boolean);
    }
    add("limit", ParamKind::option, ParamType::integer);
    for (const std::string_view name : kOpeners) add(name, ParamKind::option, ParamType::string);
    return all;
  }();
  return params;
}

class Parser {
 public:
  Parser(std::span<const Word> words, const ParseHooks& hooks, std::string_view line,
         Invocation& out)
      : words_(words), hooks_(hooks), line_(line), out_(out) {}

  Status run(std::size_t at) {
    for (const Param& param : out_.command->params) {
      if (param.kind == ParamKind::positional) positionals_.push_back(&param);
    }
    for (; at < words_.size(); ++at) {
      const Word& word = words_[at];
      if (!word.quoted && word.text == "--" && !no_options_) {
        if (rest_param()) return take_rest(at + 1);
        no_options_ = true;
      } else if (!word.quoted && !no_options_ && is_option(word.text)) {
        TRY(take_option(word.text, at));
      } else if (const Param* param = no_options_ || word.quoted ? nullptr : by_letter(word.text)) {
        TRY(take_option("--" + param->name, at));
      } else if (is_suffix_behind(word)) {
        take_suffix(word.text, out_.form);
      } else if (begins_phrase(word)) {
        TRY(take_positional(TRY(phrase(at))));
      } else {
        TRY(take_positional(TRY(expanded(word))));
      }
    }
    return check_required();
  }

 private:
  static bool is_option(std::string_view text) { return text.starts_with("--") && text.size() > 2; }

  const Param* by_letter(std::string_view text) const {
    if (text.size() != 2 || text[0] != '-') return nullptr;
    const auto found = std::ranges::find(out_.command->params, text[1], &Param::letter);
    return found == out_.command->params.end() ? nullptr : &*found;
  }

  Result<std::string> expanded(const Word& word) {
    if (word.quoted || !word.text.starts_with('$') || !hooks_.variable) return word.text;
    return hooks_.variable(word.text);
  }

  /// `/3` behind the arguments, where it can be no path.
  bool is_suffix_behind(const Word& word) const {
    Form ignored;
    return !word.quoted && !no_options_ && take_suffix(word.text, ignored) && !opens(word.text);
  }

  bool opens(std::string_view text) const { return hooks_.opens && hooks_.opens(text); }

  /// "x/y", "x.db"; not "1.5", not "/pattern/".
  static bool looks_like_path(std::string_view text) {
    if (text.size() > 1 && text.front() == '/' && text.back() == '/') return false;
    const std::size_t dot = text.rfind('.');
    return text.find('/') != std::string_view::npos ||
           (dot != std::string_view::npos && dot + 1 < text.size() &&
            std::isalpha(static_cast<unsigned char>(text[dot + 1])) != 0);
  }

  /// A bare word where a name is needed is that name, though a file be called the same: a program `reduce` and its kernel `reduce`. A path with a
  /// slash or a dot is meant as one.
  bool is_name(std::string_view text) const {
    if (next_ >= positionals_.size() || text.find_first_of("./") != std::string_view::npos)
      return false;
    const Param& param = *positionals_[next_];
    return param.phrase || param.bare_name ||
           (param.required &&
            (param.complete == Complete::none || param.complete == Complete::kernel ||
             param.complete == Complete::proposal));
  }

  /// A quoted word is a whole phrase already.
  bool begins_phrase(const Word& word) const {
    return next_ < positionals_.size() && positionals_[next_]->phrase && !word.quoted &&
           (is_name(word.text) || !opens(word.text));
  }

  bool ends_phrase(const Word& word) const {
    if (word.quoted) return false;
    if (!is_option(word.text)) return opens(word.text);
    const std::string_view name = std::string_view(word.text).substr(2);
    return lookup(dashed(name.substr(0, name.find('=')))) != nullptr;
  }

  /// The words from `at` on, which ends on the last one, as typed; convenience variables are replaced.
  Result<std::string> phrase(std::size_t& at) {
    std::string text;
    // What completes to variables is an expression, whose variables mean what they hold when it is evaluated.
    const bool expression = positionals_[next_]->complete == Complete::variable ||
                            positionals_[next_]->complete == Complete::place;
    for (std::size_t i = at;
         i < words_.size() && ((i == at && is_name(words_[i].text)) || !ends_phrase(words_[i]));
         at = i++) {
      const Word& word = words_[i];
      const bool variable = !word.quoted && word.text.starts_with('$') && !expression;
      if (i > at) text += ' ';
      text += variable        ? TRY(expanded(word))
              : line_.empty() ? word.text
                              : std::string(line_.substr(word.offset, word.length));
    }
    return text;
  }

  const Param* rest_param() const {
    for (const Param& param : out_.command->params) {
      if (param.kind == ParamKind::rest) return &param;
    }
    return nullptr;
  }

  Status take_rest(std::size_t at) {
    List list;
    for (; at < words_.size(); ++at) list.emplace_back(words_[at].text);
    out_.arguments[rest_param()->name] = Value(std::move(list));
    return check_required();
  }

  const Param* lookup(std::string_view name) const {
    if (const Param* own = out_.command->param(name)) {
      // What --att and --capture name is the command's own positional where it has one of that name.
      const bool opener = name != "trace" && std::ranges::find(kOpeners, name) != kOpeners.end();
      return opener && own->kind == ParamKind::positional                         ? own
             : own->kind == ParamKind::positional || own->kind == ParamKind::rest ? nullptr
                                                                                  : own;
    }
    const auto& common = common_params();
    const auto found = std::ranges::find(common, name, &Param::name);
    return found == common.end() ? nullptr : &*found;
  }

  Failure unknown_option(std::string_view name) const {
    std::vector<std::string> names;
    for (const Param& param : out_.command->params) {
      if (param.kind == ParamKind::option || param.kind == ParamKind::flag) {
        names.push_back("--" + param.name);
      }
    }
    for (const Param& param : common_params()) names.push_back("--" + param.name);
    std::string hint(instead_of_option(fmt::format("--{}", name)));
    if (hint.empty()) hint = did_you_mean(nearest(fmt::format("--{}", name), names));
    return fail(Errc::usage, fmt::format("'{}' has no option --{}", out_.command->path, name),
                hint.empty() ? fmt::format("usage: {}", out_.command->usage()) : hint);
  }

  Status take_option(std::string_view text, std::size_t& at) {
    std::string name = dashed(text.substr(2));
    std::optional<std::string> value;
    if (const std::size_t equals = text.find('='); equals != std::string_view::npos) {
      name = dashed(text.substr(2, equals - 2));
      value = std::string(text.substr(equals + 1));
    }
    const Param* param = lookup(name);
    bool negated = false;
    if (!param && name.starts_with("no-")) {
      param = lookup(name.substr(3));
      negated = param && param->kind == ParamKind::flag;
      if (!negated) param = nullptr;
    }
    if (!param) return unknown_option(name);
    if (param->kind == ParamKind::flag) {
      const Value state = value ? TRY(parse_value(*param, *value)) : Value(true);
      return store(*param, Value(*state.as<bool>() != negated));
    }
    if (!value) {
      if (at + 1 >= words_.size()) {
        return fail(Errc::usage, fmt::format("--{} needs a value", name),
                    fmt::format("usage: {}", out_.command->usage()));
      }
      value = TRY(expanded(words_[++at]));
    }
    // "a,b" of an option that takes several words of a list.
    if (!param->repeated || param->choices.empty())
      return store(*param, TRY(parse_value(*param, *value)));
    for (std::string_view rest = *value; !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      TRY(store(*param, TRY(parse_value(*param, rest.substr(0, comma)))));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return {};
  }

  Status store(const Param& param, Value value) {
    if (out_.command->param(param.name) == nullptr) return store_common(param.name, value);
    if (!param.repeated) {
      out_.arguments[param.name] = std::move(value);
      return {};
    }
    Value& slot = out_.arguments[param.name];
    if (slot.is_null()) slot = Value(List{});
    slot.as<List>()->push_back(std::move(value));
    return {};
  }

  Status store_common(std::string_view name, const Value& value) {
    StandingArguments given;
    if (TRY(take_standing(*out_.command, name, value, given))) {
      apply(given, out_);
    } else if (*value.as<bool>()) {
      out_.form.format = *format_of(name);
    }
    return {};
  }

  Status take_positional(std::string text) {
    const Param* param = next_ < positionals_.size() ? positionals_[next_] : nullptr;
    const bool wants_file = param && takes_path(param->complete);
    if (!wants_file && !is_name(text) && opens(text)) {
      out_.open.push_back(std::move(text));
      return {};
    }
    if (!param) {
      // A path was meant to be opened first, as in `info trace run.db`.
      if (hooks_.opens && looks_like_path(text)) {
        std::error_code ignored;
        const bool folder = std::filesystem::is_directory(text, ignored);
        // Whoever opens a file knows best what it is and why it is no recording.
        if (std::filesystem::is_regular_file(text, ignored)) {
          out_.open.push_back(std::move(text));
          return {};
        }
        return fail(
            Errc::not_found, fmt::format("{}: no recording, capture or code object is there", text),
            fmt::format("{}; usage: {}",
                        folder ? fmt::format("'open {}' takes files of any name in it", text)
                               : "check the path",
                        out_.command->usage()));
      }
      return fail(Errc::usage, fmt::format("'{}' does not take '{}'", out_.command->path, text),
                  fmt::format("usage: {}", out_.command->usage()));
    }
    if (!param->repeated) ++next_;
    return store(*param, TRY(parse_value(*param, text)));
  }

  Status check_required() const {
    for (const Param& param : out_.command->params) {
      if (!param.required || out_.arguments.contains(param.name)) continue;
      return fail(Errc::usage, fmt::format("'{}' needs {}", out_.command->path, param.help),
                  fmt::format("usage: {}", out_.command->usage()));
    }
    return {};
  }

  std::span<const Word> words_;
  const ParseHooks& hooks_;
  std::string_view line_;
  Invocation& out_;
  std::vector<const Param*> positionals_;
  std::size_t next_ = 0;
  bool no_options_ = false;
};

}  // namespace

namespace {

/// The command that the words before `at` and the part of that word before a slash name, when what stands behind the slash is for its
/// suffix_option: "x/8xw", "info registers/x".
const Command* with_own_suffix(const Registry& registry, std::span<const std::string> before,
                               const Word& word) {
  const std::size_t slash = word.quoted ? std::string::npos : word.text.find('/');
  if (slash == std::string::npos || slash == 0) return nullptr;
  std::vector<std::string> names(before.begin(), before.end());
  names.push_back(word.text.substr(0, slash));
  const auto resolved = registry.resolve(names);
  if (!resolved || resolved->words != names.size()) return nullptr;
  const bool own = is_own_suffix(*resolved->command, std::string_view(word.text).substr(slash + 1));
  return own ? resolved->command : nullptr;
}

/// `critpath --help` is `help critpath`; nullopt for a line that does not ask.
std::optional<Invocation> help_for(const Registry& registry, const Command& command,
                                   std::span<const Word> arguments) {
  const Command* help = registry.find("help");
  if (help == nullptr || command.raw || command.param("help") != nullptr) return std::nullopt;
  const auto end = std::ranges::find_if(
      arguments, [](const Word& word) { return !word.quoted && word.text == "--"; });
  const bool asks = std::any_of(arguments.begin(), end, [](const Word& word) {
    return !word.quoted && word.text == "--help";
  });
  if (!asks) return std::nullopt;
  Invocation out;
  out.command = help;
  List topic;
  std::string_view rest = command.path;
  for (std::size_t end_of_word = 0; !rest.empty();
       rest.remove_prefix(std::min(end_of_word + 1, rest.size()))) {
    end_of_word = std::min(rest.find(' '), rest.size());
    topic.emplace_back(std::string(rest.substr(0, end_of_word)));
  }
  out.arguments["topic"] = Value(std::move(topic));
  return out;
}

/// What is said of an argument that is wrong where nothing better is: how the command is written, where that fits into a line.
template <class T>
Result<T> with_usage(Result<T> result, const Command& command) {
  if (result) return result;
  constexpr std::size_t kLine = 100;
  const std::string usage = command.usage();
  return Failure(std::move(result).error().or_hint(usage.size() <= kLine ? "usage: " + usage
                                                                         : "help " + command.path));
}

}  // namespace

Result<Invocation> parse(const Registry& registry, std::span<const Word> words,
                         const ParseHooks& hooks, std::string_view line) {
  std::vector<std::string> names;
  std::string suffix, own;
  for (const Word& word : words) {
    if (with_own_suffix(registry, names, word) != nullptr) {
      const std::size_t slash = word.text.find('/');
      names.push_back(word.text.substr(0, slash));
      own = word.text.substr(slash + 1);
      break;
    }
    auto [name, tail] = split_suffix(word);
    names.push_back(std::move(name));
    if (!tail.empty()) {
      suffix = tail;
      break;
    }
  }
  const Resolved resolved = TRY(registry.resolve(names));
  Invocation out;
  out.command = resolved.command;
  // The suffix belongs to the command only when it stands on the last word of its name.
  std::size_t at = resolved.words;
  if (at == names.size() && !suffix.empty()) take_suffix(suffix, out.form);
  const auto take_own = [&](std::string_view text) {
    if (!is_own_suffix(*out.command, text)) return false;
    out.arguments[out.command->suffix_option] = Value(text);
    return true;
  };
  if (at == names.size()) take_own(own);
  for (; at < words.size() && !words[at].quoted && words[at].text.starts_with('/'); ++at) {
    if (!take_own(std::string_view(words[at].text).substr(1)) &&
        !take_suffix(words[at].text, out.form))
      break;
  }
  if (auto help = help_for(registry, *out.command, words.subspan(at))) return std::move(*help);
  Parser parser(words, hooks, line, out);
  TRY(with_usage(parser.run(at), *out.command));
  return out;
}

Result<bool> take_standing(const Command& command, std::string_view name, const Value& value,
                           StandingArguments& out) {
  if (command.param(dashed(name)) != nullptr) return false;
  if (std::ranges::find(kOpeners, name) != kOpeners.end()) {
    const auto* text = value.as<std::string>();
    if (text == nullptr)
      return fail(Errc::usage, fmt::format("'{}' takes an id or a path", name),
                  "the id is in the first column of 'open': t1, att1, c1");
    if (name == kOpeners.front()) {
      out.trace = *text;
    } else {
      out.others.push_back(*text);
    }
    return true;
  }
  if (name != "limit") return false;
  const auto* limit = value.as<std::int64_t>();
  if (limit == nullptr || *limit < 0)
    return fail(Errc::usage, "'limit' takes a count, 0 or more", "0 gives all rows");
  out.limit = static_cast<std::uint64_t>(*limit);
  return true;
}

void apply(const StandingArguments& given, Invocation& out) {
  if (!given.trace.empty()) out.open.push_back(given.trace);
  out.open.insert(out.open.end(), given.others.begin(), given.others.end());
  if (given.limit) out.form.limit = given.limit;
}

namespace {

Result<Arguments> checked(const Command& command, std::span<const Value> positional,
                          const Record& named) {
  Arguments out;
  std::size_t next = 0;
  for (const Param& param : command.params) {
    if (next >= positional.size()) break;
    if (param.kind != ParamKind::positional && param.kind != ParamKind::rest) continue;
    if (param.repeated) {
      List all;
      for (; next < positional.size(); ++next) {
        all.push_back(TRY(check_value(param, positional[next])));
      }
      out[param.name] = Value(std::move(all));
    } else {
      out[param.name] = TRY(check_value(param, positional[next++]));
    }
  }
  if (next < positional.size()) {
    return fail(Errc::usage, fmt::format("'{}' takes fewer values", command.path),
                fmt::format("usage: {}", command.usage()));
  }
  for (const auto& [name, value] : named) {
    const Param* param = command.param(name);
    if (!param) {
      std::vector<std::string> names;
      for (const Param& known : command.params) names.push_back(underscored(known.name));
      const std::string hint = did_you_mean(nearest(name, names));
      return fail(Errc::usage, fmt::format("'{}' has no parameter '{}'", command.path, name),
                  hint.empty() ? fmt::format("usage: {}", command.usage()) : hint);
    }
    if (!value.is_null()) out[param->name] = TRY(check_value(*param, value));
  }
  for (const Param& param : command.params) {
    if (param.required && !out.contains(param.name)) {
      return fail(Errc::usage, fmt::format("'{}' needs {}", command.path, param.help),
                  fmt::format("usage: {}", command.usage()));
    }
  }
  return out;
}

}  // namespace

Result<Arguments> check_arguments(const Command& command, std::span<const Value> positional,
                                  const Record& named) {
  return with_usage(checked(command, positional, named), command);
}

}  // namespace rpl
