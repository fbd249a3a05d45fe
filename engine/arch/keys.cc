// SPDX-License-Identifier: MIT
#include "engine/arch/keys.h"

#include <algorithm>
#include <array>

namespace rpl::arch {
namespace {

constexpr Key kKeys[] = {
    {"family", "", "name of the generation", true},
    {"match", "", "words of a recorded product name that mean this product, separated by commas",
     true},
    {"device_ids", "", "PCI device ids of this product, separated by commas", true},
    {"compute_units", "", "compute units of the device or partition"},
    {"xcds", "", "accelerator complex dies, each with its own L2"},
    {"clock_mhz", "MHz", "highest engine clock"},
    {"simds_per_cu", "", "SIMDs of a compute unit (in CU mode)"},
    {"wave_size", "", "work-items of a wave unless the kernel says otherwise"},
    {"waves_per_simd", "", "wave slots of a SIMD"},
    {"max_workgroup_size", "work-items", "largest workgroup"},
    {"workgroups_per_cu", "", "workgroups of several waves that a compute unit can hold (barriers)"},
    {"vgpr_count", "",
     "what of the recorded registers is allocated: unified (both kinds from one file), larger (two "
     "files of equal size) or arch (there are no accumulation registers)",
     true},
    {"vgprs.wave64", "", "vector registers that the waves of a SIMD share, in registers of 64 lanes"},
    {"vgpr_granule.wave64", "", "step in which they are allocated to a wave"},
    {"vgpr_max.wave64", "", "most vector registers of one wave"},
    {"vgprs.wave32", "", "the same for waves of 32"},
    {"vgpr_granule.wave32", "", "the same for waves of 32"},
    {"vgpr_max.wave32", "", "the same for waves of 32"},
    {"sgprs", "", "scalar registers that the waves of a SIMD share; absent: no limit"},
    {"sgpr_granule", "", "step in which they are allocated to a wave"},
    {"lds_bytes", "bytes", "LDS of a compute unit"},
    {"lds_workgroup_bytes", "bytes", "most LDS of one workgroup"},
    {"lds_granule", "bytes", "step in which LDS is allocated to a workgroup"},
    {"lds_banks", "", "banks of 4 bytes"},
    {"flops.vector.f64", "FLOP/clk/CU", "vector FP64"},
    {"flops.vector.f32", "FLOP/clk/CU", "vector FP32, with packed or dual-issued instructions"},
    {"flops.vector.f32_single", "FLOP/clk/CU", "vector FP32, one operation an instruction and lane"},
    {"flops.vector.f16", "FLOP/clk/CU", "vector FP16, packed"},
    {"flops.matrix.f64", "FLOP/clk/CU", "matrix FP64"},
    {"flops.matrix.f32", "FLOP/clk/CU", "matrix FP32"},
    {"flops.matrix.xf32", "FLOP/clk/CU", "matrix XF32 (TF32)"},
    {"flops.matrix.f16", "FLOP/clk/CU", "matrix FP16"},
    {"flops.matrix.bf16", "FLOP/clk/CU", "matrix BF16"},
    {"flops.matrix.f8", "FLOP/clk/CU", "matrix FP8"},
    {"flops.matrix.f6", "FLOP/clk/CU", "matrix FP6"},
    {"flops.matrix.f4", "FLOP/clk/CU", "matrix FP4"},
    {"flops.matrix.i8", "OP/clk/CU", "matrix INT8"},
    {"flops.matrix.i4", "OP/clk/CU", "matrix INT4"},
    {"bandwidth.lds", "rate", "LDS"},
    {"bandwidth.vl1d", "rate", "vector L1 data cache"},
    {"bandwidth.l2", "rate", "L2 cache"},
    {"bandwidth.mall", "rate", "memory-attached last level (Infinity Cache)"},
    {"bandwidth.hbm", "rate", "device memory"},
    {"line.vl1d", "bytes", "line of the vector L1 data cache"},
    {"line.l2", "bytes", "line of the L2 cache"},
    {"l2_channels", "", "L2 channels of a die"},
    {"l2_bytes", "bytes", "L2 cache of a die"},
    {"mall_bytes", "bytes", "memory-attached last level of the device"},
    {"memory_bytes", "bytes", "device memory"},
    {"memory_transfers_per_clock", "",
     "transfers in a cycle of the recorded memory clock, which together with the recorded width "
     "give bandwidth.hbm; absent: the recorded clock is not used"},
    {"counters.SQ", "", "counters of one SQ at a time"},
    {"counters.TA", "", "counters of one TA at a time"},
    {"counters.TD", "", "counters of one TD at a time"},
    {"counters.TCP", "", "counters of one TCP (vector L1) at a time"},
    {"counters.TCC", "", "counters of one TCC (L2 channel) at a time"},
    {"counters.CPC", "", "counters of one CPC at a time"},
    {"counters.CPF", "", "counters of one CPF at a time"},
    {"counters.SPI", "", "counters of one SPI at a time"},
    {"counters.GRBM", "", "counters of one GRBM at a time"},
    {"counters.GDS", "", "counters of the GDS at a time"},
};

constexpr std::array kRates{std::string_view("GB/s"), std::string_view("B/clk"),
                            std::string_view("B/clk/CU"), std::string_view("B/clk/XCD")};

}  // namespace

std::span<const Key> keys() { return kKeys; }

const Key* find_key(std::string_view name) {
  const auto* const found = std::ranges::find(kKeys, name, &Key::name);
  return found == std::end(kKeys) ? nullptr : found;
}

bool is_rate_unit(std::string_view unit) { return std::ranges::find(kRates, unit) != kRates.end(); }

}  // namespace rpl::arch
