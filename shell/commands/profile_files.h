// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "shell/command/registry.h"
#include "shell/commands/roofline_view.h"

/// The documents that stay of an analysis: profile.json, roofline.json, dag.json, analysis.json.
namespace rpl {

/// What a document holds that is no result of the command of its name; its JSON Schema is written like that of a command.
struct DocumentShape {
  std::string schema;   ///< "rpl.profile/1"
  std::string summary;  ///< a sentence
  std::vector<Column> fields, columns;
};
/// All of them.
std::vector<DocumentShape> document_shapes();
/// Fails the program for an unknown schema.
DocumentShape document_shape(std::string_view schema);

/// The command `profile`, which runs a program first; called by add_profile_commands().
void add_profile_run_commands(Registry& registry);

/// Whether a numbered folder is made, so that of two shells that ask at once each has its own, or only free.
enum class Numbered { made, free };
/// KIND/N of the session ("profiles", "captures"): the first N that is free. Fails where there can be no session.
Result<std::string> numbered_folder(Context& context, std::string_view kind, Numbered state);

/// profile.json: the older tool's keys ("schema_version" 1.0), of the kernel with most time or, for `critical`, of the one that dominates the
/// critical path, with ours beside them. One recording is one run, so that its spread is null. Fails as `classify` does.
Result<Document> profile_of_trace(Context& context, const RooflineArgs& args,
                                  bool critical = false);
/// Writes one as profile.json into the folder.
Status write_profile_document(const Document& profile, const std::string& folder);
/// analysis.json: each kernel with label, evidence, needs, headroom, occupancy and thread trace.
Result<Document> analysis_of_trace(Context& context, const RooflineArgs& args);
/// dag.json, written node by node and edge by edge: "nodes", "edges" (class and evidence), and per kernel criticality, slack, overlap, priority.
struct WrittenFile {
  std::string document, path, holds;
  std::uint64_t bytes = 0;
};
Result<WrittenFile> write_dag_document(Context& context, const RooflineArgs& args,
                                       const std::string& path);
/// roofline.json: what `roofline` returns.
Result<Document> roofline_document(Context& context, const RooflineArgs& args);
/// All four into a folder, which is made. Each appears complete or not at all; a failure leaves those before it.
Result<std::vector<WrittenFile>> write_profile_files(Context& context, const RooflineArgs& args,
                                                     const std::string& folder);

}  // namespace rpl
