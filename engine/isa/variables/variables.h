// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/isa/object/code_object.h"
#include "engine/isa/object/compressed_section.h"
#include "engine/isa/variables/location.h"
#include "engine/isa/variables/source_types.h"

namespace rpl::isa {

/// A variable or a parameter of the source.
struct SourceVariable {
  std::string name;
  const SourceType* type = nullptr;  ///< null where it is not described
  bool is_parameter = false;
  bool in_scope = true;     ///< the block that it belongs to has the address that was asked about
  std::uint32_t entry = 0;  ///< for Variables::locate()
  std::uint32_t line = 0;   ///< where it is declared; 0: not said
};

/// A function, or a place where one was inlined, with the variables that it has at an address.
struct VariableFrame {
  std::string function;
  std::vector<SourceVariable> parameters;  ///< in order
  std::vector<SourceVariable>
      locals;  ///< of the innermost block first; those that are out of scope last
  std::uint32_t entry = 0;
};

/// Variables and types of a code object. Immutable for those who ask; not for several threads. Owns what it needs beside the code object.
class Variables {
 public:
  /// Code without debug information, or with lines alone, gives one that has none. Fails as SourceLines::read() and with limit.
  static Result<std::shared_ptr<Variables>> read(std::shared_ptr<const CodeObject> object);

  /// Whether there is none at all: the code was built without -g, or with -gline-tables-only.
  [[nodiscard]] bool empty() const { return !any_; }
  /// The function at `address` (relative to the load base) and what was inlined around it, innermost first, as SourceLines::chain() has them.
  [[nodiscard]] std::vector<VariableFrame> frames(std::uint64_t address);
  /// Whether any function has a variable or parameter of this name.
  [[nodiscard]] bool names(std::string_view name);
  /// The variables of files and namespaces.
  [[nodiscard]] std::vector<SourceVariable> globals();
  /// A type by its name; null for none.
  [[nodiscard]] const SourceType* type(std::string_view name) { return types_->named(name); }
  /// Functions that a person who names `typed` may mean (see names_function()), with their types, those with code first; also what was inlined everywhere.
  [[nodiscard]] std::vector<std::pair<std::string, const SourceType*>> functions(
      std::string_view typed);
  /// The enumeration that has an enumerator of this name, and its value; nothing for none.
  [[nodiscard]] std::optional<std::pair<const SourceType*, std::int64_t>> enumerator(
      std::string_view name) {
    return types_->enumerator(name);
  }

  /// Where a variable of a frame is at `address`: parts in order. One that is missing where it is nowhere. `needs` holds how registers and
  /// memory are read; what the object knows is filled in.
  [[nodiscard]] std::vector<VariablePart> locate(const VariableFrame& frame,
                                                 const SourceVariable& variable,
                                                 std::uint64_t address, LocationNeeds needs) const;
  /// Whether it is somewhere at `address`, as far as can be told without a wave.
  [[nodiscard]] bool is_somewhere(const SourceVariable& variable, std::uint64_t address) const;

 private:
  Variables() = default;
  void find_functions();
  void add_variables(std::uint32_t scope, std::uint64_t address, bool in_scope,
                     VariableFrame& frame);
  void add_origins(VariableFrame& frame);
  [[nodiscard]] SourceVariable variable_of(std::uint32_t entry);
  [[nodiscard]] std::optional<ByteView> expression(std::uint32_t entry,
                                                   std::uint64_t address) const;
  [[nodiscard]] std::optional<VariablePart> constant(std::uint32_t entry) const;

  std::shared_ptr<const CodeObject> object_;
  PlainDebugSections plain_;
  std::unique_ptr<DebugEntries> entries_;
  std::unique_ptr<SourceTypes> types_;
  struct Function {
    std::uint32_t entry = 0;
    CodeRanges ranges;
  };
  std::vector<Function> functions_;           ///< with code
  std::set<std::string, std::less<>> names_;  ///< filled when it is first asked for
  bool any_ = false;
};

/// The expression of a location list that holds at `address`: .debug_loclists in DWARF 5, .debug_loc in DWARF 4. Nothing for none.
std::optional<ByteView> location_at(const DebugSections& sections, const DebugUnitHeader& unit,
                                    const DebugValue& list, std::uint64_t address);

}  // namespace rpl::isa
