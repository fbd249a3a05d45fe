// SPDX-License-Identifier: MIT
// roofline.csv of rocprof-compute: a row for each device, columns by release.
#include <fmt/format.h>

#include <cmath>

#include "engine/metrics/roofline/ceilings.h"
#include "engine/trace/import/csv/csv_table.h"

namespace rpl {
namespace {

using arch::DataType;
using arch::Level;
using arch::Pipe;

struct BandwidthColumn {
  std::string_view name;
  Level level;
};
constexpr BandwidthColumn kBandwidths[] = {{"HBMBw", Level::hbm},
                                           {"MALLBw", Level::mall},
                                           {"L2Bw", Level::l2},
                                           {"L1Bw", Level::vl1d},
                                           {"LDSBw", Level::lds}};

struct ComputeColumn {
  std::string_view name;
  Pipe pipe;
  DataType type;
};
constexpr ComputeColumn kRates[] = {
    {"FP16Flops", Pipe::vector, DataType::f16},
    {"FP32Flops", Pipe::vector, DataType::f32},
    {"FP64Flops", Pipe::vector, DataType::f64},
    {"MFMAF4Flops", Pipe::matrix, DataType::f4},
    {"MFMAF6Flops", Pipe::matrix, DataType::f6},
    {"MFMAF8Flops", Pipe::matrix, DataType::f8},
    {"MFMAF16Flops", Pipe::matrix, DataType::f16},
    {"MFMABF16Flops", Pipe::matrix, DataType::bf16},
    {"MFMAF32Flops", Pipe::matrix, DataType::f32},
    {"MFMAF64Flops", Pipe::matrix, DataType::f64},
    {"MFMAXF32Flops", Pipe::matrix, DataType::xf32},
    {"MFMAI8Ops", Pipe::matrix, DataType::i8},
};

/// A device has a handful of GPUs; more rows than this are no such file.
constexpr std::size_t kMaxDevices = 4096;

std::optional<double> positive(CsvTable& table, std::size_t column) {
  const double value = table.number(column);
  if (!std::isfinite(value) || value <= 0) return std::nullopt;
  return value;
}

MeasuredCeilings row_of(CsvTable& table, std::int64_t device) {
  MeasuredCeilings out;
  out.path = table.name();
  out.device = device;
  for (const auto& [name, level] : kBandwidths) {
    if (const auto gbps = positive(table, table.column(name))) out.gbps[level] = *gbps;
  }
  for (const auto& [name, pipe, type] : kRates) {
    if (const auto gflops = positive(table, table.column(name))) out.gflops[{pipe, type}] = *gflops;
  }
  return out;
}

}  // namespace

Result<MeasuredCeilings> read_measured_ceilings(const std::string& path, std::int64_t device) {
  CsvTable table = TRY(CsvTable::open(path));
  const std::size_t id = table.column("device");
  if (id == CsvTable::kAbsent || !table.has("HBMBw")) {
    return fail(Errc::unsupported, path + " holds no measured ceilings (columns device, HBMBw, …)",
                "rocprof-compute writes roofline.csv into the folder of a workload");
  }
  std::optional<MeasuredCeilings> found;
  std::string devices;
  for (std::size_t row = 0; TRY(table.next()); ++row) {
    if (row >= kMaxDevices)
      return fail(Errc::limit, path + " has too many rows for a roofline.csv");
    const std::int64_t number = table.integer(id);
    if (row < 64) devices += fmt::format("{}{}", devices.empty() ? "" : ", ", number);
    if (!found && (device < 0 || number == device)) found = row_of(table, number);
  }
  if (found) return *found;
  return fail(Errc::not_found, fmt::format("{} has no device {}", path, device),
              devices.empty() ? "it has no rows" : "it has " + devices);
}

}  // namespace rpl
