// SPDX-License-Identifier: MIT
// What a person writes behind `break`, and whether an open code object has it.
#include "shell/commands/debug/point_text.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "engine/base/numbers.h"
#include "engine/isa/object/function_names.h"
#include "shell/commands/debug/expressions.h"
#include "shell/core/command/nearest.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

void add_names(KnownNames& known, const isa::CodeObject& object) {
  known.any = true;
  for (const isa::Kernel& kernel : object.kernels()) known.functions.push_back(kernel.name);
  const auto lines = object.source_lines();
  if (!lines) return;
  for (const auto& function : lines->functions()) known.functions.push_back(function.name);
  for (const std::string& file : lines->files()) {
    if (!file.empty() && !file.starts_with("/usr/") && file.find("/include/") == std::string::npos)
      known.files.push_back(file);
  }
}

}  // namespace

Result<std::vector<int>> numbers_of(const std::vector<std::string>& texts) {
  constexpr int kMost = 10'000;
  std::vector<int> out;
  for (const std::string& text : texts) {
    const std::size_t dash = text.find('-', 1);
    const auto first = whole_number<int>(text.substr(0, dash));
    const auto last = dash == std::string::npos ? first : whole_number<int>(text.substr(dash + 1));
    const bool of_a_place = text.find('.') != std::string::npos;
    if (!first || !last || *last < *first || *last - *first > kMost)
      return fail(Errc::usage, fmt::format("'{}' is no number of a breakpoint", text),
                  of_a_place
                      ? "the places of a breakpoint go together: 'disable 1', 'break *ADDRESS' "
                        "for one of them"
                      : "info breakpoints");
    for (int number = *first; number <= *last; ++number) out.push_back(number);
  }
  return out;
}

KnownNames known_names(const Debugger& debugger) {
  KnownNames known;
  for (const auto& object : debugger.workspace.objects.all()) add_names(known, *object->value);
  // A capture's code object is of no shelf.
  const debug::Session* session = debugged(debugger.state);
  if (session != nullptr) add_names(known, *session->launch().object);
  return known;
}

/// Nothing for a place that an open code object may have; else why not, with what is near.
Status check_known(const Debugger& debugger, const debug::Place& place) {
  if (place.kind == debug::Place::Kind::address || place.name.empty()) {
    const debug::Session* session = stopped(debugger.state);
    if (session == nullptr) return {};
    const auto found = session->find(place);
    return found ? Status() : Status(Failure(found.error()));
  }
  const KnownNames known = known_names(debugger);
  if (!known.any) return {};
  const bool line = place.kind == debug::Place::Kind::line;
  std::vector<std::string> names;
  for (const std::string& name : line ? known.files : known.functions) {
    const bool is_it =
        line ? file_name(name) == file_name(place.name) : isa::names_function(place.name, name);
    if (is_it && !line) return {};
    if (is_it) {
      // The file is known: in the kernel that is stopped the line must have code.
      const debug::Session* session = stopped(debugger.state);
      const auto found = session == nullptr
                             ? Result<std::vector<std::uint32_t>>(std::vector<std::uint32_t>())
                             : session->find(place);
      return found ? Status() : Status(Failure(found.error()));
    }
    names.push_back(line ? file_name(name) : isa::function_text(name));
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  if (!line && place.name == "main")
    return fail(Errc::not_found, "main is a function of the host, and kernels are debugged here",
                names.empty()
                    ? "break KERNEL"
                    : fmt::format("break {}; 'info functions' lists what there is", names.front()));
  const std::string near = did_you_mean(nearest(place.name, names));
  std::string all;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 4); ++i)
    all += (i == 0 ? "there is " : ", ") + names[i];
  if (names.size() > 4) all += fmt::format(", …: 'info {}'", line ? "sources" : "functions");
  if (line && names.empty())
    return fail(Errc::not_found, "the open code objects have no source lines",
                "'build SOURCE --device-only -g' records them, 'file OBJECT' opens another, 'set "
                "breakpoint pending on' waits for one");
  return fail(
      Errc::not_found,
      line ? fmt::format("no source file named {}", place.name)
           : fmt::format("no function '{}' in the open code objects", debug::to_string(place)),
      fmt::format("{}{}'file OBJECT' opens another, 'set breakpoint pending on' waits for one",
                  near.empty() ? all : near, names.empty() ? "" : "; "));
}

namespace {

/// GDB's explicit places, "-source k.hip -line 20 -function f", as we write them; other texts as they are.
std::string plain_place(const std::string& text) {
  if (!text.starts_with("-s") && !text.starts_with("-f") && !text.starts_with("-l") &&
      !text.starts_with("-q"))
    return text;
  std::string source, function, line, word, option;
  std::istringstream words(text);
  while (words >> word) {
    if (word.starts_with('-')) {
      option = word;
    } else if (option.starts_with("-s")) {
      source = word;
    } else if (option.starts_with("-l")) {
      line = word;
    } else if (option.starts_with("-f") || option.starts_with("-q")) {
      function += (function.empty() ? "" : " ") + word;
    }
  }
  const std::string what = line.empty() ? function : line;
  return source.empty() || what.empty() ? what : source + ":" + what;
}

}  // namespace

/// A path from where the shell is: the file whose name it ends with, where no file is known by the whole of it.
static void shorten_path(const Debugger& debugger, debug::Place& place) {
  if (place.kind != debug::Place::Kind::line || place.name.find('/') == std::string::npos) return;
  const KnownNames known = known_names(debugger);
  const auto ends = [&](const std::string& file, const std::string& name) {
    return file == name || file.ends_with("/" + name);
  };
  const std::string last = file_name(place.name);
  bool is_known = false, has_last = false;
  for (const std::string& file : known.files) {
    is_known = is_known || ends(file, place.name);
    has_last = has_last || ends(file, last);
  }
  if (!is_known && has_last) place.name = last;
}

void name_file(const Debugger& debugger, debug::Place& place) {
  shorten_path(debugger, place);
  const debug::Session* session = stopped(debugger.state);
  if (session == nullptr || place.kind != debug::Place::Kind::line || !place.name.empty()) return;
  const auto& program = session->program();
  const auto chain = session->lines().chain(program.ops[program.entry].address);
  if (!chain.empty()) place.name = std::filesystem::path(chain.back().file).filename().string();
}

PointText split_point(const std::string& text) {
  const auto trimmed = [](std::string part) {
    const std::size_t first = part.find_first_not_of(' ');
    return first == std::string::npos ? std::string()
                                      : part.substr(first, part.find_last_not_of(' ') - first + 1);
  };
  PointText out;
  const std::string padded = " " + text;
  const std::size_t condition = padded.find(" if ");
  const std::size_t bracket = padded.find(" if(");
  const std::size_t at = std::min(condition, bracket);
  out.place = plain_place(trimmed(padded.substr(0, at)));
  if (at != std::string::npos) out.condition = trimmed(padded.substr(at + 3));
  // As rocgdb's `lane 3`.
  const auto also = [&out](const std::string& holds) {
    out.condition = out.condition.empty() ? holds : fmt::format("{} && ({})", holds, out.condition);
  };
  const std::string whole = " " + out.place;
  const std::size_t lane = whole.rfind(" lane ");
  const std::string which_lane =
      lane == std::string::npos ? std::string() : trimmed(whole.substr(lane + 6));
  if (whole_number<unsigned>(which_lane)) {
    out.place = trimmed(whole.substr(0, lane));
    also("lane == " + which_lane);
  }
  // GDB's threads are waves: `thread 1`, `thread 0:1`.
  const std::string place = " " + out.place;
  const std::size_t thread = place.rfind(" thread ");
  if (thread == std::string::npos) return out;
  const std::string wave = trimmed(place.substr(thread + 8));
  out.place = trimmed(place.substr(0, thread));
  const std::size_t colon = wave.find(':');
  const std::string which = colon == std::string::npos
                                ? "wave == " + wave
                                : fmt::format("workgroup == {} && wave == {}",
                                              wave.substr(0, colon), wave.substr(colon + 1));
  also(which);
  return out;
}

Result<debug::Place> place_here(const Debugger& debugger, const std::string& text) {
  const bool relative = text.size() > 1 && (text[0] == '+' || text[0] == '-') &&
                        whole_number<std::uint32_t>(text.substr(1)).has_value();
  if (!text.empty() && !relative) {
    // *$pc, *0x1900 + 8: an expression.
    const bool computed =
        text[0] == '*' &&
        text.find_first_not_of("0123456789abcdefABCDEFxX", 1) != std::string::npos &&
        text[1] != '+';
    if (!computed) return debug::parse_place(text);
    const debug::Address address = TRY(address_of(debugger, text.substr(1)));
    return debug::Place{.kind = debug::Place::Kind::address, .address = address.offset};
  }
  const debug::Session& session = *TRY(needs_stopped(debugger.state));
  const emu::Wave& wave = *TRY(selected_wave(session));
  if (text.empty())
    return debug::Place{.kind = debug::Place::Kind::address,
                        .address = session.program().ops[wave.pc].address};
  const auto place = selected_place(debugger);
  if (!place)
    return fail(Errc::not_found, "no source line is known here",
                "break *0xADDRESS, or build with -gline-tables-only");
  const auto distance =
      static_cast<std::int64_t>(whole_number<std::uint32_t>(text.substr(1)).value_or(0));
  const std::int64_t line = place->line + (text[0] == '+' ? distance : -distance);
  if (line < 1) return fail(Errc::usage, fmt::format("there is no line {}", line), "list");
  return debug::Place{.kind = debug::Place::Kind::line,
                      .name = std::filesystem::path(place->file).filename().string(),
                      .line = static_cast<std::uint32_t>(line)};
}

std::size_t comma_in(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<' || text[i] == '(') ++depth;
    if (text[i] == '>' || text[i] == ')') --depth;
    if (text[i] == ',' && depth == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace rpl
