// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/hashes.h"

#include <fmt/format.h>

#include <array>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/document/json.h"

namespace rpl {
namespace {

constexpr std::array<std::string_view, 5> kNames{"base", "candidate", "object", "evidence",
                                                 "before_approval"};

std::string_view name_of(JudgedFile which) { return kNames[static_cast<std::size_t>(which)]; }

}  // namespace

void keep_hash(Proposal& proposal, JudgedFile which, std::string_view content) {
  put(proposal.hashes, name_of(which), Value(sha256_hex(content)));
}

std::string kept_hash(const Proposal& proposal, JudgedFile which) {
  for (const auto& [name, value] : proposal.hashes) {
    const auto* text = value.as<std::string>();
    if (name == name_of(which) && text != nullptr) return *text;
  }
  return "";
}

Status check_hash(const Proposal& proposal, JudgedFile which, std::string_view content,
                  const std::string& path) {
  constexpr std::size_t kShown = 12;
  const std::string kept = kept_hash(proposal, which);
  const std::string now = sha256_hex(content);
  if (kept.empty() || kept == now) return {};
  return fail(
      Errc::denied,
      fmt::format("{} changed since {} was judged: sha256 {} then, {} now", path, proposal.id(),
                  kept.substr(0, kShown), now.substr(0, kShown)),
      "'step --again' verifies and times it again; 'propose edit FILE' proposes the changed text");
}

Status check_files(const Proposal& proposal, const std::string& base) {
  const auto check = [&](JudgedFile which, const std::string& path) -> Status {
    if (kept_hash(proposal, which).empty()) return {};
    return check_hash(proposal, which, TRY(read_text_file(path)), path);
  };
  TRY(check(JudgedFile::base, base));
  TRY(check(JudgedFile::candidate, proposal.candidate_source()));
  return check(JudgedFile::object, proposal.candidate_object());
}

std::string evidence_text(const Proposal& proposal) { return to_json(Value(proposal.evidence)); }

Status add_evidence(Proposal& proposal, Stage stage, Record facts) {
  TRY(check_hash(proposal, JudgedFile::evidence, evidence_text(proposal),
                 "the evidence of " + proposal.id()));
  put(proposal.evidence, to_string(stage), Value(std::move(facts)));
  keep_hash(proposal, JudgedFile::evidence, evidence_text(proposal));
  return {};
}

}  // namespace rpl
