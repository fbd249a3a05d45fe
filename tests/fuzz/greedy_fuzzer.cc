// SPDX-License-Identifier: MIT
// Takes as many MiB as its input says, in one piece or in pieces of 1 MiB, and hides that memory was short: what holds the fuzzers to their budget must
// end it all the same.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  const std::size_t mib = std::strtoul(text.c_str() + std::min<std::size_t>(1, size), nullptr, 10);
  try {
    if (text.starts_with('1')) {
      std::vector<char> all(mib * kMiB, 'x');
      return all.size() == mib * kMiB ? 0 : 1;
    }
    // Not written to: addresses are what is counted before there is no more memory, and machines differ in how fast they give pages.
    std::vector<std::unique_ptr<char[]>> pieces;
    for (std::size_t i = 0; i < mib; ++i)
      pieces.push_back(std::make_unique_for_overwrite<char[]>(kMiB));
  } catch (const std::bad_alloc&) {
  }
  return 0;
}
