// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "engine/arch/resolve.h"
#include "engine/metrics/roofline/points.h"

namespace rpl::test {

inline arch::Gpu gpu(std::string_view name) {
  return arch::resolve(arch::Catalogue::builtin(), name, {}).value();
}

/// Ceilings with round numbers: HBM 1000 GB/s, L2 4000 GB/s, vector f32 100 TFLOP/s, matrix bf16 and i8 1000 T.
inline Ceilings round_ceilings() {
  Ceilings out;
  const auto put = [](double value) {
    Derivation leaf;
    leaf.value = value;
    leaf.source = "test";
    return leaf;
  };
  out.bandwidth[arch::Level::hbm] = put(1000);
  out.bandwidth[arch::Level::l2] = put(4000);
  out.compute[{arch::Pipe::vector, arch::DataType::f32}] = put(100e3);
  out.compute[{arch::Pipe::matrix, arch::DataType::bf16}] = put(1000e3);
  out.compute[{arch::Pipe::matrix, arch::DataType::i8}] = put(1000e3);
  return out;
}

/// All counters that a gfx942 roofline needs, 0 unless `counters` says otherwise.
inline KernelRoofline made_kernel(double time_ns, const std::map<std::string, double>& counters,
                                  const Ceilings& ceilings = round_ceilings()) {
  KernelMeasurement measured;
  measured.arch = "gfx942";
  measured.calls = 1;
  if (time_ns > 0) measured.time = {time_ns, 1, TimeSource::plain};
  for (const char* type : {"F16", "F32", "F64"}) {
    for (const char* op : {"ADD", "MUL", "TRANS", "FMA"}) {
      measured.counters[std::string("SQ_INSTS_VALU_") + op + "_" + type] = {0, 1, false};
    }
  }
  for (const char* type : {"F16", "BF16", "F32", "F64", "F8", "I8"}) {
    measured.counters[std::string("SQ_INSTS_VALU_MFMA_MOPS_") + type] = {0, 1, false};
  }
  for (const char* name :
       {"TCC_EA0_RDREQ_sum", "TCC_EA0_RDREQ_32B_sum", "TCC_BUBBLE_sum", "TCC_EA0_WRREQ_sum",
        "TCC_EA0_WRREQ_64B_sum", "TCP_TCC_READ_REQ_sum", "TCP_TCC_WRITE_REQ_sum",
        "TCP_TCC_ATOMIC_WITH_RET_REQ_sum", "TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum",
        "TCP_TOTAL_CACHE_ACCESSES_sum", "SQ_LDS_IDX_ACTIVE", "SQ_LDS_BANK_CONFLICT"}) {
    measured.counters[name] = {0, 1, false};
  }
  for (const auto& [name, value] : counters) measured.counters[name] = {value, 1, false};
  MetricInputs inputs =
      metric_inputs(measured.counters, gpu("MI300X"), "made up", Provenance::recorded);
  return kernel_roofline(std::move(measured), std::move(inputs), ceilings);
}

}  // namespace rpl::test
