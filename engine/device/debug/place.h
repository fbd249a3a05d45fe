// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/device/execute/state/machine.h"

namespace rpl::debug {

/// Where in a program something stops, as a person names it; what it means is found for each launch again.
struct Place {
  enum class Kind : std::uint8_t { kernel, address, line } kind = Kind::kernel;
  std::string name =
      {};  ///< of the kernel, or of a function that was inlined into it, or of the file; "" for whichever runs
  std::string file = {};  ///< in which that function is; "" for any
  std::uint64_t address =
      0;  ///< of a kernel: bytes from its entry; else relative to the load base, or a device address
  std::uint32_t line = 0;
  bool at_entry = false;  ///< of a function by name: where it begins, and not its body
};

/// "reduce", "ns::reduce<float, 4>", "reduce+0x40", "*0x1940", "*+0x40", "reduce.hip:17", "reduce.hip:sum_of", "17". Fails with usage.
Result<Place> parse_place(std::string_view text);
std::string to_string(const Place& place);

/// The operations of `program` that a place means: one for an address; for a kernel or a function that is called the first behind what sets up its registers
/// and stack, as SourceLines::body_of(), or where it begins with an offset; for a function the first of each copy that was inlined; for a
/// line the first of each function that it was inlined in.
/// A line without code means the next one that has some, within 20 lines. Fails with not_found, and says what there is; Errc::usage never.
Result<std::vector<std::uint32_t>> find_place(const emu::Program& program, std::uint64_t load_base,
                                              const isa::SourceLines& lines, const Place& place);

/// What the source says of each operation, looked up once.
class LineTable {
 public:
  struct Entry {
    std::uint32_t line = 0;   ///< names a file and line; 0 for unknown
    std::uint32_t depth = 0;  ///< calls that were inlined around it
  };
  LineTable(const emu::Program& program, const isa::SourceLines& lines);
  [[nodiscard]] const Entry& at(std::uint32_t op) const { return entries_[op]; }
  [[nodiscard]] bool empty() const { return !known_; }

 private:
  std::vector<Entry> entries_;
  bool known_ = false;
};

}  // namespace rpl::debug
