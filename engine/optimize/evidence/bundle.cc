// SPDX-License-Identifier: MIT
#include "engine/optimize/evidence/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/capture/pack.h"
#include "engine/capture/zstd_stream.h"
#include "engine/document/json.h"
#include "engine/document/records.h"
#include "engine/isa/object/code_object.h"
#include "engine/optimize/loop/other_inputs.h"
#include "engine/optimize/loop/physical_floor.h"
#include "engine/optimize/loop/screen.h"
#include "engine/optimize/measure/decision.h"
#include "engine/optimize/rules/diff.h"

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
    column<&EvidenceManifest::launch>("launch").or_null().or_absent(),
    column<&EvidenceManifest::fusion>("fusion").or_null().or_absent(),
    column<&EvidenceManifest::second_kernel>("second_kernel").or_null().or_absent(),
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
    return fail(Errc::corrupt, fmt::format("{:?} is in no folder of the evidence", path));
  if (folder.empty()) folder = path.substr(0, slash);
  const std::string_view name = path.substr(slash + 1);
  if (path.substr(0, slash) != folder || std::ranges::find(kNames, name) == kNames.end())
    return fail(Errc::corrupt, fmt::format("{:?} is not part of any evidence", path));
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
    return fail(Errc::not_found, "it holds no evidence", "'export evidence' makes some");
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
                            .launch = to_text(proposal.launch),
                            .fusion = to_text(proposal.fusion),
                            .second_kernel = text_in(proposal.evidence, "screen", "second_kernel"),
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
    check_other_inputs();
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

  /// A gain on the captured input alone is none, whatever the verdict says.
  void check_other_inputs() {
    const Value* kept = value_in(stages_, "decide", "other_inputs");
    if (!kept || kept->is_null() || !input_) return;
    const auto found = other_inputs_from(*kept);
    if (!found) return note("other inputs", false, "the times on other inputs cannot be read");
    const double ratio = number_in(stages_, "decide", "ratio").value_or(1);
    const auto against = held_elsewhere(*found, ratio, input_->rule);
    if (!against) return note("other inputs", false, against.error().message);
    const bool same = against->empty() == found->held;
    note("other inputs", same,
         !same              ? "the times on other inputs say otherwise than was recorded"
         : against->empty() ? "the gain is there, too"
                            : against->front().message);
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
    const auto reasons = screened(**a, **b);
    if (!reasons) return note("code", false, reasons.error().message);
    note("code", reasons->empty(),
         reasons->empty() ? "other machine code of the same interface" : reasons->front().message);
  }

  [[nodiscard]] Result<std::vector<Reason>> screened(const isa::CodeObject& base,
                                                     const isa::CodeObject& candidate) const {
    const EvidenceManifest& manifest = report_.manifest;
    const FusionPlan fusion = TRY(fusion_plan_from(manifest.fusion));
    // What is launched otherwise may be the same code.
    const LaunchShape launch{.changed = !manifest.launch.empty()};
    return fusion.empty() ? screen(base, candidate, manifest.kernel, launch)
                          : screen_fused(base, {manifest.kernel, manifest.second_kernel}, candidate,
                                         fusion.kernel, launch);
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
