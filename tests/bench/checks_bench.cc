// SPDX-License-Identifier: MIT
// What safety costs: recordings opened with and without the look for damage, and tables written as CSV with and without the encoder. Both ways work in turns, A B A B, and the
// ratio of each pair is told as its median and its quartiles: a machine that is busy or slows down slows both. checks_bench [ROUNDS [FILE...]]: files alone, instead of
// generated ones and tables; "tables" for tables alone.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "engine/base/encode.h"
#include "engine/trace/import/open.h"
#include "shell/render/render.h"
#include "tests/support/generate.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace rpl;

double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double seconds_of(const Work& work) {
  const double begin = cpu_seconds();
  work();
  return cpu_seconds() - begin;
}

double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

/// Processor time of `with` by that of `without`. Which of them is first changes from pair to pair.
template <class With, class Without>
void compare(const std::string& what, int rounds, const With& with, const Without& without) {
  with();
  without();
  std::vector<double> ratios, times;
  for (int i = 0; i < rounds; ++i) {
    double a = 0, b = 0;
    if (i % 2 == 0) a = seconds_of(with);
    b = seconds_of(without);
    if (i % 2 != 0) a = seconds_of(with);
    ratios.push_back(a / b);
    times.push_back(a);
  }
  fmt::print("{:<52} {:>9.2f} ms {:>8.3f} {:>7.3f} .. {:.3f}\n", what, 1e3 * quantile(times, 0.5),
             quantile(ratios, 0.5), quantile(ratios, 0.25), quantile(ratios, 0.75));
  std::fflush(stdout);
}

void opens(const std::string& what, const std::string& path, int rounds) {
  const auto open = [&](bool look) {
    OpenOptions options;
    options.look_for_damage = look;
    const auto trace = open_trace(std::vector{path}, options);
    if (!trace) {
      fmt::print("{}\n", trace.error().message);
      std::exit(1);
    }
  };
  compare("open " + what, rounds, [&] { open(true); }, [&] { open(false); });
}

/// As wide as `info dispatches`: the names of kernels are all that the encoder has to look at.
Document table_of(std::size_t rows, const char* name) {
  Document out;
  out.columns = {Column{.name = "id"}, Column{.name = "kernel"}, Column{.name = "start_ns"},
                 Column{.name = "duration_ns"}, Column{.name = "share"}};
  for (std::size_t i = 0; i < rows; ++i)
    out.rows.push_back({Value(fmt::format("d{}", i)), Value(fmt::format("{}<{}>", name, i % 40)),
                        Value(static_cast<std::int64_t>(i * 12345)),
                        Value(static_cast<std::int64_t>(i % 977)),
                        Value(1.0 / static_cast<double>(i + 1))});
  return out;
}

void renders(const std::string& what, const Document& document, int rounds) {
  std::size_t bytes = 0;
  const auto write = [&](Format format) {
    Form form;
    form.format = format;
    static_cast<void>(render(document, form, Terminal{}, [&](OutputBytes text) {
      bytes += text.bytes().size();
      return Status();
    }));
  };
  compare(what, rounds, [&] { write(Format::csv); }, [&] { write(Format::csv_raw); });
  // How far two that are the same lie from each other on this machine.
  compare(
      "  without, twice", rounds, [&] { write(Format::csv_raw); }, [&] { write(Format::csv_raw); });
}

/// The other media have no way without: the encoder's own time, by that of all rendering.
template <class Text>
void share_of_encoder(const std::string& what, const Document& document, Format format,
                      Text (*encode)(std::string_view), int rounds) {
  std::size_t bytes = 0;
  std::vector<double> shares;
  for (int i = 0; i < rounds; ++i) {
    Form form;
    form.format = format;
    const double all = seconds_of([&] {
      static_cast<void>(render(document, form, Terminal{}, [&](OutputBytes text) {
        bytes += text.bytes().size();
        return Status();
      }));
    });
    const double encoder = seconds_of([&] {
      for (const Row& row : document.rows)
        for (const Value& value : row)
          if (const auto* text = value.as<std::string>()) bytes += encode(*text).bytes().size();
    });
    shares.push_back(encoder / all);
  }
  fmt::print("{:<52} {:>12} {:>8.3f} {:>7.3f} .. {:.3f}\n", what, "share", quantile(shares, 0.5),
             quantile(shares, 0.25), quantile(shares, 0.75));
}

std::string generated(const testing_support::TempDir& folder, std::uint64_t dispatches, bool api) {
  test::GenerateOptions options;
  options.path = folder / fmt::format("{}{}.db", dispatches, api ? "api" : "");
  options.workload.dispatches = dispatches;
  options.api = options.markers = api;
  if (!test::generate_rocpd(options)) std::exit(1);
  return options.path;
}

void open_generated(int rounds) {
  const testing_support::TempDir folder;
  opens("1,000,000 dispatches", generated(folder, 1'000'000, false), rounds);
  opens("200,000 dispatches with calls and markers", generated(folder, 200'000, true), rounds);
  opens("5,000 dispatches", generated(folder, 5'000, false), rounds * 5);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(3, std::atoi(argv[1])) : 21;
  fmt::print("{:<52} {:>12} {:>8} {}\n", "with by without", "with", "median", "quartiles");
  const bool tables_alone = argc == 3 && std::string_view(argv[2]) == "tables";
  if (!tables_alone) {
    for (int i = 2; i < argc; ++i) opens(argv[i], argv[i], rounds);
    if (argc > 2) return 0;
    open_generated(rounds);
  }
  constexpr std::size_t kRows = 200'000;
  const Document plain = table_of(kRows, "void gemm_kernel<float, float const*, int>"),
                 hostile = table_of(kRows, "=cmd\x1b[31m\xe2\x80\xae,\"");
  renders("CSV, 200,000 rows", plain, rounds);
  renders("CSV, 200,000 rows of names with escapes", hostile, rounds);
  share_of_encoder<TerminalText>("text, 200,000 rows: the encoder's part", plain, Format::text,
                                 terminal_line, rounds / 3 + 1);
  share_of_encoder<MarkdownText>("Markdown, 200,000 rows: the encoder's part", plain,
                                 Format::markdown, markdown_text, rounds / 3 + 1);
}
