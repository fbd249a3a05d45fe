// SPDX-License-Identifier: MIT
// export profile, info profile: the documents that stay of an analysis.
#include <fmt/format.h>

#include <filesystem>

#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "engine/store/session.h"
#include "shell/commands/profile/profile_files.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/profile_view.h"
#include "shell/core/session/folders.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

struct ExportProfileArgs : RooflineArgs {
  std::string output;
};

constexpr auto kFileColumns =
    bound_to<WrittenFile>(column<&WrittenFile::document>("document", "its name"),
                          column<&WrittenFile::path>("path", "the file"),
                          column<&WrittenFile::bytes>("size_bytes", "its size"),
                          column<&WrittenFile::holds>("holds", "what is in it"));

constexpr auto kFolderFields =
    bound_to<ExportProfileArgs>(column<&ExportProfileArgs::output>("folder", "where they are"));

Result<Document> export_profile(const ExportProfileArgs& args, Inputs inputs, SessionLog& log) {
  ExportProfileArgs to = args;
  const auto place = to.output.empty() ? OutputFile::Place::own : OutputFile::Place::named;
  if (to.output.empty()) to.output = TRY(numbered_folder(log, "profiles", Numbered::made));
  const auto files = TRY(write_profile_files(inputs, args, to.output, place));
  Document out;
  out.put(kFolderFields, to);
  out.table(kFileColumns, files);
  out.text = fmt::format("wrote {}", to.output);
  for (const WrittenFile& file : files) {
    out.text +=
        fmt::format("\n  {:<14}{:>10}  {}", file.document, format_bytes(file.bytes), file.holds);
  }
  out.provenance = provenance_of(*TRY(loaded(inputs)).trace);
  const std::string written = (fs::path(to.output) / "profile.json").string();
  out.next = {"open " + written, "compare OLD.json " + written};
  return out;
}

struct ProfileArgs {
  std::string profile;
};

Result<Document> info_profile(const ProfileArgs& args, Inputs inputs) {
  return profile_document(TRY(profile_named(inputs, args.profile)));
}

constexpr const char* kExportHelp =
    "Writes profile.json (the kernel with most time: times, resources, occupancy, roofline, "
    "critical path, bottleneck; keys of the older tool, with ours beside them), roofline.json (the "
    "rows of `roofline` and the ceilings), dag.json (nodes, edges with class and evidence, "
    "criticality, slack and priority of kernels) and analysis.json (label, evidence, headroom, "
    "occupancy and thread trace of every kernel). They go to profiles/N of the session, or to "
    "--output DIR, in which they take the place of none that rpl did not make, except with "
    "--force. A recording is one run: its spread is null.";

}  // namespace

void add_export_profile_commands(Registry& registry) {
  add(registry,
      command<ExportProfileArgs>(
          Command{.path = "export profile",
                  .does = {rpl::Capability::read, rpl::Capability::write},
                  .chapter = Class::exporting,
                  .summary = "Write profile.json, roofline.json, dag.json and analysis.json.",
                  .help = kExportHelp,
                  .fields = described(kFolderFields),
                  .columns = described(kFileColumns),
                  .scalar = "folder",
                  .examples = {"export profile --output out --trace TRACE"},
                  .changes_program = true},
          with_roofline<ExportProfileArgs>({option("output", &ExportProfileArgs::output,
                                                   "the folder; made when it does not exist")
                                                .or_letter('o')
                                                .needs({rpl::Capability::write})
                                                .writes_file()
                                                .named("DIR")
                                                .completes(Complete::file)}),
          export_profile));
  add(registry,
      command(Command{.path = "info profile",
                      .does = kReads,
                      .chapter = Class::status,
                      .summary = "Show what a profile document says.",
                      .help = "Every field of profile.json, of this program or of the older tool. "
                              "`open profile.json` keeps one open as prof1; a file that is not "
                              "open is opened. Without a name it is the one opened or used last.",
                      .fields = profile_fields(),
                      .columns = profile_columns(),
                      .scalar = "kernel",
                      .examples = {"info profile PROFILE"}},
              {arg("profile", &ProfileArgs::profile, "prof1 or a file").completes(Complete::file)},
              info_profile));
}

}  // namespace rpl
