// SPDX-License-Identifier: MIT
#include "shell/prompt/prompt.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "shell/core/run/options.h"
#include "shell/core/session/version.h"
#include "shell/reference/manual.h"

namespace rpl {
namespace {

/// One code point of UTF-8 at the front of `text`, taken off.
char32_t take_code_point(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  constexpr unsigned kLeadBits[] = {0x7f, 0x1f, 0x0f, 0x07};
  constexpr unsigned kMore = 0x3f, kMoreBits = 6;
  char32_t out = lead & kLeadBits[size - 1];
  for (std::size_t i = 1; i < size && i < text.size(); ++i)
    out = out << kMoreBits | (static_cast<unsigned char>(text[i]) & kMore);
  text.remove_prefix(std::min(size, text.size()));
  return out;
}

/// Text that stands for itself: no request, no escape, dashes that can be copied.
std::string roff(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const char32_t c = take_code_point(text);
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '\n':
        out += ' ';
        break;
      case '|':
        // Many alternatives do not fit into a line.
        out += "|\\:";
        break;
      default:
        if (c < 0x80)
          out += static_cast<char>(c);
        else
          out += fmt::format("\\[u{:04X}]", static_cast<std::uint32_t>(c));
    }
  }
  return out.starts_with('.') ? "\\&" + out : out;
}

/// A tagged paragraph; the tag in bold up to the first blank, as it is typed.
std::string tagged(std::string_view tag, std::string_view text) {
  const std::size_t bold = std::min(tag.find(' '), tag.size());
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(tag.substr(0, bold)), roff(tag.substr(bold)),
                     roff(text));
}

/// Behind each heading, which takes it back: usage lines keep their blanks and are not hyphenated.
constexpr std::string_view kAsTyped = ".ad l\n.nh\n";

std::string options_section() {
  std::string out = fmt::format(".SH OPTIONS\n{}", kAsTyped);
  for (const ProgramOption& option : program_options()) {
    if (option.hidden) continue;
    std::vector<std::string_view> spellings{option.name};
    for (const std::string_view other : {option.other, option.third}) {
      if (!other.empty()) spellings.push_back(other);
    }
    const std::string value = option.value.empty() ? "" : fmt::format(" {}", option.value);
    out += tagged(fmt::format("{}{}", fmt::join(spellings, ", "), value),
                  fmt::format("{}.", option.help));
  }
  return out;
}

std::string command_paragraph(const Command& command) {
  const std::string usage = command.usage();
  // In bold: the words of the name.
  const std::size_t name =
      usage.starts_with(std::string_view(command.path)) ? std::string_view(command.path).size() : 0;
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(usage.substr(0, name)),
                     roff(usage.substr(name)), roff(command.summary));
}

}  // namespace

std::string manual_page(const Registry& registry) {
  std::string out = fmt::format(
      ".\\\" Made by `rpl --emit-man`.\n.TH RPL 1 \"{}\" \"rocm-perf-lab {}\" \"User Commands\"\n",
      version_date(), version());
  out +=
      ".SH NAME\nrpl, rocm\\-perf, rocm\\-perf\\-lab \\- capture, analyze, and explain what an AMD "
      "GPU did\n";
  out +=
      ".SH SYNOPSIS\n.B rpl\n[\\fIoptions\\fR] [\\fITRACE\\fR ...] [\\-\\- \\fISCRIPT "
      "ARGS\\fR]\n.br\n.B rpl\n\\fICOMMAND ARGS\\fR [\\fB\\-\\-json\\fR]\n"
      ".SH DESCRIPTION\n"
      "The first form is a shell in the manner of\n.BR gdb (1),\n"
      "with the named recordings opened: at its prompt, commands say what an application did on "
      "the GPU, what limits it, and what a faster kernel would change.\n"
      "The second runs one command.\nEvery command is also a function of Lua scripts.\n"
      "Without an AMD GPU, programs run on an emulated device; numbers say whether they were "
      "measured, modelled, recorded or estimated.\n";
  out += options_section();
  out +=
      ".SH COMMANDS\nA unique beginning of a word is enough.\n.B rpl help\n.I COMMAND\nexplains "
      "one, with its options, columns and examples.\n";
  for (const Class chapter : all_chapters()) {
    const auto commands = listed_commands(registry, chapter);
    if (commands.empty()) continue;
    out += fmt::format(".SS {}\n{}", roff(to_string(chapter)), kAsTyped);
    for (const Command* command : commands) out += command_paragraph(*command);
  }
  out += ".SH EXIT STATUS\n";
  for (const ExitStatus& one : exit_statuses())
    out += tagged(std::to_string(one.status), fmt::format("{}.", one.meaning));
  out += ".SH FILES\n";
  out +=
      tagged(".rpl/session.db",
             "what was opened, asked and answered in this folder; --session names another folder.");
  out += tagged("~/.config/rpl/init.rpl, ~/.config/rpl/init.lua",
                "run at the start of every shell; -nx leaves them out.");
  out +=
      ".SH SEE ALSO\n.BR gdb (1)\n.PP\nThe tour:\n.B rpl \\-ex tutorial\n.PP\nWhat works on this "
      "machine:\n.B rpl doctor\n";
  return out;
}

}  // namespace rpl
