// SPDX-License-Identifier: MIT
#include "shell/prompt/argument_completion.h"

#include <algorithm>
#include <span>

#include "shell/core/command/registry.h"
#include "shell/core/command/settings.h"
#include "shell/core/run/completion.h"
#include "shell/core/run/options.h"
#include "shell/core/session/context.h"

namespace rpl {
namespace {

/// Text that split_typed takes for one word, or the beginning of one.
std::string escaped(std::string_view word) {
  std::string out;
  for (const char c : word) {
    if (c == ' ' || c == '\t' || c == '\'' || c == '"' || c == '\\' || c == '|' || c == '#')
      out += '\\';
    out += c;
  }
  return out;
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

/// What `words` and `word` behind them name, or the option `word` of the command that they name.
std::string description_of(const Context& context, std::vector<std::string> words,
                           const std::string& word) {
  if (const auto resolved = context.registry().resolve(words); word.starts_with("--") && resolved) {
    const Param* param = resolved->command->param(std::string_view(word).substr(2));
    if (param != nullptr) return first_line(param->help);
  }
  if (word.starts_with('-')) {
    const ProgramOption* option = program_option(word);
    return option == nullptr ? "" : std::string(option->help);
  }
  if (!words.empty() && (words[0] == "set" || words[0] == "show")) {
    std::string name;
    for (std::size_t i = 1; i < words.size(); ++i) name += words[i] + " ";
    const auto setting = context.settings().all().find(name + word);
    if (setting != context.settings().all().end()) return first_line(setting->second.param.help);
  }
  words.push_back(word);
  const auto named = context.registry().resolve(words);
  return named && named->words == words.size() ? first_line(named->command->summary) : "";
}

class Words {
 public:
  Words(Context& context, std::string_view line,
        const std::function<bool(std::string_view)>& is_command)
      : context_(context), typed_(split_typed(line, 0)), is_command_(is_command) {}

  std::vector<WordChoice> take() {
    walk();
    std::erase_if(out_,
                  [this](const WordChoice& one) { return !one.word.starts_with(typed_.current); });
    std::ranges::sort(out_);
    const auto twice = std::ranges::unique(out_, {}, &WordChoice::word);
    out_.erase(twice.begin(), twice.end());
    return std::move(out_);
  }

 private:
  /// The first of the words is the program. Each word before the cursor is an option, an option's value, or what ends the program's own words.
  void walk() {
    bool opens = false;
    for (std::size_t at = 1; at < typed_.words.size(); ++at) {
      const std::string& word = typed_.words[at];
      if (word == "--") return files();
      const ProgramOption* option = program_option(word);
      if (option != nullptr && option->name == "--args") return files();
      if (option != nullptr && !option->value.empty()) {
        if (++at == typed_.words.size()) return value_of(*option);
      } else if (option == nullptr && !word.starts_with('-')) {
        if (!opens && is_command_(word)) return command_line(at);
        opens = true;
      }
    }
    if (typed_.current.starts_with('-')) return options(false);
    if (!opens) first_words();
    files();
  }

  void options(bool anywhere_only) {
    for (const ProgramOption& option : program_options()) {
      if (!option.hidden && (option.anywhere || !anywhere_only))
        out_.push_back({std::string(option.name), std::string(option.help)});
    }
  }

  void files() {
    for (std::string& path : complete_path(typed_.current)) out_.push_back({std::move(path), {}});
  }

  void first_words() {
    for (std::string& word :
         complete(context_, escaped(typed_.current), escaped(typed_.current).size()).candidates) {
      std::string said = description_of(context_, {}, word);
      out_.push_back({std::move(word), std::move(said)});
    }
  }

  void value_of(const ProgramOption& option) {
    using Takes = ProgramOption::Takes;
    for (const std::string_view choice : option.choices) out_.push_back({std::string(choice), {}});
    if (option.takes == Takes::script || option.takes == Takes::folder) files();
    if (option.takes == Takes::folder)
      std::erase_if(out_, [](const WordChoice& one) { return !one.word.ends_with('/'); });
    if (option.takes == Takes::command) phrase();
  }

  /// A whole line of rpl in one word.
  void phrase() {
    const std::string& line = typed_.current;
    const Completions found = complete(context_, line, line.size());
    const std::vector<std::string> before = split_typed(line, 0).words;
    for (const std::string& word : found.candidates)
      out_.push_back({line.substr(0, found.start) + word, description_of(context_, before, word)});
  }

  /// The words from `at` on are a line of rpl, each a word of its own.
  void command_line(std::size_t at) {
    std::vector<std::string> before(typed_.words.begin() + static_cast<std::ptrdiff_t>(at),
                                    typed_.words.end());
    if (std::ranges::find(before, "--") != before.end()) return files();
    // Options of the program that may stand here are none of the command's.
    for (auto word = before.begin(); word != before.end();) {
      const ProgramOption* option = program_option(*word);
      if (option == nullptr || !option->anywhere) {
        ++word;
        continue;
      }
      const std::ptrdiff_t taken = option->value.empty() ? 1 : 2;
      if (before.end() - word < taken) return value_of(*option);
      word = before.erase(word, word + taken);
    }
    std::string line;
    for (const std::string& word : before) line += escaped(word) + " ";
    line += escaped(typed_.current);
    for (std::string& word : complete(context_, line, line.size()).candidates) {
      std::string said = description_of(context_, before, word);
      out_.push_back({std::move(word), std::move(said)});
    }
    if (typed_.current.starts_with('-')) options(true);
  }

  Context& context_;
  Typed typed_;
  const std::function<bool(std::string_view)>& is_command_;
  std::vector<WordChoice> out_;
};

}  // namespace

std::vector<WordChoice> complete_arguments(
    Context& context, std::string_view line,
    const std::function<bool(std::string_view)>& is_command) {
  return Words(context, line, is_command).take();
}

std::string completion_script(std::string_view shell) {
  if (shell == "bash") {
    return R"SCRIPT(# bash completion for rpl, rocm-perf and rocm-perf-lab; made by `rpl --emit-completion bash`.
# Put it where bash-completion looks (…/share/bash-completion/completions/rpl), or: source <(rpl --emit-completion bash)
_rpl() {
  local line=${COMP_LINE:0:COMP_POINT} current=${COMP_WORDS[COMP_CWORD]} word cut=''
  # Unquoted, bash breaks words at = : and @ too, and wants only what is behind the break.
  if [[ $current != [\'\"]* ]]; then
    [[ $COMP_WORDBREAKS == *"$current"* ]] && current=''
    cut=${line##* }
    cut=${cut%"$current"}
  fi
  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    if [[ $current == [\'\"]* ]]; then
      COMPREPLY+=("$word")
    else
      printf -v word %q "$word"
      COMPREPLY+=("${word#"$cut"}")
    fi
    [[ $word == */ ]] && compopt -o nospace
  done < <("${1/#\~/$HOME}" --complete "$line" 2>/dev/null)
}
complete -F _rpl -o default rpl rocm-perf rocm-perf-lab
)SCRIPT";
  }
  if (shell == "zsh") {
    return R"SCRIPT(#compdef rpl rocm-perf rocm-perf-lab
# zsh completion for rpl, rocm-perf and rocm-perf-lab; made by `rpl --emit-completion zsh`. Put it as _rpl into a folder of $fpath.
_rpl() {
  local -a words_only described folders
  local reply word said
  for reply in "${(@f)$(${(Q)words[1]} --complete "${(j: :)words[1,CURRENT-1]} $QIPREFIX$PREFIX" 2>/dev/null)}"; do
    word=${reply%%$'\t'*} said=${reply#*$'\t'}
    if [[ -z $word ]]; then
      continue
    elif [[ $word == */ ]]; then
      folders+=("$word")
    elif [[ -z $said || $said == "$reply" ]]; then
      words_only+=("$word")
    else
      described+=("${word//:/\\:}:$said")
    fi
  done
  (( $#described )) && _describe -t words 'rpl' described
  (( $#words_only )) && compadd -a words_only
  (( $#folders )) && compadd -S '' -a folders
  (( $#described + $#words_only + $#folders )) || _files
}
if [[ $funcstack[1] == _rpl ]]; then
  _rpl "$@"
else
  compdef _rpl rpl rocm-perf rocm-perf-lab
fi
)SCRIPT";
  }
  if (shell == "fish") {
    return R"SCRIPT(# fish completion for rpl, rocm-perf and rocm-perf-lab; made by `rpl --emit-completion fish`.
# Put it as rpl.fish into ~/.config/fish/completions.
function __rpl_complete
    set -l program (commandline -opc)[1]
    command $program --complete (commandline -cp | string collect) 2>/dev/null
end
for name in rpl rocm-perf rocm-perf-lab
    complete -c $name -f -a '(__rpl_complete)'
end
)SCRIPT";
  }
  return {};
}

}  // namespace rpl
