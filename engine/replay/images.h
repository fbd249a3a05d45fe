// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "engine/capture/capture.h"
#include "engine/replay/replay.h"

namespace rpl {

/// Where one region differs from the post image.
struct ImageDifference {
  std::size_t region = 0;
  std::uint64_t first_offset = 0;     ///< bytes from the region's base
  std::uint64_t differing_bytes = 0;  ///< all of them
};

enum class ImageMatch { matched, differs, not_captured };
/// "matched", "differs", "not-captured".
std::string_view to_string(ImageMatch match);

struct ImageComparison {
  ImageMatch match = ImageMatch::not_captured;
  std::vector<ImageDifference> differences;  ///< by region, only those that differ
};

/// What a region held after the captured dispatch. Only of captures with has_after.
const std::vector<std::byte>& after_of(const CapturedRegion& region);

/// Compares memory byte by byte with what the capture holds of it after the dispatch. Fails with interrupted.
Result<ImageComparison> compare_with_post_image(const Capture& capture, const MemoryImage& memory);

/// Where two byte ranges of one size differ, or nothing. `region` is copied into the result. Fails with interrupted.
Result<std::optional<ImageDifference>> difference_of(std::size_t region,
                                                     std::span<const std::byte> expected,
                                                     std::span<const std::byte> found);

/// The symbol of a captured variable in the code that runs, which may be another build and place it elsewhere: by name and size, as one of
/// another size is another variable. Null when that code has none. `load_base`: where the code lies.
const isa::Symbol* symbol_of_variable(const CapturedRegion& region, const isa::CodeObject& object,
                                      std::uint64_t load_base);

/// The explicit part of the captured arguments: hidden ones are made again, since those of the captured process point to nothing here.
std::vector<std::byte> explicit_part(const DispatchView& dispatch, const isa::Kernel& kernel);

}  // namespace rpl
