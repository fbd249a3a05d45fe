// SPDX-License-Identifier: MIT
// pwd: where names of files without a folder are looked for and written.
#include <filesystem>

#include "engine/document/bound.h"
#include "shell/core/command/define.h"

namespace rpl {
namespace {

struct WorkingFolder {
  std::string folder;
};

constexpr auto kWorkingFolderFields =
    bound_to<WorkingFolder>(column<&WorkingFolder::folder>("folder", "its path from the root"));

Result<Document> working_folder() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::current_path(error);
  if (error) {
    return fail(Errc::not_found, "the working folder is gone: " + error.message(),
                "leave rpl and start it in a folder that exists");
  }
  Document out;
  out.put(kWorkingFolderFields, WorkingFolder{folder.string()});
  out.text = folder.string();
  return out;
}

}  // namespace

void add_working_folder_command(Registry& registry) {
  add(registry, command(Command{.path = "pwd",
                                .does = kReads,
                                .chapter = Class::support,
                                .summary = "Show the working folder.",
                                .help = "Names of files without a folder are looked for in it and "
                                        "written to it; it is where rpl was started.",
                                .fields = described(kWorkingFolderFields),
                                .scalar = "folder",
                                .examples = {"pwd"}},
                        working_folder));
}

}  // namespace rpl
