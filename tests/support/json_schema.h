// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/document/value.h"

namespace rpl::testing_support {

/// What of a value is not as its JSON Schema says, a sentence each with its place: "rows[3].mean_ns: is text, not number or null". Knows the words
/// that the project's schemas are written with; a schema with another word is itself a fault.
std::vector<std::string> schema_faults(const Value& value, const Value& schema);

/// The same for a document of ours and the schema of its name in `folder` (docs/schemas).
std::vector<std::string> faults_of_document(const std::string& json, const std::string& folder);

}  // namespace rpl::testing_support
