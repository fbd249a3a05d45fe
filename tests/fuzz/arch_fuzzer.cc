// SPDX-License-Identifier: MIT
// Any bytes as an architecture file and as the value of a fact: what is taken can be added to the catalogue, resolved, and used for peaks and
// occupancy without a number that is none.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "engine/arch/arch_file.h"
#include "engine/arch/catalogue.h"
#include "engine/arch/occupancy.h"
#include "engine/arch/peaks.h"
#include "engine/arch/resolve.h"

namespace {

using namespace rpl::arch;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_gpu(const Gpu& gpu) {
  for (const Fact* fact : gpu.facts())
    require(!fact->is_number() || std::isfinite(*gpu.number(fact->key)));
  for (const Level level : kLevels) {
    if (const auto peak = peak_bandwidth(gpu, level)) require(*peak->value >= 0);
  }
  for (const DataType type : kDataTypes) {
    if (const auto peak = peak_flops(gpu, type, Pipe::vector)) require(*peak->value >= 0);
  }
  const KernelResources kernel{
      .arch_vgprs = 128, .sgprs = 96, .lds_bytes = 4096, .workgroup_size = 256};
  if (const auto fits = occupancy(gpu, kernel)) {
    require(fits->occupancy >= 0 && fits->occupancy <= 1);
    require(fits->waves <= fits->wave_slots);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t space = text.find('=');
  if (space != text.npos)
    static_cast<void>(parse_fact(text.substr(0, space), text.substr(space + 1)));
  auto file = parse_arch_file("fuzz.arch", text, Origin::user);
  if (!file) return 0;
  require(!file->arch.empty() && !file->sections.empty() && file->sections.front().product.empty());
  Catalogue catalogue = Catalogue::builtin();
  const std::string arch = file->arch;
  catalogue.add(std::move(*file), Origin::user);
  for (const Identity& identity : catalogue.all()) {
    if (identity.arch != arch) continue;
    const auto gpu =
        resolve(catalogue, identity.product.empty() ? identity.arch : identity.product, {});
    if (gpu) check_gpu(*gpu);
  }
  return 0;
}
