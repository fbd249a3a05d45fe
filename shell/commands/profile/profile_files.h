// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/base/output_file.h"
#include "shell/commands/diagnose/roofline_view.h"
#include "shell/core/inputs/profile_shapes.h"

/// The documents that stay of an analysis: profile.json, roofline.json, dag.json, analysis.json.
namespace rpl {

/// profile.json: the older tool's keys ("schema_version" 1.0), of the kernel with most time or, for `critical`, of the one that dominates the
/// critical path, with ours beside them. One recording is one run, so that its spread is null. Fails as `classify` does.
Result<Profile> profile_of_trace(const Inputs& inputs, const RooflineArgs& args,
                                 bool critical = false);
/// Writes one as profile.json into the folder.
Status write_profile_document(const Profile& profile, const std::string& folder);
/// analysis.json: each kernel with label, evidence, needs, headroom, occupancy and thread trace.
Result<Document> analysis_of_trace(const Inputs& inputs, const RooflineArgs& args);
/// dag.json, written node by node and edge by edge: "nodes", "edges" (class and evidence), and per kernel criticality, slack, overlap, priority.
struct WrittenFile {
  std::string document, path, holds;
  std::uint64_t bytes = 0;
};
Result<WrittenFile> write_dag_document(const Inputs& inputs, const RooflineArgs& args,
                                       const std::string& path, OutputFile::Place place);
/// All four into a folder, which is made. Each appears complete or not at all; a failure leaves those before it. Fails with denied, having written
/// nothing, where the folder was `named` and holds one of them that may not be replaced (check_replaceable()).
Result<std::vector<WrittenFile>> write_profile_files(const Inputs& inputs, const RooflineArgs& args,
                                                     const std::string& folder,
                                                     OutputFile::Place place);

}  // namespace rpl
