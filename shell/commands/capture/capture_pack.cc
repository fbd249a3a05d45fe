// SPDX-License-Identifier: MIT
// capture pack, unpack: captures as one file.
#include "engine/capture/pack.h"

#include <fmt/format.h>

#include <filesystem>

#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "shell/commands/capture/capture_run.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/opened.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

/// A capture and the archive that it was put into or came from.
struct Archive {
  std::string id, path;
  Packed packed;
};

constexpr BoundColumn kSize =
    column<&Archive::packed, &Packed::bytes>("size_bytes", "of the files, equal ones once");

constexpr auto kPackFields = bound_to<Archive>(
    column<&Archive::id>("id", "the capture").as(Type::id),
    column<&Archive::path>("file", "the archive"),
    column<&Archive::packed, &Packed::files>("files", "in it"), kSize,
    column<&Archive::packed, &Packed::packed_bytes>("packed_bytes", "of the archive"));

constexpr auto kUnpackFields =
    bound_to<Archive>(column<&Archive::id>("id", "the capture, now open").as(Type::id),
                      column<&Archive::path>("path", "its folder"),
                      column<&Archive::packed, &Packed::files>("files", "unpacked"), kSize);

struct PackArgs {
  std::string capture, output;
};

Result<Document> run_pack(const PackArgs& args, Inputs inputs) {
  const CaptureEntry entry = TRY(capture_named(inputs, args.capture));
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(entry->path, error);
  const std::string name =
      (whole.filename().empty() ? whole.parent_path() : whole).filename().string();
  const std::string file = args.output.empty() ? name + ".tar.zst" : args.output;
  const Packed packed = TRY(pack_capture(entry->path, name, file));
  Document out;
  out.put(kPackFields, Archive{entry->id, file, packed});
  out.text =
      fmt::format("packed {} into {}: {} in {} files, {} packed", entry->path, file,
                  format_bytes(packed.bytes), packed.files, format_bytes(packed.packed_bytes));
  out.provenance = Provenance::recorded;
  return out;
}

/// More than any capture may have.
constexpr std::int64_t kMostMib = std::int64_t{1} << 20;

struct UnpackArgs {
  std::string file, output;
  std::int64_t limit_mib = 8192;
};

Result<Document> run_unpack(const UnpackArgs& args, Inputs inputs) {
  std::string folder = args.output;
  if (folder.empty()) folder = packed_name(args.file);
  if (folder.empty()) {
    std::error_code ignored;
    if (!fs::exists(args.file, ignored))
      return fail(Errc::not_found, fmt::format("{}: no such file", args.file), "check the path");
    return fail(Errc::corrupt, fmt::format("{} is not a packed capture", args.file),
                "packed captures are made by capture pack");
  }
  const Packed packed =
      TRY(unpack_capture(args.file, folder, static_cast<std::uint64_t>(args.limit_mib) << 20));
  const CaptureEntry entry = TRY(capture_named(inputs, folder));
  Document out;
  out.put(kUnpackFields, Archive{entry->id, entry->path, packed});
  out.text = fmt::format("{}\nunpacked into {}", one_line(entry), entry->path);
  note_self_check(entry->path, *entry->value, out);
  out.provenance = Provenance::recorded;
  out.next = {"capture info", "capture verify", "replay"};
  return out;
}

}  // namespace

void add_capture_pack_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "capture pack",
                  .does = {Capability::read, Capability::write},
                  .chapter = Class::files,
                  .summary = "Put a capture into one file, to send it.",
                  .help = "The file is a tar archive, compressed with zstd: `tar --zstd -xf` reads "
                          "it, too. Equal regions are stored once. Without `-o` "
                          "it goes to NAME.tar.zst in the current folder; a file of that name is "
                          "not replaced.",
                  .fields = described(kPackFields),
                  .scalar = "file",
                  .examples = {"capture pack CAPTURE -o sent.tar.zst"},
                  .changes_program = true},
          {arg("capture", &PackArgs::capture, "capture: a folder or c1; the current one without")
               .completes(Complete::capture),
           option("output", &PackArgs::output, "the file; must not exist")
               .or_letter('o')
               .needs({Capability::write})
               .named("FILE")
               .completes(Complete::file)},
          run_pack));
  add(registry,
      command(
          Command{.path = "capture unpack",
                  .does = {Capability::read, Capability::write},
                  .chapter = Class::files,
                  .summary = "Unpack a capture that came as one file, and open it.",
                  .help =
                      "Takes what `capture pack` makes, and a tar archive of a capture "
                      "folder that was compressed with zstd. The archive may come "
                      "from anywhere: it may hold nothing but the files of one capture, "
                      "every hash must be right, and the new folder appears whole "
                      "or not at all. What it unpacks to is known before any memory is written, "
                      "and must be within the limit and the free space. "
                      "Without `-o` the folder has the name that it had.",
                  .fields = described(kUnpackFields),
                  .scalar = "path",
                  .examples = {"capture unpack PACKED -o received"},
                  .changes_program = true},
          {arg("file", &UnpackArgs::file, "the archive").required().completes(Complete::file),
           option("output", &UnpackArgs::output, "the new folder; must not exist")
               .or_letter('o')
               .needs({Capability::write})
               .named("DIR")
               .completes(Complete::file),
           option("limit", &UnpackArgs::limit_mib,
                  "MiB that it may unpack to; 0: no limit, whatever the disk has free")
               .named("MIB")
               .in(within(0, kMostMib))},
          run_unpack));
}

}  // namespace rpl
