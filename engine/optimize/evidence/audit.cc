// SPDX-License-Identifier: MIT
#include "engine/optimize/evidence/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/sha256.h"
#include "engine/document/json_parse.h"
#include "engine/document/records.h"
#include "engine/isa/object/code_object.h"
#include "engine/optimize/loop/physical_floor.h"
#include "engine/optimize/loop/screen.h"
#include "engine/optimize/measure/decision_value.h"
#include "engine/optimize/rules/diff.h"

namespace rpl {
namespace {

/// One audit under way.
class Audit {
 public:
  explicit Audit(const EvidenceFiles& files) : files_(files) {}

  AuditReport run() {
    read_manifest();
    check_files();
    const Value verdict = parsed(kEvidenceVerdict);
    const Value* stages = verdict.find("stages");
    if (stages != nullptr && stages->as<Record>() != nullptr) stages_ = *stages->as<Record>();
    for (const SampledStage& sampled : kSampledStages) check_stage(sampled);
    check_floor();
    check_patch();
    check_code();
    return std::move(report_);
  }

 private:
  void note(std::string what, bool intact, std::string message) {
    report_.intact = report_.intact && intact;
    report_.findings.push_back({std::move(what), intact, std::move(message)});
  }

  [[nodiscard]] const std::string* file(std::string_view name) const {
    const auto found = files_.find(name);
    return found == files_.end() ? nullptr : &found->second;
  }

  /// A JSON file; null, and noted, when it is none.
  Value parsed(std::string_view name) {
    const std::string* text = file(name);
    if (!text) {
      note(std::string(name), false, "is missing");
      return {};
    }
    auto value = parse_json(*text);
    if (value) return std::move(*value);
    note(std::string(name), false, "is not JSON: " + value.error().message);
    return {};
  }

  void read_manifest() {
    const std::string* text = file(kEvidenceManifest);
    const std::string* seal = file(kEvidenceSeal);
    sealed_ = text && seal && seal->substr(0, seal->find('\n')) == sha256_hex(*text);
    note(std::string(kEvidenceSeal), sealed_,
         sealed_ ? "is that of the manifest"
                 : "is not the hash of the manifest: one of the two was altered");
    const Value value = parsed(kEvidenceManifest);
    if (value.is_null()) return;
    auto read = from_value<EvidenceManifest>(value, kEvidenceManifest, &report_.notes);
    if (read)
      report_.manifest = std::move(*read);
    else
      note(std::string(kEvidenceManifest), false, read.error().message);
  }

  void check_files() {
    constexpr std::array kHashed{kEvidenceBaseSource, kEvidenceCandidateSource,
                                 kEvidenceBaseObject, kEvidenceCandidateObject,
                                 kEvidencePatch,      kEvidenceSamples,
                                 kEvidenceVerdict};
    for (const std::string_view name : kHashed) check_file(name);
    // Those that not every proposal has.
    for (const std::string_view name : {kEvidenceAgain, kEvidenceConfirm}) {
      if (file(name) || !hash_of(name).empty()) check_file(name);
    }
  }

  /// As the manifest has it; "" for none.
  [[nodiscard]] std::string hash_of(std::string_view name) const {
    const auto found = report_.manifest.sha256.find(std::string(name));
    return found == report_.manifest.sha256.end() ? "" : found->second;
  }

  void check_file(std::string_view name) {
    const std::string* content = file(name);
    if (!content) {
      note(std::string(name), false, "is missing");
    } else if (sha256_hex(*content) == hash_of(name)) {
      note(std::string(name), true, "has the hash of the manifest");
    } else {
      note(std::string(name), false,
           sealed_ ? "was altered: it has not the hash of the manifest"
                   : "has not the hash of the manifest, which was altered itself");
    }
  }

  /// Decides again on the samples of a stage. One that was not, or decided on no samples, says nothing.
  void check_stage(const SampledStage& sampled) {
    const bool first = sampled.file == kEvidenceSamples;
    if (!first && !file(sampled.file)) {
      if (value_in(stages_, sampled.stage, "ci_low"))
        note(std::string(sampled.called), false, "cannot be computed: its samples are missing");
      return;
    }
    const Value samples = parsed(sampled.file);
    check_samples(sampled, samples);
    auto input = decision_input_from(samples);
    const auto decision = input ? decide(*input) : Result<Decision>(Failure(input.error()));
    if (first) report_.recorded_verdict = text_in(stages_, sampled.stage, "verdict");
    if (!decision)
      return note(std::string(sampled.called), false,
                  "cannot be computed: " + decision.error().message);
    compare(sampled, *decision);
    if (!first) return;
    report_.recomputed = *decision;
    input_ = std::move(*input);
  }

  /// Which process's samples are others.
  void check_samples(const SampledStage& sampled, const Value& samples) {
    const auto found = sample_hashes(samples);
    const auto& wanted = report_.manifest.*sampled.hashes;
    if (!wanted || wanted->size() != found.size()) {
      const std::string what = sampled.file == kEvidenceSamples
                                   ? "samples"
                                   : fmt::format("samples of {}", sampled.called);
      return note(what, false,
                  fmt::format("{} processes were recorded, {} are there",
                              wanted ? wanted->size() : 0, found.size()));
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      if ((*wanted)[i] == found[i]) continue;
      note(fmt::format("process {} of {}", i + 1, sampled.file), false,
           "its samples are not those that were recorded");
    }
  }

  void compare(const SampledStage& sampled, const Decision& decision) {
    const std::string verdict = text_in(stages_, sampled.stage, "verdict");
    std::string differences;
    if (verdict != to_string(decision.verdict))
      differences = fmt::format("recorded {}, recomputed {}", verdict, to_string(decision.verdict));
    for (const auto& [field, value] :
         {std::pair("ratio", decision.ratio), std::pair("ci_low", decision.ci_low),
          std::pair("floor", decision.floor)}) {
      const double number = number_in(stages_, sampled.stage, field).value_or(NAN);
      constexpr double kRounding = 1e-9;
      if (std::abs(number - value) <= kRounding * std::abs(value)) continue;
      differences += fmt::format("{}{}: recorded {:.6f}, recomputed {:.6f}",
                                 differences.empty() ? "" : "; ", field, number, value);
    }
    const bool same = differences.empty();
    note(std::string(sampled.called), same,
         same ? fmt::format("{} again, ratio {:.4f}", to_string(decision.verdict), decision.ratio)
              : differences);
  }

  /// A time below what the machine allows proves nothing, however intact it is.
  void check_floor() {
    const Value* kept = value_in(stages_, "measure", "floor");
    const auto floor = kept ? physical_floor_from(*kept) : std::nullopt;
    if (!floor || !input_) return;
    const double ns = median_ns(input_->samples, &MeasuredBlock::b_ns);
    note("floor", ns >= floor->ns,
         ns >= floor->ns
             ? fmt::format("{:.1f} ns are not faster than the machine can", ns)
             : fmt::format("{:.1f} ns are faster than the machine can: {}", ns, floor->text()));
  }

  void check_patch() {
    const std::string* base = file(kEvidenceBaseSource);
    const std::string* candidate = file(kEvidenceCandidateSource);
    const std::string* patch = file(kEvidencePatch);
    if (!base || !candidate || !patch) return;
    // The first two lines name the file, which is the user's.
    const auto hunks = [](std::string_view text) {
      const std::size_t at = text.find("\n@@");
      return at == std::string_view::npos ? std::string_view() : text.substr(at);
    };
    const std::string again = unified_diff(*base, *candidate, "a", "b");
    const bool same = hunks(*patch) == hunks(again);
    note(
        "patch", same,
        same ? "is the difference of the two sources" : "is not the difference of the two sources");
  }

  void check_code() {
    const std::string* base = file(kEvidenceBaseObject);
    const std::string* candidate = file(kEvidenceCandidateObject);
    if (!base || !candidate) return;
    const auto opened = [](const std::string& bytes) {
      const auto span = std::as_bytes(std::span(bytes));
      return isa::CodeObject::parse({span.begin(), span.end()});
    };
    const auto a = opened(*base), b = opened(*candidate);
    if (!a || !b) return note("code", false, (a ? b : a).error().message);
    const auto reasons = screen(**a, **b, report_.manifest.kernel);
    if (!reasons) return note("code", false, reasons.error().message);
    note("code", reasons->empty(),
         reasons->empty() ? "other machine code of the same interface" : reasons->front().message);
  }

  const EvidenceFiles& files_;
  AuditReport report_;
  Record stages_;                       ///< of verdict.json
  std::optional<DecisionInput> input_;  ///< that the verdict follows from
  bool sealed_ = false;
};

}  // namespace

AuditReport audit(const EvidenceFiles& files) { return Audit(files).run(); }

}  // namespace rpl
