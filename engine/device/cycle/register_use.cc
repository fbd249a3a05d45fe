// SPDX-License-Identifier: MIT
#include "engine/device/cycle/register_use.h"

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/base/text.h"

namespace rpl::cycle {
namespace {

/// Operands that an instruction writes, the first ones.
std::size_t written(std::string_view name) {
  const bool memory =
      starts_with_one_of(name, {"global_", "flat_", "buffer_", "scratch_", "ds_", "s_store"});
  if (memory) {
    // Atomics name a result only where they return one, which the modifiers behind the operands say; see below.
    const bool reads_alone =
        name.find("_store") != std::string_view::npos || name.starts_with("ds_write") ||
        name.find("_wb") != std::string_view::npos || name.find("_inv") != std::string_view::npos;
    return reads_alone ? 0 : 1;
  }
  if (starts_with_one_of(name, {"s_cmp", "s_bitcmp", "s_cbranch", "s_branch", "s_waitcnt", "s_nop",
                                "s_barrier", "s_endpgm", "s_setprio", "s_sleep", "s_setpc",
                                "s_sendmsg", "s_dcache", "s_icache", "s_setreg", "v_nop"}))
    return 0;
  if (starts_with_one_of(
          name, {"v_add_co", "v_addc_co", "v_sub_co", "v_subb_co", "v_subrev_co", "v_subbrev_co",
                 "v_div_scale", "v_mad_u64_u32", "v_mad_i64_i32", "v_swap"}))
    return 2;
  return 1;
}

/// Instructions that add to what their first operand holds.
bool reads_its_result(std::string_view name) {
  return starts_with_one_of(name, {"v_fmac", "v_mac_", "v_pk_fmac", "v_dot2c", "v_dot4c",
                                   "v_writelane", "v_swap", "s_cmov", "s_addk", "s_mulk"});
}

}  // namespace

std::optional<RegisterRange> register_range(std::string_view operand) {
  while (!operand.empty() && (operand.front() == ' ' || operand.front() == '-' ||
                              operand.front() == '|' || operand.front() == '('))
    operand.remove_prefix(1);
  if (operand.starts_with("vcc")) return RegisterRange{.first = kVcc, .count = 2};
  if (operand.size() < 2) return std::nullopt;
  const char file = operand[0];
  if (file != 'v' && file != 'a' && file != 's') return std::nullopt;
  const bool several = operand[1] == '[';
  operand.remove_prefix(several ? 2 : 1);
  const auto first = take_number<std::uint32_t>(operand);
  if (!first) return std::nullopt;
  std::uint32_t last = *first;
  if (several && operand.starts_with(':')) {
    operand.remove_prefix(1);
    last = take_number<std::uint32_t>(operand).value_or(kRegisters);
  }
  if (last < *first || last >= (file == 's' ? kScalarRegisters : kVectorRegisters))
    return std::nullopt;
  const std::uint16_t base = file == 'v' ? 0 : file == 'a' ? kFirstAccumulation : kFirstScalar;
  return RegisterRange{.first = static_cast<std::uint16_t>(base + *first),
                       .count = static_cast<std::uint16_t>(last - *first + 1)};
}

RegisterUse register_use_of(std::string_view text) {
  RegisterUse out;
  const std::size_t blank = text.find(' ');
  const std::string_view name = text.substr(0, blank);
  if (blank == std::string_view::npos) return out;
  text.remove_prefix(blank + 1);
  std::size_t writes = written(name);
  const bool atomic = name.find("_atomic") != std::string_view::npos ||
                      starts_with_one_of(name, {"ds_add", "ds_sub", "ds_min", "ds_max", "ds_and",
                                                "ds_or", "ds_xor", "ds_inc", "ds_dec"});
  // "glc" until gfx90a, "sc0" from gfx942 on, "_rtn" of LDS.
  if (atomic && text.find(" glc") == std::string_view::npos &&
      text.find(" sc0") == std::string_view::npos && name.find("_rtn") == std::string_view::npos)
    writes = 0;
  for (std::size_t operand = 0; !text.empty(); ++operand) {
    const std::size_t comma = text.find(',');
    if (const auto range = register_range(text.substr(0, comma))) {
      if (operand < writes) out.writes.push_back(*range);
      if (operand >= writes || (operand == 0 && reads_its_result(name)))
        out.reads.push_back(*range);
    }
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return out;
}

}  // namespace rpl::cycle
