// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/coverage.h"

#include <span>

#include "engine/isa/code/plain.h"

namespace rpl::emu {

namespace {

/// Of the names that begin and end so; the first that fits.
struct Reason {
  std::string_view prefix, suffix, why;
};

constexpr Reason kUnsupported[] = {
    {"ds_gws_sema", "",
     "semaphores of global wave sync, counters of the whole device that outlive a launch and that "
     "no runtime hands out"},
    {"s_endpgm_ordered_ps_done", "",
     "for graphics, the end of a pixel shader that writes in order"},
    {"s_rfe_", "", "the end of a trap handler; on the emulated device a trap ends the run"},
    {"s_scratch_", "",
     "scalar access to the memory behind scratch, where the lanes of a wave lie interleaved; the "
     "emulator keeps lane after lane"},
    {"s_sendmsghalt", "", "halts a wave until the driver lets it go on, and there is none"},
    {"s_setkill", "",
     "a bit by which a debugger ends waves; what it does to a running wave is not documented"},
    {"v_mfma_ld_scale_b32", "",
     "sets scales for the matrix instruction behind it; with one that asks for them it is read as "
     "one instruction, v_mfma_scale_*, and what it does before others is not documented"},
    {"v_screen_partition_4se_b32", "",
     "for graphics, which shader engine a part of the screen belongs to"},
};

constexpr std::string_view kNearly =
    "correctly rounded or nearly so, where the hardware may differ in the last bits";
constexpr std::string_view kRounding = "the rounding is not documented";
constexpr std::string_view kRandom = "which of the random bits are added is not documented";
constexpr std::string_view kNoNan =
    "what becomes of a NaN, which the format lacks, is not documented: the largest number";
constexpr std::string_view kSums = "the order of the two sums is not documented";
constexpr std::string_view kUnmeasured =
    "how the matrix units of CDNA4 add products is not published: taken as MMA-Sim found it on "
    "CDNA3";
constexpr std::string_view kSummed =
    "how the matrix units of CDNA4 add products is not published: they are added exactly, or "
    "nearly so, and the sum with C is rounded once";
constexpr Reason kApproximate[] = {
    {"v_cos_", "", kNearly},
    {"v_cvt_pk", "_u8_f32", kRounding},
    {"v_cvt_rpi_", "", kRounding},
    {"v_cvt_sr_", "", kRandom},
    {"v_cvt_scalef32_sr_", "", kRandom},
    {"v_cvt_scalef32_pk_fp4_", "", kNoNan},
    {"v_cvt_scalef32_pk32_fp6_", "", kNoNan},
    {"v_cvt_scalef32_pk32_bf6_", "", kNoNan},
    {"v_cvt_scalef32_2xpk16_", "", kNoNan},
    {"v_dot2", "_f32_f16", kSums},
    {"v_dot2", "_f32_bf16", kSums},
    {"v_exp_", "", kNearly},
    {"v_log_", "", kNearly},
    {"v_mfma_", "_f8f6f4", kSummed},
    {"v_mfma_f", "_f16", kUnmeasured},
    {"v_mfma_f", "_bf16", kUnmeasured},
    {"v_mfma_f", "_f32", kUnmeasured},
    {"v_mfma_f", "_f64", kUnmeasured},
    {"v_mfma_f", "_fp8", kUnmeasured},
    {"v_mfma_f", "_bf8", kUnmeasured},
    {"v_rcp_", "", kNearly},
    {"v_rsq_", "", kNearly},
    {"v_sin_", "", kNearly},
    {"v_smfmac_f32_", "",
     "MMA-Sim does not have sparse instructions, and no document says which of their products are "
     "added together: they are taken to form the groups of dense ones, in the order in which the "
     "elements of A are stored"},
    {"v_sqrt_", "", kNearly},
};

constexpr std::string_view kNanAndMode =
    "the bits of a NaN, and whether MODE counts: it is taken not to";
constexpr Reason kOpen[] = {
    {"v_mfma_f64_", "", kNanAndMode},
    {"v_mfma_f32_", "bf8_bf8",
     "the same, and what becomes of a NaN or an infinity in C beside a product of 2^25 or more, "
     "where versions of MMA-Sim differ: it is taken to be the result"},
    {"v_mfma_f32_", "xf32", kNanAndMode},
    {"v_mfma_f32_", "f32",
     "the bits of a NaN, and whether MODE counts: its denormal bits do, as AMD's authors of "
     "Tensile say (pull request 1475)"},
    {"v_mfma_f32_", "", kNanAndMode},
};

std::string_view reason_of(std::span<const Reason> reasons, std::string_view name) {
  for (const Reason& reason : reasons) {
    if (name.starts_with(reason.prefix) && name.ends_with(reason.suffix)) return reason.why;
  }
  return {};
}

}  // namespace

std::string_view why_unsupported(std::string_view name) { return reason_of(kUnsupported, name); }
std::string_view why_approximate(std::string_view name) { return reason_of(kApproximate, name); }
std::string_view what_is_open(std::string_view name) { return reason_of(kOpen, name); }

std::map<std::string, Covered> instruction_coverage() {
  std::map<std::string, Covered> all;
  for (const isa::Opcode& opcode : isa::opcodes()) {
    for (const isa::Arch arch : isa::architectures()) {
      const auto instruction = isa::plain_instruction(arch, opcode);
      if (!instruction) continue;
      const auto [at, is_new] = all.try_emplace(std::string(opcode.name()));
      if (is_new || opcode.encoding < at->second.encoding) at->second.encoding = opcode.encoding;
      auto& fidelity = at->second.fidelity[static_cast<std::size_t>(arch)];
      fidelity = std::max(fidelity.value_or(Fidelity::exact), fidelity_of(arch, *instruction));
    }
  }
  return all;
}

}  // namespace rpl::emu
