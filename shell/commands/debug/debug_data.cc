// SPDX-License-Identifier: MIT
// x: memory of the kernel that is stopped, or of a capture.
#include <fmt/format.h>

#include "engine/document/bound.h"
#include "shell/commands/debug/expressions.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/capture_memory.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

struct ExamineArgs {
  std::string address, format;
  bool after = false;
};

/// What is looked at: the memory of the kernel that is stopped, or of a capture.
struct Examined {
  std::function<Result<std::span<const std::byte>>(const debug::Address&, std::uint64_t bytes)>
      read;
  std::function<std::string(const debug::Address&)> symbol;
};

Examined examined_session(const debug::Session& session) {
  return {[&session](const debug::Address& address, std::uint64_t bytes) {
            return read_of(session, address, bytes);
          },
          [&session](const debug::Address& address) {
            const std::string of = debug::symbol_of(session, address);
            return of.empty() ? code_symbol(session, address.offset) : of;
          }};
}

Examined examined_capture(const Capture& capture, bool after) {
  return {[&capture, after](const debug::Address& address,
                            std::uint64_t bytes) -> Result<std::span<const std::byte>> {
            if (address.space != debug::Address::Space::global)
              return fail(
                  Errc::usage, "a capture holds memory of the device only",
                  "LDS, scratch and registers are seen while a kernel is stopped: replay C --stop");
            return read_captured(capture, address.offset, bytes, after);
          },
          [&capture](const debug::Address& address) {
            return captured_symbol(capture, address.offset);
          }};
}

/// A line of what `x` shows.
struct ExaminedLine {
  std::string address;
  std::optional<std::string> symbol;  ///< none for code
  std::vector<std::string> values;
};

constexpr auto kExaminedColumns = bound_to<ExaminedLine>(
    column<&ExaminedLine::address>("address", "of the first value"),
    column<&ExaminedLine::symbol>("symbol", "the allocation, and how far into it"),
    column<&ExaminedLine::values>("values", "as the format says"));

/// What is shown, for programs and for people.
struct Examination {
  std::vector<ExaminedLine> rows;
  std::string text;
  std::vector<std::string> notes;
  debug::Address last = {};  ///< of the last line, or the last unit of it
};

/// How many units GDB puts on a line: as many as take 16 bytes, or 8 bytes for characters and single bytes.
std::uint32_t units_on_line(const debug::ExamineFormat& format) {
  if (format.letter == 's' || format.letter == 'i') return 1;
  if (format.letter == 't') return format.bytes() >= 4 ? 1 : 4;
  return format.bytes() == 1 ? 8 : format.bytes() == 2 ? 8 : format.bytes() == 4 ? 4 : 2;
}

std::string place_text(const Examined& from, const debug::Address& address) {
  const std::string symbol = from.symbol(address);
  return symbol.empty() ? debug::to_string(address)
                        : fmt::format("{} <{}>", debug::to_string(address), symbol);
}

Status examine_units(const Debugging& all, const Examined& from, debug::Address& address,
                     Examination& out) {
  const std::uint32_t per_line = units_on_line(all.format);
  for (std::uint32_t done = 0; done < all.format.count;) {
    const std::string place = place_text(from, address);
    const debug::Address begin = address;
    std::vector<std::string> values;
    std::string line;
    out.last = begin;
    for (std::uint32_t i = 0; i < per_line && done < all.format.count; ++i, ++done) {
      const auto bytes = from.read(address, all.format.bytes());
      // What could be read is shown, as far as it goes.
      if (!bytes && (!out.rows.empty() || !values.empty())) {
        out.notes.push_back(fmt::format("{}: {}", bytes.error().message, bytes.error().hint));
        done = all.format.count;
        break;
      }
      const std::string text = debug::examined(all.format, TRY(bytes));
      out.last = address;
      line += "  " + text;
      values.push_back(text);
      address.offset += all.format.bytes();
    }
    if (values.empty()) break;
    out.rows.push_back({debug::to_string(begin), from.symbol(begin), std::move(values)});
    out.text += fmt::format("{}:{}\n", place, line);
  }
  return {};
}

Status examine_text(const Debugging& all, const Examined& from, debug::Address& address,
                    Examination& out) {
  constexpr std::size_t kLongest = 200;
  for (std::uint32_t i = 0; i < all.format.count; ++i) {
    const debug::Address begin = address;
    std::string text;
    for (; text.size() < kLongest; ++address.offset) {
      const auto byte = TRY(from.read(address, 1));
      if (byte[0] == std::byte{0}) break;
      text += static_cast<char>(byte[0]);
    }
    ++address.offset;
    out.rows.push_back({debug::to_string(begin), from.symbol(begin), {text}});
    out.text += fmt::format("{}:  \"{}\"\n", place_text(from, begin), text);
  }
  return {};
}

Status examine_code(Debugging& all, debug::Address& address, Examination& out) {
  const debug::Session& session = *all.session;
  const auto ops =
      TRY(session.find({.kind = debug::Place::Kind::address, .address = address.offset}));
  const emu::Wave* wave = session.selected();
  const std::uint32_t count = all.format.count;
  const std::uint32_t first =
      all.format.before ? ops.front() - std::min(ops.front(), count) : ops.front();
  const std::uint32_t end = all.format.before ? ops.front() : ops.front() + count;
  for (std::uint32_t op = first; op < session.program().ops.size() && op < end; ++op) {
    const emu::Op& one = session.program().ops[op];
    const std::string text = isa::disassemble(session.program().arch, *one.instruction);
    out.last.offset = one.address;
    address.offset = one.address + one.instruction->bytes;
    out.rows.push_back({hex(one.address), std::nullopt, {text}});
    out.text += fmt::format("{} 0x{:x} <{}>  {}\n", wave != nullptr && wave->pc == op ? "=>" : "  ",
                            one.address, code_symbol(session, one.address), text);
  }
  return {};
}

/// What `$_` is then: an address of code, or of values of the format's size.
debug::Datum examined_address(const Debugging& all, std::uint64_t address) {
  using Base = debug::Type::Base;
  if (all.format.letter == 'i') return code_datum(*all.session, address);
  const bool real = all.format.letter == 'f';
  const std::uint32_t bytes = all.format.letter == 's' ? 1 : all.format.bytes();
  const Base base = all.format.letter == 's' ? Base::character
                    : real && bytes == 8     ? Base::f64
                    : real                   ? Base::f32
                    : bytes == 1             ? Base::i8
                    : bytes == 2             ? Base::i16
                    : bytes == 4             ? Base::i32
                                             : Base::i64;
  return {.type = {.base = base, .pointers = 1}, .integer = static_cast<std::int64_t>(address)};
}

Result<Document> run_examine(const ExamineArgs& args, Debugger debugger) {
  const debug::Session* session = debugged(debugger.state);
  const CaptureEntry capture = debugger.workspace.captures.current();
  if (session == nullptr && capture == nullptr) TRY(needs_debugged(debugger.state));
  if (session != nullptr && args.after)
    return fail(Errc::usage,
                "--after is about captures; memory of the kernel that was stopped is as it is now",
                "without --after");
  Debugging& all = debugging(debugger);
  all.format = TRY(debug::parse_examine_format(args.format, all.format));
  debug::Address address = all.next_address;
  if (!args.address.empty()) address = TRY(address_of(debugger, args.address));
  if (args.address.empty() && address.offset == 0)
    return fail(Errc::usage, "no address was given, and nothing was shown before", "x/4f $arg1");
  const Examined from = session != nullptr ? examined_session(*session)
                                           : examined_capture(*capture->value, args.after);
  Examination seen;
  if (all.format.letter == 'i') {
    if (session == nullptr)
      return fail(Errc::usage, "instructions are shown of a kernel that is stopped",
                  "disassemble " + capture->path);
    TRY(examine_code(all, address, seen));
  } else if (all.format.letter == 's') {
    if (all.format.before)
      return fail(Errc::usage, "texts are shown forwards", "x/s ADDRESS; x/-8xb ADDRESS");
    TRY(examine_text(all, from, address, seen));
  } else {
    const std::uint64_t bytes = std::uint64_t{all.format.count} * all.format.bytes();
    if (all.format.before) address.offset -= std::min(address.offset, bytes);
    TRY(examine_units(all, from, address, seen));
  }
  all.next_address = address;
  if (session != nullptr && seen.last.space == debug::Address::Space::global)
    set_examined(debugger, examined_address(all, seen.last.offset));
  Document out;
  out.table(kExaminedColumns, seen.rows);
  out.text = std::move(seen.text);
  out.notes = std::move(seen.notes);
  out.provenance = session != nullptr ? Provenance::modelled : Provenance::recorded;
  return out;
}

bool is_examined(std::string_view format) {
  return format.find_first_of("0123456789") != std::string_view::npos ||
         format.find_first_of("ibhwg") != std::string_view::npos;
}

}  // namespace

Result<Document> displayed(const Debugger& debugger, const std::string& text,
                           const std::string& format) {
  if (!is_examined(format)) {
    auto out = evaluated(debugger, text, format);
    // Behind a kernel its variables are names that Lua knows nothing of.
    const bool behind = stopped(debugger.state) == nullptr && debugging(debugger).again;
    if (!out && out.error().code == Errc::script && behind && debug::parse_expression(text))
      return fail(Errc::not_found, out.error().message, out.error().hint);
    return out;
  }
  // It is no examination of a person's: `x` alone goes on where that one ended.
  Debugging& all = debugging(debugger);
  const debug::ExamineFormat format_before = all.format;
  const debug::Address next_before = all.next_address;
  auto out = run_examine({.address = text, .format = format}, debugger);
  all.format = format_before;
  all.next_address = next_before;
  return out;
}

void add_debug_data_commands(Registry& registry) {
  Command examine{
      .path = "x",
      .does = kReads,
      .chapter = Class::data,
      .summary = "Show memory of the stopped kernel or of a capture, as GDB does.",
      .help =
          "`x/8xw ADDRESS`: a count, a letter (x hexadecimal, d u o t integers, f floating point, "
          "a address, c character, s text, i "
          "instructions) and a size (b 1, h 2, w 4, g 8 bytes); what is left out is as the last "
          "time. ADDRESS is 0x7f0000001000, "
          "$arg1 and $pc with what Lua can do with them, local#OFFSET in the LDS of the selected "
          "workgroup, or private_lane#OFFSET in the "
          "scratch memory of the selected lane; without one it goes on behind what was shown "
          "last.\n\n"
          "While no kernel was stopped it shows the current capture: memory before the dispatch, "
          "or after it with `--after`; $arg1 is what the "
          "first argument points to.",
      .columns = described(kExaminedColumns),
      .scalar = "values",
      .examples = {"x/4f $arg1", "x/2i $pc"},
      .repeatable = true,
      .suffix_option = "format"};
  add(registry,
      command(std::move(examine),
              {arg("address", &ExamineArgs::address, "where")
                   .takes_phrase()
                   .completes(Complete::variable),
               option("format", &ExamineArgs::format, "8xw, 4f, 16xb, 2gx, 3i"),
               flag("after", &ExamineArgs::after, "of a capture: memory after the dispatch")},
              run_examine));
}

}  // namespace rpl
