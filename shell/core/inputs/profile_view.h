// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/document/document.h"
#include "engine/metrics/diagnose/profile_document.h"
#include "shell/core/session/inputs.h"
#include "shell/core/session/shelf.h"

/// profile.json of this program and of the older tool, open as prof1, prof2, …
namespace rpl {

using ProfileEntry = Shelf<diagnose::ProfileDocument>::Entry;

/// The document that "prof1", a path or nothing (the current one) names; a path that is not open is opened. It becomes current and $profile.
Result<ProfileEntry> profile_named(const Inputs& inputs, const std::string& reference);
/// "prof1: gemm on gfx942, 1.5 ms (profile document 1.0)".
std::string one_line(const ProfileEntry& entry);

/// What profile_document() has.
std::vector<Column> profile_fields();
std::vector<Column> profile_columns();
/// Every field of one.
Document profile_document(const ProfileEntry& entry);

/// Whether `name` is an open profile document or a file that holds one.
bool names_profile(const Inputs& inputs, const std::string& name);
/// What compare_profiles() has.
std::vector<Column> profiles_fields();
std::vector<Column> profiles_columns();
/// Fields that differ ("rpl.compare.profiles/1"). When one of the two is not a profile document, fails with a sentence that says what each
/// is and what to type.
Result<Document> compare_profiles(const Inputs& inputs, const std::string& before,
                                  const std::string& after);

/// "rpl.analysis/1" for a document of this program that `open` does not take; "" for other files.
std::string document_schema_of(const std::string& path);

}  // namespace rpl
