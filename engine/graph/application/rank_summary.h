// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/document/bound.h"
#include "engine/graph/application/ranks.h"
#include "engine/trace/core/trace.h"

/// What is left of recordings of ranks once they were read: enough for `ranks`, and small enough to be sent from a node of a cluster.
namespace rpl {

/// More of one rank are left out, the last ones: a summary has to stay small.
inline constexpr std::size_t kMostCollectives = 65'536;

/// What a document of summaries calls itself: that of `ranks reduce`.
inline constexpr const char* kRankSummarySchema = "rpl.ranks.reduce/1";

/// The collectives of one rank. Lists are by start, and equally long.
struct RankSummary {
  std::uint32_t process = 0;  ///< which of the recording's
  std::int64_t agent = 0;     ///< its device, counted within the recording
  std::vector<std::int64_t>
      launches;  ///< indices into RecordingSummary::kernels; twice the same is the same kernel and geometry
  std::vector<std::int64_t> starts_ns;  ///< the first, then from each to the next
  std::vector<std::int64_t> lengths_ns;
  std::uint64_t left_out = 0;  ///< further collectives that it has
};

struct ProcessSummary {
  std::int64_t pid = 0, rank = -1, ranks = 0;  ///< as in Process
  std::string guid, hostname;
};

/// One recording. Times are by the clock of its host.
struct RecordingSummary {
  std::string path;
  bool wall_clock = false;  ///< times count from 1970: of PyTorch's profiler
  std::int64_t agents = 0;
  std::uint64_t dispatches = 0;
  std::int64_t first_ns = 0, last_ns = 0;  ///< starts of its first and last dispatch
  std::int64_t begin_ns = 0;               ///< of its first dispatch or copy
  bool modelled = false;
  std::vector<ProcessSummary> processes;
  std::vector<std::string> kernels;  ///< of its launches that are collectives
  std::vector<RankSummary> ranks;
};

/// The columns of these, for documents and schemas.
Columns<RankSummary> bound(const RankSummary* /*of*/);
Columns<ProcessSummary> bound(const ProcessSummary* /*of*/);
Columns<RecordingSummary> bound(const RecordingSummary* /*of*/);

/// Of a trace of one recording. Fails as reading copies does, and with `interrupted`.
Result<RecordingSummary> summary_of(const Trace& trace);

/// Takes what a node wrote, which may be anything: fails with corrupt, naming `where` and what cannot be, with limit, and with io where it says why it has none.
Result<std::vector<RecordingSummary>> summaries_from(std::string_view json, std::string_view where);

/// The ranks of several recordings, as if all had been opened as one trace.
struct RanksOfSummaries {
  TraceEntities entities;     ///< processes, and the files that they are in
  Ranks ranks;                ///< indices are into these
  std::int64_t begin_ns = 0;  ///< from which times count
  bool modelled = false;      ///< recordings of emulated devices
  std::vector<std::string>
      notes;  ///< copies that were left out, clocks, collectives that summaries lack
};
RanksOfSummaries ranks_of(const std::vector<RecordingSummary>& recordings);

}  // namespace rpl
