// SPDX-License-Identifier: MIT
// rpl-generate: writes a rocpd database of a simulated application, or what PyTorch's profiler would have written of it.
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>

#include "tests/support/generate.h"
#include "tests/support/kineto_writer.h"
#include "tests/support/ranks.h"

namespace {

using rpl::test::GenerateOptions;

constexpr const char* kUsage = R"(rpl-generate OUT.db [options]
  --dispatches N --version 3|3.0.1|...|3.0.5|4.1 --processes N --files N
  --gpus N --queues N --streams N --threads N --kernels N --kernel-ns N --seed N
  --event-share F --sync-share F --copy-share F --marker-share F
  --api --markers --counters N --no-copies --no-event-tables --event-operations --no-views --no-suffix
  --wide-handles --page-size N --wal --delete F --vacuum --truth FILE.json
Shares are of the operations of a thread, together less than 1: the rest are dispatches.
--files N writes OUT.db, OUT-1.db, ... with one process each.
--ranks N [--ranks-of-host N] [--steps N] [--collectives N] [--straggler RANK] [--jitter-ns N] [--api]
  [--markers [--first-step N]] [--longer-steps N]
  makes OUT.db a folder with a database for each rank of a training, on hosts whose clocks differ; also --kernels (before each
  collective), --kernel-ns, --seed
OUT.json, also with .gz or .zst behind it, is a trace of PyTorch's profiler; each of --files is a rank.
)";

struct Arguments {
  GenerateOptions options;
  unsigned files = 1;
  std::string truth;
  rpl::test::RanksOptions ranks = {.folder = {}, .ranks = 0};
};

template <class T>
bool parse(const std::string& text, T& into) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  return error == std::errc() && end == text.data() + text.size();
}

using Setter = std::function<bool(const std::string&)>;

std::map<std::string, Setter> value_options(Arguments& a) {
  auto& o = a.options;
  auto& w = o.workload;
  const auto number = [](auto& into) {
    return [&into](const std::string& text) { return parse(text, into); };
  };
  const auto string = [](std::string& into) {
    return [&into](const std::string& text) {
      into = text;
      return true;
    };
  };
  return {{"--dispatches", number(w.dispatches)},
          {"--processes", number(o.processes)},
          {"--files", number(a.files)},
          {"--gpus", number(w.gpus)},
          {"--queues", number(w.queues)},
          {"--streams", number(w.streams)},
          {"--threads", number(w.threads)},
          {"--kernels", number(w.kernels)},
          {"--kernel-ns", number(w.kernel_ns)},
          {"--seed", number(w.seed)},
          {"--event-share", number(w.event_share)},
          {"--sync-share", number(w.sync_share)},
          {"--copy-share", number(w.copy_share)},
          {"--marker-share", number(w.marker_share)},
          {"--counters", number(o.counters)},
          {"--page-size", number(o.page_bytes)},
          {"--delete", number(o.deleted_share)},
          {"--version", string(o.version)},
          {"--ranks", number(a.ranks.ranks)},
          {"--ranks-of-host", number(a.ranks.ranks_of_host)},
          {"--steps", number(a.ranks.steps)},
          {"--collectives", number(a.ranks.collectives)},
          {"--straggler", number(a.ranks.straggler)},
          {"--jitter-ns", number(a.ranks.jitter_ns)},
          {"--first-step", number(a.ranks.first_step)},
          {"--longer-steps", number(a.ranks.longer_steps)},
          {"--truth", string(a.truth)}};
}

std::map<std::string, std::function<void()>> flags(GenerateOptions& o) {
  return {{"--api", [&] { o.api = true; }},
          {"--markers", [&] { o.markers = true; }},
          {"--no-copies", [&] { o.copies = false; }},
          {"--no-event-tables", [&] { o.event_tables = false; }},
          {"--event-operations", [&] { o.event_operations = true; }},
          {"--no-views", [&] { o.views = false; }},
          {"--no-suffix", [&] { o.suffix = false; }},
          {"--wide-handles", [&] { o.wide_handles = true; }},
          {"--wal", [&] { o.wal = true; }},
          {"--vacuum", [&] { o.vacuum = true; }}};
}

bool is_kineto(const std::string& path) {
  return path.ends_with(".json") || path.ends_with(".json.gz") || path.ends_with(".json.zst");
}

bool read_arguments(int argc, char** argv, Arguments& into) {
  auto values = value_options(into);
  auto switches = flags(into.options);
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (switches.contains(word)) {
      switches[word]();
    } else if (values.contains(word)) {
      if (++i == argc || !values[word](argv[i])) return false;
    } else if (!word.starts_with('-') && into.options.path.empty()) {
      into.options.path = word;
    } else {
      return false;
    }
  }
  into.options.truth = !into.truth.empty();
  const auto& load = into.options.workload;
  // What no other operation takes is dispatches, which end the recording.
  const bool dispatches =
      load.event_share + load.sync_share + load.copy_share + load.marker_share < 1;
  return !into.options.path.empty() && load.gpus && load.queues && load.streams && load.threads &&
         load.kernels && dispatches;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!read_arguments(argc, argv, arguments)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  const std::string path = arguments.options.path;
  if (arguments.ranks.ranks > 0) {
    rpl::test::RanksOptions& of = arguments.ranks;
    of.folder = path;
    of.kernels = arguments.options.workload.kernels;
    of.kernel_ns = arguments.options.workload.kernel_ns;
    of.seed = arguments.options.workload.seed;
    of.api = arguments.options.api;
    of.markers = arguments.options.markers;
    const auto written = rpl::test::generate_ranks(of);
    if (!written) fmt::print(stderr, "error: {}\n", written.error().message);
    return written ? 0 : 1;
  }
  // "rank-1.pt.trace.json"
  const std::string stem =
      path.substr(0, is_kineto(path) ? path.find('.', path.rfind('/') + 1) : path.rfind('.'));
  std::vector<rpl::test::ProcessTruth> truth;
  for (unsigned file = 0; file < arguments.files; ++file) {
    GenerateOptions options = arguments.options;
    options.first_process = file * options.processes;
    if (file > 0) options.path = fmt::format("{}-{}{}", stem, file, path.substr(stem.size()));
    if (is_kineto(path)) {
      if (auto written = rpl::test::generate_kineto(options, arguments.files); !written) {
        fmt::print(stderr, "error: {}\n", written.error().message);
        return 1;
      }
      continue;
    }
    auto written = rpl::test::generate_rocpd(options);
    if (!written) {
      fmt::print(stderr, "error: {}\n", written.error().message);
      return 1;
    }
    truth.insert(truth.end(), std::make_move_iterator(written->begin()),
                 std::make_move_iterator(written->end()));
  }
  if (!arguments.truth.empty()) std::ofstream(arguments.truth) << rpl::test::to_json(truth);
  return 0;
}
