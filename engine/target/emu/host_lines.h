// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/device/hip/recording.h"
#include "engine/isa/object/elf.h"
#include "engine/isa/object/source_lines.h"

namespace rpl::profile {

/// One function on the stack of a call, as a recording has it: its line where the file has a line table, else its symbol.
struct HostLine {
  std::string file = {};  ///< "" without a line table
  std::uint32_t line = 0, column = 0;
  std::string function = {};  ///< demangled; "" where nothing names it
  std::string module = {};    ///< the program's or library's file
  std::uint64_t offset =
      0;  ///< from the symbol's beginning, or from the file's where there is none
  bool program = false;
};

/// Turns the places of calls into lines of the program's source: by the DWARF of the files that were loaded, each read once. What cannot be read has no lines.
class HostLines {
 public:
  /// From the call outwards to main(), with what was inlined; without the stubs that launch kernels, and without libraries that have no line table but for one frame
  /// that names them.
  std::vector<HostLine> of(const std::vector<emu::hip::HostFrame>& frames);

 private:
  struct Module {
    isa::SourceLines lines;
    std::vector<isa::Symbol> functions = {};  ///< by address
  };
  const Module& module(const std::string& path);
  std::vector<HostLine> functions_of(const emu::hip::HostFrame& frame);

  std::map<std::string, Module> modules_;
};

}  // namespace rpl::profile
