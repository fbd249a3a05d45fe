// SPDX-License-Identifier: MIT
#include "engine/isa/object/line_program.h"

#include <fmt/format.h>

#include <array>

#include "engine/isa/object/dwarf_cursor.h"

namespace rpl::isa {
namespace {

// A line program of real code has a few rows for each instruction; a forged one must not take the memory.
constexpr std::size_t kMaxRows = std::size_t{1} << 23;
constexpr std::uint64_t kMaxFiles = std::uint64_t{1} << 16;

Failure broken_lines(std::string_view what) {
  return fail(Errc::corrupt, fmt::format("line table: {}", what), "build the code object again");
}

enum Form : std::uint64_t {
  kBlock = 0x09,
  kData1 = 0x0b,
  kData2 = 0x05,
  kData4 = 0x06,
  kData8 = 0x07,
  kData16 = 0x1e,
  kString = 0x08,
  kStrp = 0x0e,
  kLineStrp = 0x1f,
  kUdata = 0x0f,
};
enum Content : std::uint64_t { kPath = 1, kDirectory = 2 };

struct NamedFile {
  std::string path;
  std::uint64_t directory = 0;
};

std::string joined(const std::string& directory, const std::string& path) {
  if (path.starts_with('/') || directory.empty()) return path;
  return directory.ends_with('/') ? directory + path : directory + "/" + path;
}

/// The header and the opcodes of one program.
class Reader {
 public:
  Reader(const DebugSections& sections, std::uint64_t offset)
      : sections_(sections), at_(sections.line, offset) {}

  Result<LineProgram> run(std::uint64_t& next) {
    TRY(read_header());
    next = end_;
    while (at_.ok() && at_.offset() < end_) {
      TRY(step());
      if (program_.rows.size() > kMaxRows) return broken_lines("too many rows");
    }
    if (!at_.ok()) return broken_lines("a program is cut short");
    return std::move(program_);
  }

 private:
  Status read_header() {
    std::uint64_t length = at_.fixed<std::uint32_t>();
    if (length == 0xffffffff) {
      length = at_.fixed<std::uint64_t>();
      offset_bytes_ = 8;
    }
    if (!at_.ok() || !sections_.line.contains(at_.offset(), length)) {
      return broken_lines("a unit is outside its section");
    }
    end_ = at_.offset() + length;
    program_.version = at_.fixed<std::uint16_t>();
    if (program_.version < 4 || program_.version > 5) {
      return fail(Errc::unsupported,
                  fmt::format("line table of DWARF version {}", program_.version),
                  "compile with -gdwarf-5 or -gdwarf-4");
    }
    if (program_.version == 5) at_.skip(2);  // sizes of addresses and segment selectors
    const std::uint64_t header_length = at_.sized(offset_bytes_);
    const std::uint64_t begin = at_.offset() + header_length;
    if (!at_.ok() || begin > end_) return broken_lines("a header is longer than its unit");
    read_parameters();
    TRY(program_.version == 5 ? read_tables_5() : read_tables_4());
    at_.seek(begin);
    return {};
  }

  void read_parameters() {
    instruction_bytes_ = at_.u8();
    at_.skip(1);  // operations of a VLIW instruction; one here
    default_statement_ = at_.u8() != 0;
    line_base_ = at_.fixed<std::int8_t>();
    line_range_ = at_.u8();
    opcode_base_ = at_.u8();
    for (unsigned opcode = 1; opcode < opcode_base_; ++opcode) lengths_[opcode] = at_.u8();
    state_.statement = default_statement_;
  }

  Status read_tables_4() {
    std::vector<std::string> directories{""};
    for (std::string_view name = at_.text(); !name.empty(); name = at_.text()) {
      directories.emplace_back(name);
      if (directories.size() > kMaxFiles) return broken_lines("too many directories");
    }
    program_.files.emplace_back();  // files count from 1
    for (std::string_view name = at_.text(); !name.empty(); name = at_.text()) {
      const std::uint64_t directory = at_.uleb();
      at_.uleb();  // time
      at_.uleb();  // length
      const bool known = directory < directories.size();
      program_.files.push_back(joined(known ? directories[directory] : "", std::string(name)));
      if (program_.files.size() > kMaxFiles) return broken_lines("too many files");
    }
    return at_.ok() ? Status() : broken_lines("a header is cut short");
  }

  Status read_tables_5() {
    const std::vector<NamedFile> directories = TRY(read_entries());
    for (const NamedFile& file : TRY(read_entries())) {
      const bool known = file.directory < directories.size();
      std::string directory = known ? directories[file.directory].path : "";
      // Directories are relative to the first one, where the compiler ran.
      if (known && file.directory != 0) directory = joined(directories[0].path, directory);
      program_.files.push_back(joined(directory, file.path));
    }
    return {};
  }

  Result<std::vector<NamedFile>> read_entries() {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> format(at_.u8());
    for (auto& [content, form] : format) {
      content = at_.uleb();
      form = at_.uleb();
    }
    const std::uint64_t count = at_.uleb();
    if (!at_.ok() || count > kMaxFiles || (format.empty() && count > 0)) {
      return broken_lines("a list of files is cut short");
    }
    std::vector<NamedFile> entries;
    for (std::uint64_t i = 0; i < count && at_.ok(); ++i) {
      NamedFile& entry = entries.emplace_back();
      for (const auto& [content, form] : format) TRY(read_value(content, form, entry));
    }
    if (!at_.ok()) return broken_lines("a list of files is cut short");
    return entries;
  }

  Status read_value(std::uint64_t content, std::uint64_t form, NamedFile& into) {
    switch (form) {
      case kString:
        return set_path(content, at_.text(), into);
      case kLineStrp:
        return set_path(content, sections_.line_str.text(at_.sized(offset_bytes_)), into);
      case kStrp:
        return set_path(content, sections_.str.text(at_.sized(offset_bytes_)), into);
      case kUdata:
        return set_number(content, at_.uleb(), into);
      case kData1:
        return set_number(content, at_.u8(), into);
      case kData2:
        return set_number(content, at_.sized(2), into);
      case kData4:
        return set_number(content, at_.sized(4), into);
      case kData8:
        return set_number(content, at_.sized(8), into);
      case kData16:
        at_.skip(16);
        return {};
      case kBlock:
        at_.skip(at_.uleb());
        return {};
      default:
        return fail(Errc::unsupported,
                    fmt::format("line table: form {:#x} in a list of files", form));
    }
  }

  static Status set_path(std::uint64_t content, std::optional<std::string_view> text,
                         NamedFile& into) {
    if (!text) return broken_lines("a file's name is outside its section");
    if (content == kPath) into.path = *text;
    return {};
  }
  static Status set_number(std::uint64_t content, std::uint64_t value, NamedFile& into) {
    if (content == kDirectory) into.directory = value;
    return {};
  }

  Status step() {
    const std::uint8_t opcode = at_.u8();
    if (opcode >= opcode_base_) return special(opcode);
    if (opcode == 0) return extended();
    return standard(opcode);
  }

  Status special(std::uint8_t opcode) {
    if (line_range_ == 0) return broken_lines("a line range of 0");
    const unsigned adjusted = unsigned{opcode} - opcode_base_;
    state_.address += std::uint64_t{adjusted / line_range_} * instruction_bytes_;
    add_line(line_base_ + static_cast<int>(adjusted % line_range_));
    emit();
    return {};
  }

  Status extended() {
    const std::uint64_t length = at_.uleb();
    const std::uint64_t begin = at_.offset();
    if (!at_.ok() || length == 0 || !sections_.line.contains(begin, length)) {
      return broken_lines("an extended opcode is cut short");
    }
    constexpr std::uint8_t kEndSequence = 1, kSetAddress = 2;
    const std::uint8_t opcode = at_.u8();
    if (opcode == kEndSequence) {
      state_.end = true;
      emit();
      state_ = LineRow{.file = 1, .line = 1, .statement = default_statement_};
    } else if (opcode == kSetAddress) {
      state_.address = at_.sized(static_cast<unsigned>(length - 1));
    }
    at_.seek(begin + length);
    return {};
  }

  Status standard(std::uint8_t opcode) {
    enum : std::uint8_t {
      kCopy = 1,
      kAdvancePc,
      kAdvanceLine,
      kSetFile,
      kSetColumn,
      kNegate,
      kBasicBlock,
      kConstAddPc,
      kFixedAdvancePc,
      kPrologueEnd
    };
    switch (opcode) {
      case kCopy:
        emit();
        break;
      case kAdvancePc:
        state_.address += at_.uleb() * instruction_bytes_;
        break;
      case kAdvanceLine:
        add_line(at_.sleb());
        break;
      case kSetFile:
        state_.file = static_cast<std::uint32_t>(at_.uleb());
        break;
      case kSetColumn:
        state_.column = static_cast<std::uint32_t>(at_.uleb());
        break;
      case kNegate:
        state_.statement = !state_.statement;
        break;
      case kBasicBlock:
        break;
      case kConstAddPc:
        if (line_range_ == 0) return broken_lines("a line range of 0");
        state_.address += std::uint64_t{(255U - opcode_base_) / line_range_} * instruction_bytes_;
        break;
      case kFixedAdvancePc:
        state_.address += at_.fixed<std::uint16_t>();
        break;
      case kPrologueEnd:
        state_.body = true;
        break;
      default:  // epilogue begin, ISA and what a later version adds
        for (unsigned i = 0; i < lengths_[opcode]; ++i) at_.uleb();
    }
    return {};
  }

  void add_line(std::int64_t lines) {
    state_.line = static_cast<std::uint32_t>(std::int64_t{state_.line} + lines);
  }

  /// A file that is not there becomes one without a name.
  void emit() {
    LineRow row = state_;
    if (row.file >= program_.files.size()) {
      if (program_.files.empty()) program_.files.emplace_back();
      row.file = 0;
      row.line = 0;
    }
    program_.rows.push_back(row);
    state_.body = false;
  }

  const DebugSections& sections_;
  DwarfCursor at_;
  std::uint64_t end_ = 0;
  unsigned offset_bytes_ = 4;
  LineProgram program_;
  std::uint8_t instruction_bytes_ = 1, line_range_ = 1, opcode_base_ = 1;
  int line_base_ = 0;
  bool default_statement_ = true;
  std::array<std::uint8_t, 256> lengths_{};
  LineRow state_{.file = 1, .line = 1};
};

}  // namespace

Result<LineProgram> read_line_program(const DebugSections& sections, std::uint64_t offset,
                                      std::uint64_t& next) {
  return Reader(sections, offset).run(next);
}

}  // namespace rpl::isa
