// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "engine/source/text/source_text.h"

namespace rpl {

/// Where a file launches a kernel; ranges are of tokens.
struct LaunchSite {
  std::size_t line = 1;
  ByteRange whole = {};   ///< from the name that begins it to behind the closing bracket
  bool is_call = false;   ///< `hipLaunchKernelGGL(…)` instead of `kernel<<<…>>>(…)`
  ByteRange kernel = {};  ///< its name, with template arguments
  ByteRange grid = {}, workgroup = {};  ///< as written
  std::vector<ByteRange> more = {};  ///< dynamic LDS, then the stream, as far as they are written
  std::vector<ByteRange> arguments = {};
};

/// The places where `kernel`, an unqualified name, is launched as `kernel<<<grid, workgroup, lds, stream>>>(…)`, with or without template arguments, and as
/// `hipLaunchKernelGGL(kernel, grid, workgroup, lds, stream, …)`; in the order of the text.
std::vector<LaunchSite> launch_sites(const SourceText& text, std::string_view kernel);

/// What tokens [begin, end) hold between commas that stand in no brackets.
std::vector<ByteRange> parts_between_commas(const SourceText& text, std::size_t begin,
                                            std::size_t end);

/// The text of a range of tokens as it stands in the file; "" for an empty one.
std::string_view written(const SourceText& text, ByteRange tokens);

}  // namespace rpl
