// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/base/result.h"
#include "engine/table/document.h"

/// profile.json of this program and of the older tool, as documents of their own ("rpl.profile/1", "rpl.compare.profiles/1").
namespace rpl {

/// Every field of one.
Result<Document> profile_document(const std::string& path);
/// Fields that differ.
Result<Document> compare_profiles(const std::string& before, const std::string& after);

}  // namespace rpl
