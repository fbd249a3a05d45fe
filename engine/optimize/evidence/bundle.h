// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/bound.h"
#include "engine/optimize/measure/decision.h"
#include "engine/optimize/store/proposal.h"

/// The evidence of a proposal as one file: a tar archive compressed with zstd, which `tar --zstd -x` reads, too.
namespace rpl {

/// Contents by name; all lie in one folder of the archive.
using EvidenceFiles = std::map<std::string, std::string, std::less<>>;

/// The names.
inline constexpr std::string_view kEvidenceManifest =
    "manifest.json";  ///< what it is about, and the SHA-256 of every other file
inline constexpr std::string_view kEvidenceSeal = "seal";  ///< SHA-256 of the manifest
inline constexpr std::string_view kEvidenceSamples =
    "measurement.json";  ///< rule, looks and raw samples: what the verdict follows from
inline constexpr std::string_view kEvidenceAgain =
    "again.json";  ///< likewise of the second measurement of the best of several; where there was one
inline constexpr std::string_view kEvidenceConfirm =
    "confirm.json";  ///< likewise of the whole application, where a clock timed it
inline constexpr std::string_view kEvidenceVerdict =
    "verdict.json";  ///< the decision, and what every stage found
inline constexpr std::string_view kEvidencePatch = "patch.diff";
inline constexpr std::string_view kEvidenceBaseSource = "base.hip",
                                  kEvidenceCandidateSource = "candidate.hip";
inline constexpr std::string_view kEvidenceBaseObject = "base.co",
                                  kEvidenceCandidateObject = "candidate.co";

/// The manifest: what the evidence is about, and the hashes of what is in it.
struct EvidenceManifest {
  std::string program;  ///< that wrote it
  std::string proposal, kernel, title, origin, architecture;
  std::vector<std::string> flags = {}, proposal_flags = {};
  std::string launch = {};  ///< how the candidate was launched otherwise; "" as it was captured
  std::string fusion =
      {};  ///< to_text(FusionPlan): which kernel takes the place of two; "" for none
  std::string second_kernel = {};  ///< then: the second of them, `kernel` is the first
  std::string assumes = {}, target = {}, time_source = {}, model = {};
  /// By process of a measurement, the SHA-256 of its samples: an audit can say which one was altered.
  std::optional<std::vector<std::string>> samples = {}, again = {}, confirm = {};
  std::map<std::string, std::string> sha256 = {};  ///< of the files
};
Columns<EvidenceManifest> bound(const EvidenceManifest*);

/// A stage that decided on samples, which stand in a file of their own.
struct SampledStage {
  std::string_view stage;  ///< "decide"
  std::string_view file;   ///< of the samples
  std::optional<std::vector<std::string>> EvidenceManifest::* hashes;
  std::string_view called;  ///< by an audit
};
inline constexpr std::array<SampledStage, 3> kSampledStages{
    {{"decide", kEvidenceSamples, &EvidenceManifest::samples, "verdict"},
     {"again", kEvidenceAgain, &EvidenceManifest::again, "again"},
     {"confirm", kEvidenceConfirm, &EvidenceManifest::confirm, "confirm"}}};

/// Collects the evidence of a proposal that was decided by measuring. `program`: name and version of who writes. Fails with denied for one that was not
/// measured, and as reading its files does.
Result<EvidenceFiles> evidence_of(const Proposal& proposal, const Optimization& optimization,
                                  std::string_view program);

/// Writes the archive; returns its bytes. Fails with denied when the file exists, io.
Result<std::uint64_t> write_evidence(const EvidenceFiles& files, const std::string& path);

/// Reads an archive, or the folder that one was unpacked to. Nothing in it is believed: only regular files of the names above, in one folder, of at most
/// 256 MiB in all. Fails with not_found, corrupt, limit, io.
Result<EvidenceFiles> read_evidence(const std::string& path);

/// SHA-256 of the samples of each process, in order.
std::vector<std::string> sample_hashes(const Value& measurement);

/// One thing that was checked.
struct AuditFinding {
  std::string
      what;  ///< "seal", a file's name, "process 3 of measurement.json", "verdict", "patch", "code"
  bool intact = false;
  std::string message;  ///< what it shows
};

/// What evidence proves.
struct AuditReport {
  bool intact = true;  ///< all findings are
  std::vector<AuditFinding> findings;
  EvidenceManifest manifest;
  std::vector<std::string> notes;  ///< which keys the manifest lacks
  std::string recorded_verdict;
  std::optional<Decision> recomputed;  ///< none: the samples cannot be read
};

/// Holds every file against the manifest and the manifest against the seal; decides again on the raw samples; makes the patch again of the two
/// sources; compares the two code objects again. Tells what does not fit; never fails, as that is what evidence may be like. A seal proves that nothing was changed by accident
/// or in one place, not who made it: who changes everything makes other evidence.
AuditReport audit(const EvidenceFiles& files);

}  // namespace rpl
