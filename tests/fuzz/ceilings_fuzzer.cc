// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/metrics/counters/expression.h"
#include "engine/metrics/roofline/ceilings.h"

/// Any bytes as a roofline.csv and as a formula: errors are fine, values that are no ceilings are not.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("rpl-ceilings-" + std::to_string(::getpid())))
          .string();
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  const auto measured = rpl::read_measured_ceilings(path, -1);
  if (measured) {
    for (const auto& [level, gbps] : measured->gbps) {
      if (!std::isfinite(gbps) || gbps <= 0) std::abort();
    }
    rpl::measured_ceilings(*measured, {});
  }
  const auto formula = rpl::Expression::parse(text);
  if (formula) {
    const auto value = formula->evaluate([](std::string_view) { return 1.0; });
    if (formula->inputs().size() > size || (value && formula->text() != text)) std::abort();
  }
  return 0;
}
