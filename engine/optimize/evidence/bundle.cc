// SPDX-License-Identifier: MIT
#include "engine/optimize/evidence/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/capture/tar.h"
#include "engine/capture/zstd_stream.h"
#include "engine/document/json_text.h"
#include "engine/document/records.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

constexpr std::array kNames{kEvidenceManifest,   kEvidenceSeal,           kEvidenceSamples,
                            kEvidenceVerdict,    kEvidencePatch,          kEvidenceAgain,
                            kEvidenceConfirm,    kEvidenceBaseSource,     kEvidenceCandidateSource,
                            kEvidenceBaseObject, kEvidenceCandidateObject};
constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20U;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

Value reasons_of(const Proposal& proposal) {
  List out;
  for (const Reason& reason : proposal.reasons)
    out.emplace_back(
        Record{{"rule", reason.rule}, {"message", reason.message}, {"line", reason.line}});
  return Value(std::move(out));
}

constexpr std::string_view kEvidenceSchema = "rpl.evidence/1";

constexpr auto kManifest = bound_to<EvidenceManifest>(
    constant<EvidenceManifest, kEvidenceSchema>("schema"),
    column<&EvidenceManifest::program>("program").or_default(),
    column<&EvidenceManifest::proposal>("proposal").or_default(),
    column<&EvidenceManifest::kernel>("kernel").or_default(),
    column<&EvidenceManifest::title>("title").or_default(),
    column<&EvidenceManifest::origin>("origin").or_default(),
    column<&EvidenceManifest::architecture>("architecture").or_default(),
    column<&EvidenceManifest::flags>("flags").or_default(),
    column<&EvidenceManifest::proposal_flags>("proposal_flags").or_default(),
    column<&EvidenceManifest::assumes>("assumes").or_null().or_default(),
    column<&EvidenceManifest::target>("target").or_default(),
    column<&EvidenceManifest::time_source>("time_source").or_default(),
    column<&EvidenceManifest::model>("model").or_null().or_default(),
    column<&EvidenceManifest::samples>("samples_sha256").if_known(),
    column<&EvidenceManifest::again>("again_sha256").if_known(),
    column<&EvidenceManifest::confirm>("confirm_sha256").if_known(),
    column<&EvidenceManifest::sha256>("sha256"));

/// What the stages found, without the samples that stand in a file of their own.
Record without_samples(const Proposal& proposal) {
  Record out = proposal.evidence;
  for (auto& [stage, facts] : out) {
    if (facts.as<Record>() == nullptr) facts = Record{};
    std::erase_if(*facts.as<Record>(), [](const auto& field) { return field.first == "input"; });
  }
  return out;
}

constexpr auto kVerdict = bound_to<Proposal>(
    column<&Proposal::state>("state"), column<&Proposal::decided_by>("decided_at").or_null(),
    column<&reasons_of>("reasons"), column<&without_samples>("stages"));

void seal(EvidenceManifest manifest, EvidenceFiles& files) {
  for (const auto& [name, content] : files) manifest.sha256[name] = sha256_hex(content);
  std::string text = to_json(to_value(manifest)) + "\n";
  files.emplace(kEvidenceSeal, sha256_hex(text) + "\n");
  files.emplace(kEvidenceManifest, std::move(text));
}

/// "evidence/base.co" is base.co.
Result<std::string> name_in(std::string_view path, std::string& folder) {
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos || slash == 0)
    return fail(Errc::corrupt, fmt::format("{:?} lies in no folder", path));
  if (folder.empty()) folder = path.substr(0, slash);
  const std::string_view name = path.substr(slash + 1);
  if (path.substr(0, slash) != folder || std::ranges::find(kNames, name) == kNames.end())
    return fail(Errc::corrupt, fmt::format("{:?} belongs to no evidence", path));
  return std::string(name);
}

Result<EvidenceFiles> read_archive(const std::string& path) {
  ZstdReader in = TRY(ZstdReader::open(path));
  EvidenceFiles out;
  std::string folder;
  std::uint64_t total = 0;
  for (;;) {
    TarHeader header{};
    TRY(in.read(header));
    const auto entry = TRY(read_tar_header(header));
    if (!entry) return out;
    if (entry->kind == TarEntry::Kind::folder) continue;
    if (entry->kind != TarEntry::Kind::file)
      return fail(Errc::corrupt, fmt::format("{:?} is not a regular file", entry->name));
    std::string name = TRY(name_in(entry->name, folder));
    // Each summand is checked before it is added.
    if (entry->bytes > kMostBytes || (total += entry->bytes) > kMostBytes)
      return fail(Errc::limit, fmt::format("more than {} MiB", kMostBytes >> 20U));
    std::string content(entry->bytes, '\0');
    TRY(in.read(std::as_writable_bytes(std::span(content))));
    std::array<std::byte, kTarBlock> padding{};
    TRY(in.read(std::span(padding).first(tar_padding(entry->bytes))));
    if (!out.emplace(std::move(name), std::move(content)).second)
      return fail(Errc::corrupt, fmt::format("{:?} appears twice", entry->name));
  }
}

Result<EvidenceFiles> read_folder(const std::string& path) {
  EvidenceFiles out;
  std::uint64_t total = 0;
  for (const std::string_view name : kNames) {
    const fs::path file = fs::path(path) / name;
    std::error_code error;
    if (!fs::exists(fs::symlink_status(file, error))) continue;
    if (!fs::is_regular_file(fs::symlink_status(file, error)))
      return fail(Errc::corrupt, fmt::format("{} is not a regular file", name));
    const std::uint64_t bytes = fs::file_size(file, error);
    if (error || bytes > kMostBytes || (total += bytes) > kMostBytes)
      return fail(Errc::limit, fmt::format("more than {} MiB", kMostBytes >> 20U));
    out.emplace(name, TRY(read_text_file(file.string())));
  }
  if (out.empty())
    return fail(Errc::not_found, "no evidence is in it", "'export evidence' makes some");
  return out;
}

}  // namespace

Columns<EvidenceManifest> bound(const EvidenceManifest*) { return kManifest; }

std::vector<std::string> sample_hashes(const Value& measurement) {
  std::vector<std::string> out;
  const Value* processes = measurement.find("processes");
  const List* list = processes ? processes->as<List>() : nullptr;
  for (const Value& process : list ? *list : List{}) out.push_back(sha256_hex(to_json(process)));
  return out;
}

Result<EvidenceFiles> evidence_of(const Proposal& proposal, const Optimization& optimization,
                                  std::string_view program) {
  if (!value_in(proposal.evidence, "decide", "input")) {
    return fail(
        Errc::denied,
        fmt::format("{} was not measured: there is no verdict to prove", proposal.id()),
        proposal.open() ? fmt::format("'finish {}' takes it to its decision", proposal.id()) : "");
  }
  EvidenceFiles files;
  const auto take = [&](std::string_view name, const std::string& path) -> Status {
    files.emplace(name, TRY(read_text_file(path)));
    return {};
  };
  TRY(take(kEvidenceBaseSource, optimization.base_source()));
  TRY(take(kEvidenceBaseObject, optimization.base_object()));
  TRY(take(kEvidenceCandidateSource, proposal.candidate_source()));
  TRY(take(kEvidenceCandidateObject, proposal.candidate_object()));
  TRY(take(kEvidencePatch, proposal.patch()));
  files.emplace(kEvidenceVerdict, to_json(to_value(kVerdict, proposal)) + "\n");
  EvidenceManifest manifest{.program = std::string(program),
                            .proposal = proposal.id(),
                            .kernel = optimization.kernel,
                            .title = proposal.title,
                            .origin = proposal.origin,
                            .architecture = optimization.architecture,
                            .flags = optimization.flags,
                            .proposal_flags = proposal.flags,
                            .assumes = proposal.assumes,
                            .target = text_in(proposal.evidence, "measure", "target"),
                            .time_source = text_in(proposal.evidence, "measure", "time_source"),
                            .model = text_in(proposal.evidence, "measure", "model")};
  for (const SampledStage& sampled : kSampledStages) {
    const Value* input = value_in(proposal.evidence, sampled.stage, "input");
    if (!input) continue;
    files.emplace(sampled.file, to_json(*input) + "\n");
    manifest.*sampled.hashes = sample_hashes(*input);
  }
  seal(std::move(manifest), files);
  return files;
}

Result<std::uint64_t> write_evidence(const EvidenceFiles& files, const std::string& path) {
  constexpr std::array<std::byte, kTarBlock> kZeros{};
  ZstdWriter out = TRY(ZstdWriter::create(path));
  for (const auto& [name, content] : files) {
    TRY(out.write(tar_header({.name = "evidence/" + name, .link = {}, .bytes = content.size()})));
    TRY(out.write(bytes_of(content)));
    TRY(out.write(std::span(kZeros).first(tar_padding(content.size()))));
  }
  // An archive ends with two blocks of zeros.
  for (int i = 0; i < 2; ++i) TRY(out.write(kZeros));
  return out.finish();
}

Result<EvidenceFiles> read_evidence(const std::string& path) {
  std::error_code error;
  auto files = fs::is_directory(path, error) ? read_folder(path) : read_archive(path);
  if (!files && !files.error().message.starts_with(path))
    return Failure(std::move(files).error().in(path));
  return files;
}

}  // namespace rpl
