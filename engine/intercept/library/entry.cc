// SPDX-License-Identifier: MIT
// librpl_capture.so: how the HSA runtime and rocprofiler-sdk find the capture tool. Either may load it; the tool is installed once.
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "engine/base/files.h"
#include "engine/intercept/tool.h"

#define RPL_VISIBLE __attribute__((visibility("default")))

namespace {

using rpl::intercept::Report;
using rpl::intercept::Settings;
using rpl::intercept::Tool;

rpl::Result<Tool*> start(void* root, const Settings& settings) {
  const auto tables = TRY(rpl::hsa::Tables::of(root));
  auto tool = TRY(Tool::make(tables, settings));
  tool->install(tables);
  // Whether it can be asked or not, it captures.
  (void)tool->listen();
  // The runtime may call back until the process ends, so nothing ever destroys it.
  return tool.release();
}

/// Tells why nothing is captured: in the report, and on stderr for who loaded the library by hand. The program goes on as without it.
void decline(const std::string& reports, const std::string& why) {
  if (reports.empty()) {
    std::fputs(("rpl_capture: not installed: " + why + "\n").c_str(), stderr);
    return;
  }
  Report report;
  report.pid = ::getpid();
  report.failure = why;
  (void)rpl::write_file(fmt::format("{}/{}.json", reports, report.pid), report_json(report));
}

std::string reports_folder() {
  const char* folder = std::getenv("RPL_CAPTURE_REPORTS");
  return folder == nullptr ? "" : folder;
}

void install(void* root) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  // The program shut the runtime down and starts it again: its tables are as they were.
  if (Tool* tool = rpl::intercept::installed_tool()) {
    if (const auto tables = rpl::hsa::Tables::of(root)) tool->install(*tables);
    return;
  }
  const auto settings = rpl::intercept::settings_from(
      [](const char* name) -> const char* { return std::getenv(name); });
  if (settings && !settings->wanted()) return;
  const auto tool =
      settings ? start(root, *settings) : rpl::Result<Tool*>(rpl::Failure(settings.error()));
  if (!tool) decline(reports_folder(), tool.error().message);
}

void finish() {
  Tool* tool = rpl::intercept::installed_tool();
  // A child that was forked and never executed anything has its parent's counts.
  if (tool == nullptr || tool->report().pid != ::getpid()) return;
  tool->write_report();
}

// rocprofiler-sdk (rocprofiler/registration.h, intercept_table.h), as far as it is needed.

struct ClientId {
  std::size_t size;
  const char* name;
  std::uint32_t handle;
};

struct Configuration {
  std::size_t size;
  int (*initialize)(void (*finalize)(ClientId), void* data);
  void (*finalize)(void* data);
  void* data;
};

constexpr int kHsaTable = 1;

void on_tables(int type, std::uint64_t, std::uint64_t, void** tables, std::uint64_t count, void*) {
  if (type == kHsaTable && count > 0) install(tables[0]);
}

}  // namespace

extern "C" {

RPL_VISIBLE bool OnLoad(void* table, std::uint64_t, std::uint64_t, const char* const*) {
  install(table);
  return true;
}

RPL_VISIBLE void OnUnload() {
  finish();
  if (Tool* tool = rpl::intercept::installed_tool()) tool->end();
}

RPL_VISIBLE Configuration* rocprofiler_configure(std::uint32_t, const char*, std::uint32_t,
                                                 ClientId* id) {
  using Register = int (*)(
      void (*)(int, std::uint64_t, std::uint64_t, void**, std::uint64_t, void*), int, void*);
  static Configuration configuration{.size = sizeof(Configuration),
                                     .initialize = [](void (*)(ClientId), void*) { return 0; },
                                     .finalize = [](void*) { finish(); },
                                     .data = nullptr};
  auto* call = reinterpret_cast<Register>(
      ::dlsym(RTLD_DEFAULT, "rocprofiler_at_intercept_table_registration"));
  if (id != nullptr) id->name = "rpl_capture";
  if (call == nullptr || call(on_tables, kHsaTable, nullptr) != 0) {
    decline(reports_folder(), "rocprofiler-sdk does not hand out the HSA runtime's tables");
    return nullptr;
  }
  return &configuration;
}
}

__attribute__((destructor)) static void rpl_capture_ends() {
  finish();
  Tool* tool = rpl::intercept::installed_tool();
  if (tool != nullptr && tool->report().pid == ::getpid()) tool->stop_listening();
}
