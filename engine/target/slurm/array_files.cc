// SPDX-License-Identifier: MIT
#include "engine/target/slurm/array_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/document/json_parse.h"
#include "engine/document/json_text.h"
#include "engine/process/last_line.h"

namespace rpl::cluster {

namespace fs = std::filesystem;

Status SlurmFiles::make() const {
  for (const char* name : {"batches", "results", "logs"})
    TRY(make_folder(fmt::format("{}/{}", folder_, name)));
  return {};
}

std::string SlurmFiles::result_path(std::size_t point) const {
  return fmt::format("{}/results/{}.json", folder_, point);
}
std::string SlurmFiles::script_path(std::int64_t batch) const {
  return fmt::format("{}/batches/{}.sh", folder_, batch);
}

std::vector<std::int64_t> SlurmFiles::batches() const {
  std::vector<std::int64_t> out;
  std::error_code ignored;
  for (fs::directory_iterator entry(folder_ + "/batches", ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    std::string_view rest = name;
    const auto number = take_number<std::int64_t>(rest);
    if (number && rest == ".json") out.push_back(*number);
  }
  std::ranges::sort(out);
  return out;
}

Result<std::vector<std::size_t>> SlurmFiles::points_of(std::int64_t batch) const {
  const std::string path = fmt::format("{}/batches/{}.json", folder_, batch);
  const Value value = TRY(parse_json(TRY(read_text_file(path))));
  const auto* list = value.as<List>();
  std::vector<std::size_t> out;
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const auto* point = (*list)[i].as<std::int64_t>();
    if (point == nullptr || *point < 0)
      return fail(Errc::corrupt, path + " is not a list of points");
    out.push_back(static_cast<std::size_t>(*point));
  }
  if (out.empty()) return fail(Errc::corrupt, path + " is not a list of points");
  return out;
}

Status SlurmFiles::write_batch(std::int64_t batch, const std::vector<std::size_t>& points) const {
  List list;
  for (const std::size_t point : points) list.emplace_back(std::uint64_t{point});
  return write_file(fmt::format("{}/batches/{}.json", folder_, batch),
                    to_json(Value(std::move(list))) + "\n");
}

std::string SlurmFiles::last_words(std::int64_t batch, std::size_t task) const {
  const std::string begins = fmt::format("b{}_", batch), ends = fmt::format("_{}.txt", task);
  std::error_code ignored;
  for (fs::directory_iterator entry(log_folder(), ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(begins) || !name.ends_with(ends)) continue;
    return last_line(read_text_file(entry->path().string()).value_or(""));
  }
  return {};
}

}  // namespace rpl::cluster
