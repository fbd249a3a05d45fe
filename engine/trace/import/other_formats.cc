// SPDX-License-Identifier: MIT
#include "engine/trace/import/other_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rpl {
namespace {

using namespace std::string_view_literals;

/// FILE in a hint stands for the path.
constexpr std::string_view kAgain =
    "record it again: 'rocprofv3 --sys-trace --output-format rocpd -- APP'";
constexpr std::string_view kNvidia =
    "rpl reads recordings of AMD GPUs; port the program with 'hipify-perl', then record it with "
    "rocprofv3";

struct Format {
  std::string_view begins;    ///< the file's first bytes; "" says nothing
  std::string_view contains;  ///< among the first bytes
  std::string_view ends;      ///< the file's name, where the bytes are not enough
  std::string_view what;
  std::string_view hint;
};

constexpr std::array kFormats{
    Format{"\xfd\x37zXZ"sv, {}, {}, "is compressed with xz", "unpack it: 'xz -dk FILE'"},
    Format{"PK\x03\x04"sv, {}, {}, "is a zip archive", "unpack it: 'unzip FILE'"},
    Format{"NVR\0"sv, {}, {}, "is a report of Nsight Compute", kNvidia},
    Format{{}, {}, ".ncu-rep", "is a report of Nsight Compute", kNvidia},
    Format{{}, {}, ".nsys-rep", "is a report of Nsight Systems", kNvidia},
    Format{{},
           {},
           ".otf2",
           "is the anchor of an OTF2 archive, which rpl does not read",
           "open the rocpd database that it was converted from"},
    Format{{},
           {},
           ".xplane.pb",
           "is a profile of XLA's profiler (JAX, TensorFlow), which rpl does not read",
           "record the program itself: 'rocprofv3 --sys-trace --output-format rocpd -- python "
           "APP.py'"},
    Format{"[",
           "\"ph\":",
           {},
           "is a Chrome trace that is a list: rpl reads those of PyTorch's profiler alone",
           "open the database that it was made from (*.rpd, *.db), or record the program with "
           "rocprofv3"},
    Format{"{",
           "\"traceEvents\":[{}",
           {},
           "is results.json of rocprof version 1",
           "open the results.csv beside it, which has the kernels where they were timed, or record "
           "it again: 'rocprofv3 --sys-trace --output-format rocpd -- APP'"},
    Format{"{",
           "\"omnitrace\"",
           {},
           "is a profile of omnitrace: sums, without single launches",
           "let it write a recording: 'rocprof-sys-run --trace -- APP', or use rocprofv3"},
    Format{"{",
           "\"rocprofiler-systems\"",
           {},
           "is a profile of rocprof-sys: sums, without single "
           "launches",
           "let rocprofv3 record the program: 'rocprofv3 --sys-trace --output-format "
           "rocpd -- APP'"},
    Format{"[",
           "\"frame\"",
           {},
           "is a profile of Proton: sums over a tree of calls, without single "
           "launches",
           "record the program itself: 'rocprofv3 --kernel-trace --output-format rocpd "
           "-- python APP.py'"},
    Format{{},
           "\"Name\",\"Calls\",\"TotalDurationNs\"",
           {},
           "is a table of sums, without single "
           "launches",
           "open the recording that it was made from, or record it again: 'rocprofv3 "
           "--kernel-trace --output-format rocpd -- APP'"},
};

std::string filled(std::string_view hint, const std::string& path) {
  std::string text(hint);
  if (const std::size_t at = text.find("FILE"); at != std::string::npos) text.replace(at, 4, path);
  return text;
}

/// "5678:5679 1234:1234 hipLaunchKernel(…": times, process and thread; with HSA's calls behind lines of agents, "0x5932e0 agent cpu".
bool is_roctracer_text(std::string_view first) {
  if (first.starts_with("0x") && first.substr(0, first.find('\n')).find(" agent ") != first.npos)
    return true;
  const std::size_t blank = first.find(' ');
  if (blank == std::string_view::npos || blank == 0) return false;
  const std::string_view times = first.substr(0, blank);
  const bool digits =
      std::ranges::all_of(times, [](char c) { return (c >= '0' && c <= '9') || c == ':'; });
  return digits && std::ranges::count(times, ':') == 1 &&
         first.substr(blank + 1, 40).find(':') != std::string_view::npos;
}

/// A sequence of packets, each field 1 with a length (perfetto/trace/trace.proto): the name says so, or the first packets do.
bool is_perfetto(std::string_view path, std::string_view first) {
  if (!first.starts_with('\n')) return false;
  for (const std::string_view name : {".pftrace", ".perfetto-trace", ".proto"})
    if (path.ends_with(name)) return true;
  constexpr int kEnough = 3;
  int packets = 0;
  for (std::size_t at = 0; at < first.size() && packets < kEnough; ++packets) {
    if (first[at++] != '\n') return false;
    std::size_t length = 0;
    for (int shift = 0; at < first.size() && shift < 28; shift += 7) {
      const auto byte = static_cast<unsigned char>(first[at++]);
      length |= std::size_t{byte & 0x7FU} << static_cast<unsigned>(shift);
      if (byte < 0x80) break;
    }
    at += length;
  }
  return packets == kEnough;
}

}  // namespace

Status refuse_other_format(const std::string& path, std::string_view first) {
  for (const Format& format : kFormats) {
    if (!first.starts_with(format.begins)) continue;
    if (first.find(format.contains) == std::string_view::npos) continue;
    if (!path.ends_with(format.ends)) continue;
    return fail(Errc::unsupported, fmt::format("{} {}", path, format.what),
                filled(format.hint, path));
  }
  if (is_perfetto(path, first))
    return fail(Errc::unsupported, path + " is a Perfetto trace, which rpl does not read",
                "open the rocpd database of the same run; rocprofv3 writes one with "
                "'--output-format rocpd'");
  if (is_roctracer_text(first))
    return fail(Errc::unsupported, path + " is text of roctracer, not a recording",
                std::string(kAgain));
  return {};
}

Status refuse_other_database(const std::string& path, std::span<const std::string> tables) {
  const auto has = [&](std::string_view prefix) {
    return std::ranges::any_of(tables,
                               [&](const std::string& name) { return name.starts_with(prefix); });
  };
  if (has("compute_metadata")) {
    return fail(Errc::unsupported,
                path + " is an analysis database of rocprof-compute, not a recording",
                "open the rocpd database or the pmc_perf.csv that it was made from");
  }
  if (has("KERN") || (has("OPS") && has("COPY"))) {
    return fail(Errc::unsupported, path + " is results.db of rocprof version 1",
                "open the results.csv beside it, which has the kernels with their times, or " +
                    std::string(kAgain));
  }
  if (has("CUPTI_ACTIVITY_KIND") || has("TARGET_INFO_GPU")) {
    return fail(Errc::unsupported, path + " is a database of Nsight Systems", std::string(kNvidia));
  }
  return {};
}

}  // namespace rpl
