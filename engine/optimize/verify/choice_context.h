// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/optimize/inputs/control_flow.h"

namespace rpl {

/// Whether the instruction writes a scalar or vector register, by what its operands say.
bool writes_scalar(const emu::Op& op, unsigned number);
bool writes_vector(const emu::Op& op, unsigned number);
/// Name without the encoding, and literal: not the registers, which differ between any two builds.
std::string signature(const isa::Instruction& in);

/// What a choice is made by, without the registers: copies of an unrolled loop, and the same comparison in two builds, are alike. Found by going back on the ways that
/// lead there, those that ran first.
class ChoiceContexts {
 public:
  /// Both are borrowed.
  ChoiceContexts(const emu::Program& program, const emu::Path& path);

  struct Context {
    std::string text;       ///< "lt_f32 0 r #0"
    bool inverted = false;  ///< the choice is made by the opposite of what `text` says
    friend auto operator<=>(const Context&, const Context&) = default;
  };
  [[nodiscard]] Context of(std::size_t choice) const;
  /// Of one of the two masks that an instruction combines, 0 or 1, when it comes from a comparison at once; nothing else is a condition that somebody wrote.
  [[nodiscard]] std::optional<Context> of_mask(std::size_t at, unsigned which) const;
  /// Whether an instruction combines two masks of lanes.
  [[nodiscard]] bool combines(std::size_t at) const;

  /// Whether the choice is one of those with which the compiler mends the quotient or remainder that it has from a reciprocal: (t >= d ? t - d : t), or q + 1, where t is a
  /// difference with a product. Whether the second of them is ever needed depends on rounding: inputs hardly find that.
  [[nodiscard]] bool mends_division(std::size_t choice) const;
  /// Whether the choice writes down a condition as 0 or 1 that is read as a condition alone: what is done by it counts by itself.
  [[nodiscard]] bool keeps_condition(std::size_t choice) const;

 private:
  [[nodiscard]] std::size_t comparison(std::size_t choice) const;
  [[nodiscard]] Context condition(std::size_t before, unsigned scalar, unsigned deep) const;
  [[nodiscard]] Context compared(std::size_t at, unsigned deep) const;
  [[nodiscard]] Context scalar_compared(std::size_t before) const;
  [[nodiscard]] bool leads_here(std::size_t at, unsigned mask) const;
  [[nodiscard]] bool asks_for_any_lane(std::size_t at, std::string_view relation) const;
  [[nodiscard]] std::string origin(std::size_t before, const emu::Source& source) const;
  [[nodiscard]] std::size_t writer_of(std::size_t before, const emu::Source& source) const;
  [[nodiscard]] bool is_remainder(std::size_t before, const emu::Source& source,
                                  unsigned deep) const;
  [[nodiscard]] bool mended(std::size_t before, const emu::Source& source) const;
  template <class Writes>
  std::size_t writer(std::size_t before, const Writes& writes) const;
  [[nodiscard]] std::optional<std::uint32_t> constant_in(std::size_t before, unsigned number) const;
  [[nodiscard]] bool has_literal(const emu::Op& op) const;
  [[nodiscard]] std::string described(std::size_t at) const;

  const std::vector<emu::Op>& ops_;
  const std::vector<bool>& ran_;
  std::size_t entry_;
  std::vector<std::vector<std::uint32_t>> before_;  ///< by operation: those that it may follow
};

}  // namespace rpl
