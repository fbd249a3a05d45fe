// SPDX-License-Identifier: MIT
// Evidence that somebody else made. Its files stand in the input one after the other, with zero bytes between them: manifest.json, seal, measurement.json,
// verdict.json, patch.diff, base.hip, candidate.hip, and what is left is both code objects. The input is also the archive, before it is compressed.
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/sha256.h"
#include "engine/capture/zstd_stream.h"
#include "engine/optimize/evidence/bundle.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_audit(const rpl::EvidenceFiles& files) {
  const rpl::AuditReport report = rpl::audit(files);
  bool intact = true;
  for (const rpl::AuditFinding& finding : report.findings) intact = intact && finding.intact;
  require(report.intact == intact && !report.findings.empty());
  // Nothing counts as whole whose manifest is not the sealed one.
  const auto manifest = files.find(rpl::kEvidenceManifest), seal = files.find(rpl::kEvidenceSeal);
  const bool sealed = manifest != files.end() && seal != files.end() &&
                      seal->second.starts_with(rpl::sha256_hex(manifest->second));
  require(sealed || !report.intact);
}

void check_archive(std::string_view bytes) {
  static const std::string path = (std::filesystem::temp_directory_path() /
                                   ("rpl-evidence-fuzzer-" + std::to_string(::getpid())))
                                      .string();
  std::remove(path.c_str());
  auto out = rpl::ZstdWriter::create(path);
  require(out.has_value() && out->write(std::as_bytes(std::span(bytes))).has_value() &&
          out->finish().has_value());
  const auto files = rpl::read_evidence(path);
  std::remove(path.c_str());
  if (!files) return;
  for (const auto& [name, content] : *files)
    require(name.find('/') == std::string::npos && content.size() <= bytes.size());
  check_audit(*files);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  constexpr std::array kParts{rpl::kEvidenceManifest,       rpl::kEvidenceSeal,
                              rpl::kEvidenceSamples,        rpl::kEvidenceVerdict,
                              rpl::kEvidencePatch,          rpl::kEvidenceBaseSource,
                              rpl::kEvidenceCandidateSource};
  rpl::EvidenceFiles files;
  std::string_view rest = all;
  for (const std::string_view name : kParts) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    files.emplace(name, rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  files.emplace(rpl::kEvidenceBaseObject, rest);
  files.emplace(rpl::kEvidenceCandidateObject, rest);
  check_audit(files);
  check_archive(all);
  return 0;
}
