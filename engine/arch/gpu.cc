// SPDX-License-Identifier: MIT
#include "engine/arch/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace rpl::arch {

std::string_view to_string(Origin origin) {
  switch (origin) {
    case Origin::file:
      return "file";
    case Origin::recording:
      return "recording";
    case Origin::user:
      return "user";
  }
  return "file";
}

void Gpu::put(Fact fact) {
  std::string key = fact.key;
  facts_.insert_or_assign(std::move(key), std::move(fact));
}

const Fact* Gpu::find(std::string_view key) const {
  const auto found = facts_.find(key);
  return found == facts_.end() ? nullptr : &found->second;
}

std::optional<double> Gpu::number(std::string_view key) const {
  const Fact* fact = find(key);
  if (fact == nullptr || !fact->is_number()) return std::nullopt;
  return fact->number;
}

std::optional<std::uint32_t> Gpu::whole(std::string_view key) const {
  const auto value = number(key);
  if (!value || *value < 0 || *value > UINT32_MAX || *value != std::floor(*value))
    return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

std::string_view Gpu::text(std::string_view key) const {
  const Fact* fact = find(key);
  return fact == nullptr ? std::string_view() : std::string_view(fact->text);
}

std::vector<const Fact*> Gpu::facts() const {
  std::vector<const Fact*> out;
  for (const Key& key : keys()) {
    if (const Fact* fact = find(key.name)) out.push_back(fact);
  }
  return out;
}

std::string Gpu::title() const {
  return product.empty() ? arch : fmt::format("{} ({})", product, arch);
}

std::string source_text(const Fact& fact) {
  return fact.note.empty() ? fact.source : fmt::format("{} ({})", fact.source, fact.note);
}

namespace {

constexpr Key about(std::string_view name, std::string_view description) {
  return {
      .name = name, .unit = "", .description = description, .is_text = true, .is_listed = false};
}

constexpr Key kKeys[] = {
    {"family", "", "name of the generation", true},
    about("usual_product", "product that the architecture's name alone stands for"),
    about("match", "words of a recorded product name that mean this product, separated by commas"),
    about("device_ids", "PCI device ids of this product, separated by commas"),
    about("recorded_vgprs",
          "halved: early recorders write half of the vector registers that a wave has"),
    about("flop_counters", "none: no counter says how many floating-point operations were done"),
    about("recordings.fitted",
          "thread traces to which the assumed constants of the cycle model were fitted"),
    about("recordings.compared", "further thread traces with which the cycle model is compared"),
    {"compute_units", "", "compute units of the device or partition"},
    {"xcds", "", "accelerator complex dies, each with its own L2"},
    {"clock_mhz", "MHz", "highest engine clock"},
    {"simds_per_cu", "", "SIMDs of a compute unit (in CU mode)"},
    {"wave_size", "", "work-items of a wave unless the kernel says otherwise"},
    {"waves_per_simd", "", "wave slots of a SIMD"},
    {"max_workgroup_size", "work-items", "largest workgroup"},
    {"workgroups_per_cu", "",
     "workgroups of several waves that a compute unit can hold (barriers)"},
    {"vgpr_count", "",
     "what of the recorded registers is allocated: unified (both kinds from one file), larger (two "
     "files of equal size) or arch (there are no accumulation registers)",
     true},
    {"vgprs.wave64", "",
     "vector registers that the waves of a SIMD share, in registers of 64 lanes"},
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
    {"flops.vector.f32_single", "FLOP/clk/CU",
     "vector FP32, one operation an instruction and lane"},
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
    {"vl1d_bytes", "bytes", "vector L1 data cache of a compute unit", false, 1024, 16777216},
    {"scalar_cache_bytes", "bytes", "scalar data cache that a compute unit uses", false, 1024,
     16777216},
    {"instruction_cache_bytes", "bytes", "instruction cache that a compute unit uses", false, 1024,
     16777216},
    {"cycle.issue", "cycles", "between two instructions of a wave", false, 1, 64},
    {"cycle.transcendental", "cycles", "issue of v_exp_f32 and the like", false, 1, 256},
    {"cycle.wide_multiply", "cycles", "issue of 32-bit integer products and v_mad_*64", false, 1,
     256},
    {"cycle.lane_swap", "cycles", "issue of v_permlane*_swap", false, 1, 256},
    {"cycle.lds_write", "cycles", "issue of ds_write and ds_bpermute", false, 1, 256},
    {"cycle.matrix_pass", "cycles", "of one pass of the matrix unit", false, 1, 64},
    {"cycle.matrix_result", "cycles",
     "from the last pass until another instruction can read the result", false, 0, 1024},
    {"cycle.gap.vector_memory", "cycles",
     "between a vector instruction and a memory instruction of the same wave", false, 0, 1024},
    {"cycle.gap.scalar_branch", "cycles", "between a scalar instruction and a branch", false, 0,
     1024},
    {"cycle.gap.vector_scalar", "cycles",
     "between a vector instruction that writes a scalar register and a scalar instruction", false,
     0, 1024},
    {"cycle.gap.branch_taken", "cycles", "after a taken branch", false, 0, 1024},
    {"cycle.latency.lds", "cycles", "of LDS without conflicts", false, 1, 100000},
    {"cycle.latency.scalar", "cycles", "of a hit in the scalar cache", false, 1, 100000},
    {"cycle.latency.vl1d", "cycles", "of a hit in the vector L1", false, 1, 100000},
    {"cycle.latency.l2", "cycles", "of a hit in the L2", false, 1, 100000},
    {"cycle.latency.store", "cycles", "until the L2 has acknowledged a store", false, 1, 100000},
    {"cycle.latency.mall", "cycles", "of a hit in the Infinity Cache", false, 1, 100000},
    {"cycle.latency.hbm", "cycles", "of device memory", false, 1, 100000},
    {"cycle.queue.vmem", "",
     "vector memory instructions that a compute unit takes before it holds waves up", false, 1,
     1024},
    {"cycle.queue.lds", "", "the same of LDS instructions", false, 1, 1024},
    {"cycle.share.vl1d", "", "of the L1's peak bandwidth that can be had", false, 0.01, 1},
    {"cycle.share.l2", "", "of the L2's peak bandwidth that can be had", false, 0.01, 1},
    {"cycle.share.mall", "", "of the Infinity Cache's peak bandwidth that can be had", false, 0.01,
     1},
    {"cycle.share.hbm", "", "of the memory's peak bandwidth that can be had", false, 0.01, 1},
    {"cycle.mall_gbps", "GB/s", "assumed for the Infinity Cache where bandwidth.mall is not known",
     false, 1, 1e6},
    {"link_gbps", "GB/s", "that copies between host and device memory reach, from ordinary memory",
     false, 0.1, 10000},
    {"cycle.store_conflict", "cycles",
     "of a store in part to a line that a store before it is still writing", false, 0, 100000},
    {"cycle.write_cost", "", "of a byte written behind the L2, where one read counts 1", false, 0.1,
     10},
    {"cycle.channel", "B/clk", "of one of the 128 channels that 256 bytes each lie in in turn",
     false, 0, 100000},
    {"cycle.l1_scatter", "cycles",
     "of the L1, for four lanes of a load that do not lie side by side, and for each conflict "
     "among them",
     false, 0, 1000},
    {"cycle.l2_channel", "cycles",
     "of a line in its channel of the L2, 256 bytes lying in each in turn", false, 0, 1000},
    {"cycle.atomic", "cycles", "of the L2, for each request of atomics on one line", false, 0,
     1000},
    {"cycle.workgroup_launch", "cycles", "between two workgroups that a die hands out", false, 0,
     100000},
    {"cycle.wave_start", "cycles", "from the start of a wave to its first instruction", false, 0,
     100000},
    {"cycle.wave_launch", "cycles", "between two waves that a compute unit gets", false, 0, 100000},
    {"cycle.launch", "cycles", "from the start of a dispatch to its first wave", false, 0,
     10000000},
    {"cycle.drain", "cycles", "from the end of its last wave to the end of a dispatch", false, 0,
     10000000},
    {"band.low.launch", "",
     "of a modelled time that launch and drain set: nine of ten real ones lie between this and "
     "band.high times it",
     false, 0, 1},
    {"band.high.launch", "", "the same, upper end", false, 1, 100},
    {"band.low.memory", "",
     "of a modelled time that device memory sets: nine of ten real ones lie between this and "
     "band.high times it",
     false, 0, 1},
    {"band.high.memory", "", "the same, upper end", false, 1, 100},
    {"band.low.mall", "",
     "of a modelled time that the Infinity Cache sets: nine of ten real ones lie between this and "
     "band.high times it",
     false, 0, 1},
    {"band.high.mall", "", "the same, upper end", false, 1, 100},
    {"band.low.l2", "",
     "of a modelled time that the L2 sets: nine of ten real ones lie between this and band.high "
     "times it",
     false, 0, 1},
    {"band.high.l2", "", "the same, upper end", false, 1, 100},
    {"band.low.vl1d", "",
     "of a modelled time that a compute unit's path for vector memory sets: nine of ten real ones "
     "lie between this and band.high times it",
     false, 0, 1},
    {"band.high.vl1d", "", "the same, upper end", false, 1, 100},
    {"band.low.lds", "",
     "of a modelled time that the LDS sets: nine of ten real ones lie between this and band.high "
     "times it",
     false, 0, 1},
    {"band.high.lds", "", "the same, upper end", false, 1, 100},
    {"band.low.compute", "",
     "of a modelled time that arithmetic sets: nine of ten real ones lie between this and "
     "band.high times it",
     false, 0, 1},
    {"band.high.compute", "", "the same, upper end", false, 1, 100},
    {"band.low.atomics", "",
     "of a modelled time that atomics on one line set: nine of ten real ones lie between this and "
     "band.high times it",
     false, 0, 1},
    {"band.high.atomics", "", "the same, upper end", false, 1, 100},
    {"band.low.latency", "",
     "of a modelled time that latencies set: nine of ten real ones lie between this and band.high "
     "times it",
     false, 0, 1},
    {"band.high.latency", "", "the same, upper end", false, 1, 100},
    {"band.low.mixed", "",
     "of a modelled time that nothing sets alone: nine of ten real ones lie between this and "
     "band.high times it",
     false, 0, 1},
    {"band.high.mixed", "", "the same, upper end", false, 1, 100},
    {"band.ratio.launch", "", "half-width of the band of the ratio of two variants of such a time",
     false, 0, 10},
    {"band.ratio.memory", "", "half-width of the band of the ratio of two variants of such a time",
     false, 0, 10},
    {"band.ratio.mall", "", "half-width of the band of the ratio of two variants of such a time",
     false, 0, 10},
    {"band.ratio.l2", "", "half-width of the band of the ratio of two variants of such a time",
     false, 0, 10},
    {"band.ratio.vl1d", "", "half-width of the band of the ratio of two variants of such a time",
     false, 0, 10},
    {"band.ratio.lds", "", "half-width of the band of the ratio of two variants of such a time",
     false, 0, 10},
    {"band.ratio.compute", "", "half-width of the band of the ratio of two variants of such a time",
     false, 0, 10},
    {"band.ratio.atomics", "", "half-width of the band of the ratio of two variants of such a time",
     false, 0, 10},
    {"band.ratio.latency", "", "half-width of the band of the ratio of two variants of such a time",
     false, 0, 10},
    {"band.ratio.mixed", "", "half-width of the band of the ratio of two variants of such a time",
     false, 0, 10},
    {"cycle.assumed.load", "cycles", "latency of a vector load whose address is not known", false,
     1, 100000},
    {"cycle.assumed.store", "cycles", "latency of a vector store whose address is not known", false,
     1, 100000},
    {"cycle.assumed.scalar", "cycles", "latency of a scalar load whose address is not known", false,
     1, 100000},
    {"cycle.assumed.service", "cycles",
     "that the L2 takes for a KiB of an instruction whose address is not known", false, 1, 100000},
    {"cycle.assumed.mall", "cycles",
     "that the Infinity Cache takes for a KiB of each compute unit while all work, where addresses "
     "are not known",
     false, 1, 100000},
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
