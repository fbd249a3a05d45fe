// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "engine/isa/object/bundle.h"

namespace rpl::isa {

/// "app#gfx942" as the path "app" and "gfx942"; nothing is split off where a file of the whole name exists.
std::pair<std::string, std::string> split_choice(const std::string& path);

/// The code objects of a file that `which` names: "gfx942", "2" (counted from 1), or nothing for those of the first architecture that this
/// build knows. At least one. Fails with not_found, which tells what there is.
Result<std::vector<Embedded>> chosen_objects(std::vector<Embedded> all, std::string_view which);

}  // namespace rpl::isa
