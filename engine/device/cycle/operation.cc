// SPDX-License-Identifier: MIT
#include "engine/device/cycle/operation.h"

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/base/text.h"

namespace rpl::cycle {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::uint32_t number_at(std::string_view text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  return take_number<std::uint32_t>(text, hex ? 16 : 10).value_or(0);
}

/// The operand after the mnemonic, as a number.
std::uint32_t first_number(std::string_view text) {
  const std::size_t blank = text.find(' ');
  return blank == std::string_view::npos ? 0 : number_at(text.substr(blank + 1));
}

std::uint8_t wait_for(std::string_view text, std::string_view counter) {
  const std::size_t at = text.find(counter);
  if (at == std::string_view::npos) return Operation::kNoWait;
  return static_cast<std::uint8_t>(std::min(number_at(text.substr(at + counter.size())), 254U));
}

void read_registers(std::string_view text, Operation& out) {
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) return;
  text.remove_prefix(blank + 1);
  while (!text.empty() && out.register_count < out.registers.size()) {
    const std::size_t comma = text.find(',');
    if (const auto range = register_range(text.substr(0, comma));
        range && range->first < kFirstScalar)
      out.registers[out.register_count++] = *range;
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
}

/// Bytes of a lane by the end of the name: _dwordx4, _b128, _ushort.
std::uint8_t bytes_of(std::string_view name) {
  if (has(name, "x4") || has(name, "b128")) return 16;
  if (has(name, "x3") || has(name, "b96")) return 12;
  if (has(name, "x2") || has(name, "b64") || has(name, "f64") || has(name, "u64")) return 8;
  if (has(name, "byte") || has(name, "_b8") || has(name, "_u8") || has(name, "_i8")) return 1;
  if (has(name, "short") || has(name, "b16") || has(name, "_u16") || has(name, "_i16")) return 2;
  return 4;
}

bool is_transcendental(std::string_view name) {
  return starts_with_one_of(
      name, {"v_exp_", "v_log_", "v_rcp_", "v_rsq_", "v_sqrt_", "v_sin_", "v_cos_"});
}

bool is_wide_multiply(std::string_view name) {
  return starts_with_one_of(name, {"v_mul_lo_u32", "v_mul_hi", "v_mad_u64", "v_mad_i64"});
}

std::string_view matrix_type(std::string_view name) {
  if (has(name, "f8f6f4")) return "f8";
  if (name.ends_with("_f64") || has(name, "f64")) return "f64";
  if (has(name, "xf32")) return "xf32";
  if (has(name, "bf16")) return "bf16";
  if (has(name, "f16") && !name.starts_with("v_mfma_f16")) return "f16";
  if (has(name, "fp8") || has(name, "bf8")) return "f8";
  if (has(name, "_i8") || has(name, "i8")) return "i8";
  return "f32";
}

/// Cycles of the matrix unit by the peak rate of the type: 2*m*n*k*blocks / (rate / SIMDs), whole passes, two at least.
std::uint32_t matrix_cycles(std::string_view name, const Parameters& p) {
  double flops = 2;
  std::size_t at = name.find_first_of("0123456789", name.find('x') - 2);
  for (int i = 0; i < 3 && at < name.size(); ++i) {
    flops *= std::max(number_at(name.substr(at)), 1U);
    at = name.find_first_not_of("0123456789", at);
    if (at == std::string_view::npos || name[at] != 'x') break;
    ++at;
  }
  if (at < name.size() && has(name.substr(at), "b_"))
    flops *= std::max(number_at(name.substr(at + 1)), 1U);
  const auto rate = p.matrix_flops.find(matrix_type(name));
  if (rate == p.matrix_flops.end()) return 8 * p.matrix_pass;
  const double passes = flops / (rate->second / p.simds) / p.matrix_pass;
  return p.matrix_pass * std::max(2U, static_cast<std::uint32_t>(passes + 0.5));
}

void read_vector(std::string_view text, std::string_view name, const Parameters& p,
                 Operation& out) {
  read_registers(text, out);
  out.unit = Unit::valu;
  if (starts_with_one_of(name, {"v_mfma", "v_smfmac", "v_wmma", "v_swmma"})) {
    out.unit = Unit::matrix;
    out.busy = matrix_cycles(name, p);
  } else if (is_transcendental(name)) {
    out.unit = Unit::transcendental;
    out.issue = static_cast<std::uint16_t>(p.transcendental);
  } else if (is_wide_multiply(name)) {
    out.issue = static_cast<std::uint16_t>(p.wide_multiply);
  } else if (name.starts_with("v_permlane") && has(name, "swap")) {
    out.issue = static_cast<std::uint16_t>(p.lane_swap);
  }
  out.scalar_result = starts_with_one_of(name, {"v_cmp", "v_readfirstlane", "v_readlane"});
}

void read_memory(std::string_view text, std::string_view name, Operation& out) {
  read_registers(text, out);
  out.unit = Unit::vmem;
  out.store = has(name, "_store") || has(name, "_wbl2") || has(name, "_wbinv") || has(name, "_inv");
  out.atomic = has(name, "_atomic");
  out.flat = name.starts_with("flat_");
  out.bytes = bytes_of(name);
}

void read_local(std::string_view text, std::string_view name, const Parameters& p, Operation& out) {
  read_registers(text, out);
  out.unit = Unit::lds;
  out.store = name.starts_with("ds_write") || name.starts_with("ds_bpermute") ||
              name.starts_with("ds_permute");
  out.atomic = starts_with_one_of(name, {"ds_add", "ds_sub", "ds_min", "ds_max", "ds_and", "ds_or",
                                         "ds_xor", "ds_inc", "ds_dec", "ds_cmpst"});
  out.bytes = static_cast<std::uint8_t>(bytes_of(name) *
                                        (has(name, "read2") || has(name, "write2") ? 2 : 1));
  if (out.store) out.issue = static_cast<std::uint16_t>(p.lds_write);
}

void read_scalar(std::string_view text, std::string_view name, const Parameters& p,
                 Operation& out) {
  out.unit = Unit::salu;
  if (name.starts_with("s_waitcnt")) {
    out.unit = Unit::wait;
    out.wait_vm = wait_for(text, "vmcnt(");
    out.wait_lgkm = wait_for(text, "lgkmcnt(");
    out.wait_exp = wait_for(text, "expcnt(");
  } else if (name.starts_with("s_barrier")) {
    out.unit = Unit::barrier;
  } else if (name.starts_with("s_endpgm")) {
    out.unit = Unit::end;
  } else if (starts_with_one_of(name, {"s_nop", "s_sleep", "s_setprio", "s_sethalt", "s_icache",
                                       "s_set_gpr_idx"})) {
    out.unit = Unit::pause;
    const std::uint32_t operand = std::min(first_number(text), 127U);
    // ISA documents: s_nop waits operand + 1 issue slots, s_sleep about 64 cycles for each unit of its operand.
    out.busy = name == "s_nop"     ? p.issue * (operand + 1)
               : name == "s_sleep" ? std::max(p.issue, 64 * operand)
                                   : p.issue;
  } else if (starts_with_one_of(name, {"s_cbranch", "s_branch", "s_call", "s_setpc", "s_swappc"})) {
    out.unit = Unit::branch;
  } else if (starts_with_one_of(name, {"s_load", "s_store", "s_buffer_", "s_atomic", "s_scratch_",
                                       "s_dcache", "s_memtime", "s_memrealtime"})) {
    out.unit = Unit::smem;
    out.store = has(name, "store");
  } else if (name.starts_with("s_sendmsg")) {
    out.unit = Unit::message;
  }
}

}  // namespace

std::string_view to_string(Unit unit) {
  constexpr std::array<std::string_view, kUnits> names{
      "VALU", "transcendental", "matrix", "SALU",    "scalar memory", "vector memory",
      "LDS",  "branch",         "wait",   "barrier", "pause",         "message",
      "end"};
  return names[static_cast<std::size_t>(unit)];
}

Operation operation_of(std::string_view text, const Parameters& p) {
  const std::string_view name = text.substr(0, text.find(' '));
  Operation out;
  out.issue = static_cast<std::uint16_t>(p.issue);
  if (name.starts_with("v_")) {
    read_vector(text, name, p, out);
  } else if (name.starts_with("ds_")) {
    read_local(text, name, p, out);
  } else if (starts_with_one_of(
                 name, {"global_", "flat_", "buffer_", "tbuffer_", "scratch_", "image_"})) {
    read_memory(text, name, out);
  } else {
    read_scalar(text, name, p, out);
  }
  return out;
}

}  // namespace rpl::cycle
