// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/document/value.h"

namespace rpl {

/// A key of the JSON object that a tool is called with.
struct ToolKey {
  std::string name;  ///< "top_k"
  std::string
      type;  ///< of JSON Schema: string, integer, number, boolean, object; of each element where `repeated`
  std::string help = {};  ///< what it says, a few words
  std::vector<std::string> choices = {};
  bool required = false;
  bool repeated = false;  ///< an array; one value stands for an array of it
};

/// What JSON Schema says of an object with these keys and no others.
Record keys_schema(std::span<const ToolKey> keys);

/// Whether `given` has known keys alone, those that are required, and values of their types. Fails with usage; sentence and hint name keys of JSON, also the
/// one that another word for it stands for.
Status check_keys(std::string_view tool, std::span<const ToolKey> keys, const Record& given);

}  // namespace rpl
