// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/document/value.h"

namespace rpl::diagnose {

/// profile.json of this program or of the older tool, whose shape both share: schema_version "1.x", kernel, gpu, runtime_ms and what was
/// asked for beside them.
struct ProfileDocument {
  std::string path;
  std::string version;       ///< "1.0"
  std::string kernel;        ///< the dominant one
  std::string architecture;  ///< "gfx942", "" when unknown
  bool older_tool = false;   ///< it has no `schema`, which ours have
  /// Every number, text and truth value by its dotted path, in the order of the document: "roofline.flops". Nulls are left out, and so is
  /// what comes a second time under one path.
  std::vector<std::pair<std::string, Value>> leaves;

  [[nodiscard]] const Value* find(std::string_view leaf) const;
};

/// Whether a text may be such a document, by its first kilobytes.
bool may_be_profile(std::string_view beginning);
/// The same for a file; false for one that cannot be read.
bool is_profile_file(const std::string& path);

/// Fails with corrupt for what is no such document, and with unsupported for a major version other than 1.
Result<ProfileDocument> parse_profile(std::string_view text, const std::string& path);
Result<ProfileDocument> read_profile(const std::string& path);

/// One field that either document has.
struct ProfileDifference {
  std::string field;
  Value before, after;  ///< null where a document lacks it
};
/// Fields that differ, in the order of `before`, then those that only `after` has; schema, provenance, notes and recording aside.
std::vector<ProfileDifference> differences(const ProfileDocument& before,
                                           const ProfileDocument& after);

/// What must be known before the two are compared: another kernel, another GPU, numbers of the older tool.
std::vector<std::string> comparison_notes(const ProfileDocument& before,
                                          const ProfileDocument& after);

}  // namespace rpl::diagnose
