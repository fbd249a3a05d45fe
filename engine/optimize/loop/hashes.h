// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/optimize/store/proposal.h"

namespace rpl {

/// What a proposal's files were when they were judged, so that no other text takes the place of one that was proven.
enum class JudgedFile { base, candidate, object, evidence, before_approval };

/// Keeps the hash of `content` with the proposal.
void keep_hash(Proposal& proposal, JudgedFile which, std::string_view content);

/// The kept hash; "" where none was kept.
std::string kept_hash(const Proposal& proposal, JudgedFile which);

/// Fails with denied where `content` is not what was kept, naming `path`. Passes where nothing was kept: records of earlier versions.
Status check_hash(const Proposal& proposal, JudgedFile which, std::string_view content,
                  const std::string& path);

/// check_hash() of the files of the proposal that are kept: candidate, its object, and `base`. Fails with not_found or io where one cannot be read.
Status check_files(const Proposal& proposal, const std::string& base);

/// Puts what a later stage found behind what the proposal was judged by, and keeps the hash of both. Fails as check_hash() does.
Status add_evidence(Proposal& proposal, Stage stage, Record facts);

/// The evidence as it is hashed.
std::string evidence_text(const Proposal& proposal);

}  // namespace rpl
