// SPDX-License-Identifier: MIT
// export profile, info profile: the documents that stay of an analysis.
#include <fmt/format.h>

#include <filesystem>

#include "engine/base/units.h"
#include "engine/store/session.h"
#include "shell/commands/profile/profile_files.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/profile_view.h"
#include "shell/core/session/context.h"
#include "shell/core/session/folders.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

struct ExportProfileArgs : RooflineArgs {
  std::string output;
};

Result<Document> export_profile(Context& context, const ExportProfileArgs& args) {
  const std::string folder =
      args.output.empty() ? TRY(numbered_folder(context.log(), "profiles", Numbered::made)) : args.output;
  Document out;
  out.set("folder", folder);
  out.text = fmt::format("wrote {}", folder);
  for (const WrittenFile& file : TRY(write_profile_files(context, args, folder))) {
    out.rows.push_back(
        {Value(file.document), Value(file.path), Value(file.bytes), Value(file.holds)});
    out.text +=
        fmt::format("\n  {:<14}{:>10}  {}", file.document, format_bytes(file.bytes), file.holds);
  }
  out.provenance = provenance_of(*TRY(loaded(context)).trace);
  const std::string written = (fs::path(folder) / "profile.json").string();
  out.next = {"open " + written, "compare OLD.json " + written};
  return out;
}

struct ProfileArgs {
  std::string profile;
};

Result<Document> info_profile(Context& context, const ProfileArgs& args) {
  return profile_document(TRY(profile_named(context, args.profile)));
}

constexpr const char* kExportHelp =
    "Writes profile.json (the kernel with most time: times, resources, occupancy, roofline, "
    "critical path, "
    "bottleneck; keys of the older tool, with ours beside them), roofline.json (the rows of "
    "`roofline` and the "
    "ceilings), dag.json (nodes, edges with class and evidence, criticality, slack and priority of "
    "kernels) and "
    "analysis.json (label, evidence, headroom, occupancy and thread trace of every kernel). They "
    "go to "
    "profiles/N of the session, or to --output DIR. A recording is one run: its spread is null.";

}  // namespace

void add_export_profile_commands(Registry& registry) {
  add(registry,
      command<ExportProfileArgs>(
          Command{.path = "export profile",
                  .chapter = Class::exporting,
                  .summary = "Write profile.json, roofline.json, dag.json and analysis.json.",
                  .help = kExportHelp,
                  .fields = {{"folder", Type::string, Unit::none, "where they are"}},
                  .columns = {{"document", Type::string, Unit::none, "its name"},
                              {"path", Type::string, Unit::none, "the file"},
                              {"size_bytes", Type::integer, Unit::bytes, "its size"},
                              {"holds", Type::string, Unit::none, "what is in it"}},
                  .scalar = "folder",
                  .examples = {"export profile --output out --trace TRACE"},
                  .changes_program = true},
          with_roofline<ExportProfileArgs>({option("output", &ExportProfileArgs::output,
                                                   "the folder; made when it does not exist")
                                                .or_letter('o')
                                                .named("DIR")
                                                .completes(Complete::file)}),
          export_profile));
  add(registry,
      command(
          Command{.path = "info profile",
                  .chapter = Class::status,
                  .summary = "Show what a profile document says.",
                  .help =
                      "Every field of profile.json, of this program or of the older tool. `open "
                      "profile.json` keeps one open as prof1; a file that is not open is opened. "
                      "Without a "
                      "name it is the one opened or used last.",
                  .fields = profile_fields(),
                  .columns = {{"field", Type::string, Unit::none, "dotted path"},
                              {"value", Type::any, Unit::none, "as written"}},
                  .scalar = "kernel",
                  .examples = {"info profile PROFILE"}},
          {arg("profile", &ProfileArgs::profile, "prof1 or a file").completes(Complete::file)},
          info_profile));
}

}  // namespace rpl
