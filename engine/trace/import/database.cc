// SPDX-License-Identifier: MIT
#include "engine/trace/import/database.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/base/output_file.h"
#include "engine/trace/bytes/byte_source.h"

namespace rpl {
namespace {

constexpr std::string_view kFile = "recording.db";
constexpr std::size_t kUnpackedChunkBytes = std::size_t{1} << 20;
/// Of what the file system has left: others use it too.
constexpr std::uint64_t kShareOfRoom = 2;

std::uint64_t room_in(const std::string& folder) {
  struct statvfs status{};
  if (::statvfs(folder.c_str(), &status) != 0) return 0;
  return std::uint64_t{status.f_bavail} * status.f_frsize / kShareOfRoom;
}

Status unpack(const ByteSource& source, const std::string& to, std::uint64_t room,
              const Monitor& monitor) {
  OutputFile file = TRY(OutputFile::create(to, OutputFile::Place::passing));
  std::vector<char> chunk(kUnpackedChunkBytes);
  std::uint64_t done = 0;
  while (true) {
    const std::size_t got = TRY(source.read_at(done, chunk));
    done += got;
    if (done > room) {
      return fail(
          Errc::limit,
          fmt::format("{} unpacks to more than {}, half of what is free in {}", source.name(),
                      format_bytes(room), to.substr(0, to.find_last_of('/'))),
          fmt::format("set TMPDIR to a folder with more room, or unpack it yourself: '{}'",
                      unpack_command(source.packing(), source.name())));
    }
    TRY(file.write(OutputBytes::raw({chunk.data(), got})));
    monitor.report("unpacking", source.used(done), source.size());
    if (got < chunk.size()) break;
  }
  if (source.cut_short()) {
    return fail(Errc::corrupt,
                fmt::format("{} is cut short: its packed stream does not end", source.name()),
                "copy or record it again");
  }
  return file.commit();
}

}  // namespace

Result<std::shared_ptr<ForeignDatabase>> open_recorded_database(const std::string& path,
                                                                const Monitor& monitor) {
  const ByteSource source = TRY(ByteSource::open_unpacked(path));
  if (source.packing() == Packing::none) return ForeignDatabase::open(path);
  ScratchFolder folder = TRY(ScratchFolder::make("unpacked"));
  const std::string to = fmt::format("{}/{}", folder.path(), kFile);
  TRY(unpack(source, to, room_in(folder.path()), monitor));
  return ForeignDatabase::open_unpacked(path, std::move(folder), std::string(kFile));
}

Result<Verification> verify_recording(const std::string& path, const Monitor& monitor) {
  const std::shared_ptr<ForeignDatabase> database = TRY(open_recorded_database(path, monitor));
  return verify_database(*database, monitor);
}

}  // namespace rpl
