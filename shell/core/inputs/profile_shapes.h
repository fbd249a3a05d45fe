// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/document/document.h"

namespace rpl {

/// What a document holds that is not a result of the command of its name; its JSON Schema is written like that of a command.
struct DocumentShape {
  std::string schema;   ///< "rpl.profile/1"
  std::string summary;  ///< a sentence
  std::vector<Column> fields, columns;
};
/// All of them.
std::vector<DocumentShape> document_shapes();
/// Fails the program for an unknown schema.
DocumentShape document_shape(std::string_view schema);

}  // namespace rpl
