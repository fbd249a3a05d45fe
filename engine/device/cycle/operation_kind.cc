// SPDX-License-Identifier: MIT
#include "engine/device/cycle/operation_kind.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/device/cycle/address_slice.h"

namespace rpl::cycle {
namespace {

bool is_integer(std::string_view text) {
  if (text.starts_with("s_"))
    return starts_with_one_of(text, {"s_add", "s_sub", "s_mul", "s_lshl", "s_lshr", "s_ashr",
                                     "s_and", "s_or", "s_mov", "s_bfe", "s_min", "s_max"});
  return starts_with_one_of(
      text,
      {"v_add_u",     "v_add_co_u", "v_addc_co_u",   "v_add_i",        "v_sub_u",  "v_sub_co_u",
       "v_subb_co_u", "v_subrev_u", "v_subrev_co_u", "v_subbrev_co_u", "v_mul_lo", "v_mul_hi",
       "v_mul_u",     "v_mul_i",    "v_mad_u",       "v_mad_i",        "v_lshl",   "v_lshr",
       "v_ashr",      "v_and",      "v_or_",         "v_or3",          "v_xor",    "v_bfe_",
       "v_add3",      "v_xad",      "v_mov_b"});
}

/// Whether it takes one of two values, or tells which.
bool selects(std::string_view text) {
  return starts_with_one_of(text, {"v_cndmask_b32", "v_cmp_", "s_cselect"});
}

/// LLVM multiplies with the reciprocal and corrects the quotient twice (AMDGPUCodeGenPrepare, expandDivRem32): the correction stands where the quotient is needed, the
/// reciprocal of a divisor that stays the same may stand before a loop.
void mark_divisions(const std::vector<std::string>& text, std::vector<OperationKind>& kinds) {
  const auto is = [&](std::size_t i, std::string_view name) { return text[i].starts_with(name); };
  const auto mark = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i <= to; ++i) {
      if (may_divide(text[i])) kinds[i].division = true;
    }
  };
  constexpr std::size_t kNear = 24;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is(i, "v_rcp_iflag")) mark(i > 2 ? i - 2 : 0, std::min(text.size() - 1, i + 6));
    if (scales_reciprocal(text[i])) mark(i > 8 ? i - 8 : 0, std::min(text.size() - 1, i + 8));
    if (!is(i, "v_mul_hi_u32") && !is(i, "s_mul_hi_u32")) continue;
    std::size_t corrections = 0, last = i;
    for (std::size_t k = i + 1; k < std::min(text.size(), i + kNear); ++k) {
      if (!is(k, "v_cndmask_b32") && !is(k, "s_cselect")) continue;
      ++corrections;
      last = k;
    }
    if (corrections >= 2) mark(i, last);
  }
}

/// A scalar that is stepped and compared at once counts the turns of a loop: that is no address.
bool counts_turns(const std::vector<std::string>& text, std::size_t i) {
  constexpr std::size_t kNear = 4;
  if (!starts_with_one_of(text[i], {"s_add_i32", "s_add_u32", "s_sub_i32", "s_addk_i32"}))
    return false;
  const std::size_t from = text[i].find(' ');
  const std::size_t to = text[i].find(',');
  if (from == std::string::npos || to == std::string::npos || to < from) return false;
  const std::string counter = text[i].substr(from, to - from) + ",";
  for (std::size_t k = i + 1; k < std::min(text.size(), i + kNear); ++k) {
    if (text[k].starts_with("s_cmp") && text[k].find(counter) != std::string::npos) return true;
  }
  return false;
}

OperationKind kind_of(std::string_view text, const Operation& op) {
  OperationKind out;
  out.scratch = is_scratch(text);
  const bool memory = op.unit == Unit::vmem && !out.scratch;
  out.atomic = memory && op.atomic;
  out.store = memory && op.store && !op.atomic;
  out.load = memory && !op.store && !op.atomic;
  out.lds = op.unit == Unit::lds;
  out.barrier = op.unit == Unit::barrier;
  out.flat = text.starts_with("flat_");
  out.double_precision = text.find("_f64") != std::string_view::npos;
  out.transcendental = op.unit == Unit::transcendental && !out.double_precision;
  out.conversion = text.starts_with("v_cvt_");
  out.accumulator_move = text.starts_with("v_accvgpr_");
  out.restores_lanes = text.starts_with("s_or_b64 exec");
  out.bytes = op.bytes;
  return out;
}

}  // namespace

bool is_scratch(std::string_view text) {
  return text.starts_with("scratch_") ||
         (text.starts_with("buffer_") && text.find("s[0:3]") != std::string_view::npos);
}

bool may_divide(std::string_view text) {
  return is_integer(text) ||
         starts_with_one_of(
             text,
             {"v_cvt_f32_u32", "v_cvt_u32_f32", "v_rcp_iflag",     "v_mul_f32",   "v_cmp_",
              "v_cndmask_b32", "s_nop",         "v_readfirstlane", "s_cselect",   "s_cmp_",
              "s_abs",         "v_max_i",       "v_cvt_f32_i32",   "v_trunc_f32", "v_fma_f32",
              "v_fmac_f32",    "v_mul_legacy",  "v_rcp_f32",       "v_madmk_f32", "v_fmamk_f32",
              "v_mac_f32"});
}

bool scales_reciprocal(std::string_view text) {
  // A little less than 2^64: LLVM scales the reciprocal of a divisor of 64 bits by it (AMDGPUISelLowering, LowerUDIVREM64).
  return text.find("0x5f7ffffc") != std::string_view::npos;
}

void of_division(OperationKind& kind) {
  kind.division = true;
  kind.addressing = kind.transcendental = kind.conversion = false;
}

std::vector<OperationKind> kinds_of(const LaunchRecord& record,
                                    std::span<const Operation> operations) {
  std::vector<OperationKind> out;
  for (std::size_t i = 0; i < operations.size(); ++i)
    out.push_back(kind_of(record.instructions[i], operations[i]));
  mark_divisions(record.instructions, out);
  constexpr double kMostly = 0.5;
  const std::vector<double> addresses = address_shares(record, operations);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].addressing = !out[i].division && addresses[i] >= kMostly &&
                        (is_integer(record.instructions[i]) || selects(record.instructions[i])) &&
                        !counts_turns(record.instructions, i);
    if (out[i].division) of_division(out[i]);
  }
  return out;
}

}  // namespace rpl::cycle
