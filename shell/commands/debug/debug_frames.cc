// SPDX-License-Identifier: MIT
// backtrace, frame, up and down of a stopped kernel: the inline chain; info frame, info source, and the selected wave as a thread.
#include <fmt/format.h>

#include <filesystem>

#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "engine/isa/object/function_names.h"
#include "shell/commands/debug/expressions.h"
#include "shell/commands/debug/point_text.h"
#include "shell/commands/debug/source_variables.h"
#include "shell/core/command/define.h"
#include "shell/core/session/face.h"

namespace rpl {
namespace {

using debug::Session;

struct InlineFrame {
  std::uint64_t number = 0;
  std::string pc, function, file;
  std::optional<std::uint32_t> line = {};
  bool inlined = false, selected = false;
  bool called = false;                   ///< what is around it called it
  std::vector<std::string> locals = {};  ///< "NAME = VALUE"
};
constexpr auto kInlineColumns = bound_to<InlineFrame>(
    column<&InlineFrame::number>("frame", "0 is where the wave stands").in(Unit::none),
    column<&InlineFrame::pc>("pc", "of the instruction that comes next").as(Type::address),
    column<&InlineFrame::function>("function", "in which the line is"),
    column<&InlineFrame::file>("file", "as the code object names it").or_null(),
    column<&InlineFrame::line>("line", "its number").in(Unit::none),
    column<&InlineFrame::inlined>("inlined", "whether the function was inlined at the next frame"),
    column<&InlineFrame::called>("called", "whether the next frame called the function"),
    column<&InlineFrame::selected>("selected", "whether list and info source are about it"),
    column<&InlineFrame::locals>("locals",
                                 "of `backtrace full`: `NAME = VALUE`, as `info locals` has them")
        .never());
struct InlineFrames {
  std::vector<InlineFrame> frames;
};
[[maybe_unused]] Columns<InlineFrame> bound(const InlineFrame*) { return kInlineColumns; }
constexpr auto kFramesField = bound_to<InlineFrames>(
    column<&InlineFrames::frames>("frames", "of a stopped kernel, innermost first"));

std::vector<InlineFrame> frames_of(const Debugging& all, const Session& session) {
  std::vector<InlineFrame> out;
  for (const StandingFrame& one : standing_frames(session)) {
    InlineFrame& frame = out.emplace_back();
    frame.number = out.size() - 1;
    frame.pc = hex(one.address);
    frame.file = one.place.file;
    if (one.place.line != 0) frame.line = one.place.line;
    frame.function = one.place.function;
    frame.inlined = one.inlined;
    frame.called = one.called;
    frame.selected = frame.number == all.frame;
  }
  if (!out.empty() && out.back().function.empty())
    out.back().function = isa::function_text(session.program().kernel);
  return out;
}

/// The kernel's own arguments, in its frame.
std::string arguments_text(const Debugger& debugger, const Session& session) {
  std::string text;
  for (const KernelParameter& parameter : parameters_of(debugger, session)) {
    const auto value = argument_datum(session, parameter);
    const std::string shown =
        !value ? "?"
        : value->type.is_pointer()
            ? fmt::format("0x{:x}", static_cast<std::uint64_t>(value->integer))
            : debug::text_of(*value).value_or("?");
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", parameter.name, shown);
  }
  return text;
}

std::string frame_text(const Debugger& debugger, const Session& session, const InlineFrame& frame) {
  const std::string where =
      frame.file.empty()
          ? ""
          : fmt::format(" at {}{}", std::filesystem::path(frame.file).filename().string(),
                        frame.line ? fmt::format(":{}", *frame.line) : "");
  const auto frames = standing_frames(session);
  const std::size_t at = frame.number;
  // As in GDB: where a function stands, and not what was inlined around that.
  const bool own = at == 0 || (at < frames.size() && frames[at].level != frames[at - 1].level);
  const std::string pc = own ? fmt::format("{} in ", frame.pc) : "";
  const bool described = is_described(debugger, session, frame.number);
  const std::string arguments = described       ? parameters_text(debugger, session, frame.number)
                                : frame.inlined ? "inlined"
                                : frame.called  ? "..."
                                                : arguments_text(debugger, session);
  return fmt::format("#{:<2} {}{} ({}){}{}\n", frame.number, pc, frame.function, arguments, where,
                     described && frame.inlined ? " (inlined)" : "");
}

Result<Document> show_frame(const Debugger& debugger, const Session& session, std::int64_t number) {
  Debugging& all = debugging(debugger);
  const auto count = static_cast<std::int64_t>(frames_of(all, session).size());
  if (number < 0)
    return fail(Errc::usage, "frame 0 is where the wave stands",
                "'up' goes to what it was inlined at, or called by");
  if (number >= count)
    return fail(Errc::not_found, fmt::format("there is no frame {}", number),
                count == 1 ? "the kernel itself is the only one: nothing is inlined or called here"
                           : fmt::format("frames go from 0 to {}", count - 1));
  all.frame = static_cast<std::size_t>(number);
  all.listed = 0;
  const InlineFrame frame = frames_of(all, session)[all.frame];
  Document out;
  out.put(kInlineColumns, frame);
  out.text = frame_text(debugger, session, frame);
  const auto& lines = source_lines_of(all, frame.file, all.path);
  if (frame.line && *frame.line <= lines.size())
    out.text += fmt::format("{:<6}{}\n", *frame.line, lines[*frame.line - 1]);
  out.provenance = Provenance::modelled;
  out.next = {"up", "down", "list"};
  return out;
}

struct FrameNumber {
  std::optional<std::int64_t> number;
};

Result<Document> info_frame(const FrameNumber& args, Debugger debugger) {
  const Session& session = *TRY(needs_stopped(debugger.state));
  TRY(selected_wave(session));
  Debugging& all = debugging(debugger);
  const auto frames = frames_of(all, session);
  const std::size_t number = args.number ? static_cast<std::size_t>(*args.number) : all.frame;
  if (args.number && number >= frames.size())
    return fail(Errc::not_found, fmt::format("there is no frame {}", *args.number),
                fmt::format("frames go from 0 to {}", frames.size() - 1));
  const InlineFrame& frame = frames[std::min(number, frames.size() - 1)];
  Document out;
  out.put(kInlineColumns, frame);
  out.text = frame_text(debugger, session, frame);
  out.text += fmt::format("pc {} <{}>\n", frame.pc,
                          code_symbol(session, standing_frames(session)[frame.number].address));
  if (frame.inlined)
    out.text += fmt::format("inlined into frame {} ({})\n", frame.number + 1,
                            frames[frame.number + 1].function);
  if (frame.called)
    out.text += fmt::format("called by frame {} ({})\n", frame.number + 1,
                            frames[frame.number + 1].function);
  out.text += fmt::format("wave {} of workgroup {}, lane {}; source language HIP\n",
                          session.selected_wave.wave, session.selected_wave.workgroup,
                          session.selected_lane);
  out.provenance = Provenance::modelled;
  return out;
}

struct SourceFacts {
  std::string file, object;
  std::optional<std::uint64_t> lines;
};
constexpr auto kSourceFields = bound_to<SourceFacts>(
    column<&SourceFacts::file>("file", "as the code object names it"),
    column<&SourceFacts::lines>("lines", "it has; null when it is not to be found"),
    column<&SourceFacts::object>("object", "the code object").as(Type::id));

Result<Document> info_source(Debugger debugger) {
  const Session& session = *TRY(needs_stopped(debugger.state));
  Debugging& all = debugging(debugger);
  const auto place = selected_place(debugger);
  if (!place)
    return fail(Errc::not_found, fmt::format("{} has no source lines", session.program().kernel),
                "build with -gline-tables-only, which leaves the code as it is");
  const auto& lines = source_lines_of(all, place->file, all.path);
  SourceFacts facts{place->file, all.of, {}};
  if (!lines.empty()) facts.lines = lines.size();
  Document out;
  out.put(kSourceFields, facts);
  out.text = fmt::format(
      "Current source file is {}\n{}\nCompiled into {} ({})\nSource language is HIP.\n", facts.file,
      lines.empty()
          ? "It is not to be found: put it into the working folder, or beside the code object."
          : fmt::format("Contains {} lines.", lines.size()),
      all.path, all.of);
  out.provenance = Provenance::recorded;
  return out;
}

struct ThreadArgs {
  std::string thread;
};

/// `frame function NAME`
Result<Document> frame_of_function(const ThreadArgs& args, Debugger debugger) {
  const Session& session = *TRY(needs_stopped(debugger.state));
  TRY(selected_wave(session));
  for (const InlineFrame& frame : frames_of(debugging(debugger), session)) {
    if (frame.function == args.thread || isa::names_function(args.thread, frame.function))
      return show_frame(debugger, session, static_cast<std::int64_t>(frame.number));
  }
  return fail(Errc::not_found, fmt::format("no frame is of a function '{}'", args.thread),
              "'backtrace' lists the frames");
}

/// A line between the results of other lines, in the order in which they come.
Status said(const Debugger& debugger, std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  if (debugger.face.run_line("echo " + text) == 0) return {};
  return fail(Errc::io, "cannot write the output");
}

/// `thread apply all CMD`: the line, for one wave after the other; which is selected stays as it was.
Result<Document> apply_to_waves(Debugger& debugger, const std::vector<debug::WaveId>& waves,
                                const std::string& line) {
  Session& session = *TRY(needs_stopped(debugger.state));
  const debug::WaveId before = session.selected_wave;
  const unsigned lane = session.selected_lane;
  Document out;
  for (const debug::WaveId& id : waves) {
    Session* now = stopped(debugger.state);
    if (now != &session || now->wave(id) == nullptr) break;
    now->select(id);
    TRY(said(debugger, fmt::format("Thread {}:{} (wave {} of workgroup {}):", id.workgroup, id.wave,
                                   id.wave, id.workgroup)));
    out.exit_code = debugger.face.run_line(line);
    if (out.exit_code != 0) break;
  }
  if (stopped(debugger.state) == &session && session.wave(before) != nullptr) {
    session.select(before);
    session.selected_lane = lane;
    mark_place(debugger);
  }
  return out;
}

std::vector<debug::WaveId> live_waves(const Session& session) {
  std::vector<debug::WaveId> out;
  for (const emu::Workgroup& group : session.schedule().active()) {
    for (const emu::Wave& wave : group.waves) {
      if (wave.state != emu::Wave::State::ended) out.push_back(debug::id_of(wave));
    }
  }
  return out;
}

Result<Document> thread_apply(const ThreadArgs& args, Debugger debugger) {
  const Session& session = *TRY(needs_stopped(debugger.state));
  std::string_view text = args.thread;
  std::vector<debug::WaveId> waves;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string word(text.substr(0, end));
    if (word == "all") {
      waves = live_waves(session);
    } else if (const auto id = wave_named(session, word)) {
      waves.push_back(*id);
    } else if (const auto range = numbers_of({word})) {
      for (const int wave : *range)
        waves.push_back({session.selected_wave.workgroup, static_cast<std::uint32_t>(wave)});
    } else if (word[0] != '-') {
      break;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (waves.empty() || text.empty())
    return fail(Errc::usage, "'thread apply' needs waves and a line",
                "thread apply all print $pc; thread apply 0 1:2 backtrace");
  return apply_to_waves(debugger, waves, std::string(text));
}

Result<Document> thread_all(const ThreadArgs& args, Debugger debugger) {
  return thread_apply({"all " + args.thread}, debugger);
}

/// Takes the first word off.
std::string_view next_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

/// "all", "2", "level 1", GDB's flags behind them, and a line.
struct FramesToApply {
  std::uint64_t first = 0, end = ~std::uint64_t{0};
  std::string line;
};
Result<FramesToApply> frames_to_apply(std::string_view text) {
  FramesToApply out;
  std::string_view word = next_word(text);
  const bool level = word == "level";
  if (level) word = next_word(text);
  const auto number = whole_number<std::uint64_t>(word);
  while (text.starts_with('-')) next_word(text);
  if ((!number && (level || word != "all")) || text.empty())
    return fail(Errc::usage,
                "'frame apply' needs 'all', a number of frames or 'level N', and a line",
                "frame apply all print $pc");
  if (number) out.end = level ? *number + 1 : *number;
  if (level) out.first = *number;
  out.line = text;
  return out;
}

Result<Document> frame_apply(const ThreadArgs& args, Debugger debugger) {
  const Session& session = *TRY(needs_stopped(debugger.state));
  Debugging& all = debugging(debugger);
  const FramesToApply wanted = TRY(frames_to_apply(args.thread));
  const std::size_t before = all.frame;
  Document out;
  for (const InlineFrame& frame : frames_of(all, session)) {
    if (frame.number < wanted.first) continue;
    if (frame.number >= wanted.end || out.exit_code != 0) break;
    all.frame = frame.number;
    TRY(said(debugger, frame_text(debugger, session, frame)));
    out.exit_code = debugger.face.run_line(wanted.line);
  }
  all.frame = before;
  return out;
}

Result<Document> all_frames(const ThreadArgs& args, Debugger debugger) {
  return frame_apply({"all " + args.thread}, debugger);
}

Command applying(Label path, Label summary, Label help, std::vector<Label> aliases, Label example) {
  return Command{.path = path,
                 .does = kReads,
                 .may = kWhatItRuns,
                 .chapter = Class::stepping,
                 .summary = summary,
                 .help = help,
                 .aliases = std::move(aliases),
                 .examples = {example}};
}

}  // namespace

std::vector<StandingFrame> standing_frames(const Session& session) {
  std::vector<StandingFrame> out;
  const emu::Wave* wave = session.selected();
  if (wave == nullptr) return out;
  const auto& ops = session.program().ops;
  // Where it stands; then the calls of the functions that it is in, from the last one.
  std::vector<std::uint32_t> places{wave->pc};
  places.insert(places.end(), wave->calls.rbegin(), wave->calls.rend());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::uint32_t op = i == 0 ? places[i] : places[i] - std::min(places[i], 1U);
    auto chain = session.lines().chain(ops[op].address);
    if (chain.empty()) chain.emplace_back();
    for (std::size_t at = 0; at < chain.size(); ++at) {
      const bool last = at + 1 == chain.size();
      out.push_back({.address = ops[places[i]].address,
                     .asked = ops[op].address,
                     .level = i,
                     .place = std::move(chain[at]),
                     .inlined = !last,
                     .called = last && i + 1 < places.size()});
    }
  }
  return out;
}

const std::vector<Column>& stopped_frame_fields() {
  static const auto fields = [] {
    auto all = described(kInlineColumns);
    for (Column& field : described(kFramesField)) all.push_back(std::move(field));
    return all;
  }();
  return fields;
}

std::optional<Result<Document>> stopped_backtrace(const Debugger& debugger, std::int64_t most,
                                                  bool full) {
  const Session* session = stopped(debugger.state);
  if (session == nullptr || session->selected() == nullptr) return std::nullopt;
  InlineFrames all{frames_of(debugging(debugger), *session)};
  Document out;
  const std::size_t wanted = static_cast<std::size_t>(std::abs(most));
  const bool fewer = most != 0 && all.frames.size() > wanted;
  const bool cut = fewer && most > 0;
  if (cut) all.frames.resize(wanted);
  // As in GDB: -1 is the outermost one.
  if (fewer && most < 0)
    all.frames.erase(all.frames.begin(), all.frames.end() - static_cast<std::ptrdiff_t>(wanted));
  for (InlineFrame& frame : all.frames) {
    out.text += frame_text(debugger, *session, frame);
    if (!full) continue;
    frame.locals = locals_of(debugger, *session, frame.number);
    for (const std::string& local : frame.locals) out.text += "        " + local + "\n";
    if (frame.locals.empty()) out.text += "        No locals.\n";
  }
  if (cut) out.text += "(More frames follow...)\n";
  out.put(kFramesField, all);
  out.provenance = Provenance::modelled;
  out.next = {"up", "frame 1", "info frame"};
  return out;
}

std::optional<Result<Document>> stopped_frame(const Debugger& debugger,
                                              std::optional<std::int64_t> number) {
  const Session* session = stopped(debugger.state);
  if (session == nullptr || session->selected() == nullptr) return std::nullopt;
  return show_frame(debugger, *session,
                    number.value_or(static_cast<std::int64_t>(debugging(debugger).frame)));
}

std::optional<Result<Document>> stopped_frame_by(const Debugger& debugger, std::int64_t steps) {
  const Session* session = stopped(debugger.state);
  if (session == nullptr || session->selected() == nullptr) return std::nullopt;
  return show_frame(debugger, *session,
                    static_cast<std::int64_t>(debugging(debugger).frame) + steps);
}

std::optional<isa::SourcePlace> selected_place(const Debugger& debugger) {
  const Session* session = stopped(debugger.state);
  const emu::Wave* wave = session == nullptr ? nullptr : session->selected();
  if (wave == nullptr) return std::nullopt;
  const auto frames = standing_frames(*session);
  const std::size_t frame = debugging(debugger).frame;
  if (frame >= frames.size() || frames[frame].place.file.empty()) return std::nullopt;
  return frames[frame].place;
}

void add_debug_frame_commands(Registry& registry) {
  add(registry,
      command(showing_stopped("info frame", "Show the selected frame of the stopped kernel.",
                              "Place, pc, what it was inlined at, wave and lane; `frame N`, "
                              "`up` and `down` select.",
                              described(kInlineColumns), {}, "function"),
              {arg("number", &FrameNumber::number, "of the frame; default: the selected one")
                   .in(at_least(0))},
              info_frame));
  Command frame_function = showing_stopped(
      "frame function", "Select the frame of a function.",
      "The innermost one whose function has that name, with template arguments and namespaces or "
      "without.",
      stopped_frame_fields(), {}, "function");
  frame_function.examples = {"frame function normalize"};
  add(registry,
      command(std::move(frame_function),
              {arg("function", &ThreadArgs::thread, "its name").required().takes_phrase()},
              frame_of_function));
  add(registry,
      command(showing_stopped("info source", "Show in which source file the stopped kernel stands.",
                              "The file of the selected frame, and whether it is to be found.",
                              described(kSourceFields), {}, "file"),
              info_source));
  const auto line = [](Label what) {
    return arg("line", &ThreadArgs::thread, what)
        .required()
        .takes_phrase()
        .completes(Complete::variable);
  };
  add(registry, command(applying("thread apply", "Run a line for each of several waves.",
                                 "`thread apply all LINE`, or numbers of waves as `wave` takes "
                                 "them in front of the line. "
                                 "Which wave is selected stays as it was.",
                                 {}, "thread apply all print $pc"),
                        {line("`all` or waves, then a line")}, thread_apply));
  add(registry, command(applying("taas", "Run a line for every wave in flight.",
                                 "The same as `thread apply all`.", {"tfaas"}, "taas print $pc"),
                        {line("a line")}, thread_all));
  add(registry, command(applying("faas", "Run a line for every frame of the stopped kernel.",
                                 "The same as `frame apply all`.", {}, "faas print $pc"),
                        {line("a line")}, all_frames));
  add(registry,
      command(
          applying("frame apply", "Run a line for each frame of the stopped kernel.",
                   "`frame apply all LINE`, or how many frames in front of the line, or `level N`.",
                   {}, "frame apply all print $pc"),
          {line("`all`, a number or `level N`, then a line")}, frame_apply));
}

}  // namespace rpl
