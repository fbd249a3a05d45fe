// SPDX-License-Identifier: MIT
#pragma once

#include "engine/capture/capture.h"

namespace rpl {

/// The symbol of a captured variable in the code that runs, which may be another build and place it elsewhere: by name and size, as one of
/// another size is another variable. Null when that code has none. `load_base`: where the code lies.
const isa::Symbol* symbol_of_variable(const CapturedRegion& region, const isa::CodeObject& object,
                                      std::uint64_t load_base);

/// The explicit part of the captured arguments: hidden ones are made again, since those of the captured process point to nothing here.
std::vector<std::byte> explicit_part(const Capture& capture, const isa::Kernel& kernel);

}  // namespace rpl
