// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/optimize/evidence/bundle.h"
#include "engine/optimize/measure/decision.h"

namespace rpl {

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
