// SPDX-License-Identifier: MIT
#include "engine/target/emu/emulated_database.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "engine/target/emu/emulated_rows.h"
#include "engine/trace/write/schema.h"

namespace rpl::profile {

using namespace emu::hip;

RunIdentity this_run() {
  RunIdentity out;
  utsname names{};
  if (::uname(&names) == 0) {
    out.host_name = names.nodename;
    out.kernel_name = names.sysname;
    out.kernel_release = names.release;
    out.kernel_version = names.version;
    out.hardware = names.machine;
  }
  std::ifstream("/etc/machine-id") >> out.machine_id;
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  constexpr std::uint64_t kMsPerS = 1000, kNsPerMs = 1'000'000;
  out.boot_ms = static_cast<std::uint64_t>(now.tv_sec) * kMsPerS +
                static_cast<std::uint64_t>(now.tv_nsec) / kNsPerMs;
  return out;
}

namespace {

/// Version 7: the first 48 bits are the time; the rest follows from machine, host and process: containers have hosts of their own.
std::string make_guid(const RunIdentity& identity, std::int64_t pid) {
  std::uint64_t mixed = static_cast<std::uint64_t>(pid) * 0x9e3779b97f4a7c15U;
  for (const char c : identity.machine_id)
    mixed = (mixed ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  for (const char c : identity.host_name)
    mixed = (mixed ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  constexpr unsigned kLow = 16;
  return fmt::format("{:08x}-{:04x}-7{:03x}-8{:03x}-{:012x}",
                     identity.boot_ms >> kLow & 0xffffffffU, identity.boot_ms & 0xffffU,
                     mixed & 0xfffU, mixed >> 12 & 0xfffU, mixed >> kLow);
}

Status write_rows(Rows& rows, const Recording& recording) {
  for (const emu::hip::Record& record : recording.records)
    TRY(std::visit([&](const auto& value) { return rows.add(value); }, record));
  return rows.finish();
}

}  // namespace

Status write_emulated_database(const Recording& recording, const RunIdentity& identity,
                               const std::string& path) {
  const auto* process =
      recording.records.empty() ? nullptr : std::get_if<ProcessRecord>(&recording.records.front());
  if (process == nullptr)
    return fail(Errc::corrupt, "the recording does not say which process it is of");
  const std::string guid = make_guid(identity, process->pid);
  std::string suffix = "_" + guid;
  std::ranges::replace(suffix, '-', '_');
  const std::string part = path + ".part";
  ::unlink(part.c_str());
  {
    Database database = TRY(Database::create_plain(part));
    // A Ctrl-C ended the program, not the writing of what it had done.
    sqlite3_progress_handler(database.handle(), 0, nullptr, nullptr);
    TRY(database.execute(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON"));
    const auto tables = rocpd::tables_of({3, 0, 0}, false);
    TRY(database.execute(rocpd::create_tables_sql(tables, suffix, guid)));
    TRY(database.execute(rocpd::create_site_tables_sql(suffix)));
    TRY(database.execute(rocpd::create_views_sql(tables, suffix, {3, 0, 0})));
    TRY(database.execute("BEGIN"));
    Rows rows(database, suffix, identity);
    TRY(rows.write_metadata(guid));
    TRY(write_rows(rows, recording));
    TRY(database.execute("COMMIT"));
  }
  if (std::rename(part.c_str(), path.c_str()) != 0)
    return fail(Errc::io, fmt::format("cannot write {}", path));
  return {};
}

}  // namespace rpl::profile
