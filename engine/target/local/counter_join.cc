// SPDX-License-Identifier: MIT
#include "engine/target/local/counter_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/store/database.h"

namespace rpl::profile {
namespace {

namespace fs = std::filesystem;

/// Which dispatch of its kernel each one is. By dispatch_id, the order in which the program launched them: by start, queues that run beside each
/// other would change places from run to run.
constexpr const char* kOrder =
    "CREATE TEMP TABLE {0}_order AS SELECT d.event_id AS event_id, s.kernel_name AS kernel, "
    "d.agent_id AS agent, "
    "row_number() OVER (PARTITION BY s.kernel_name, d.agent_id ORDER BY d.dispatch_id, d.id) AS n "
    "FROM {0}.rocpd_kernel_dispatch d JOIN {0}.rocpd_info_kernel_symbol s ON s.id = d.kernel_id "
    "AND s.guid = d.guid;"
    "CREATE UNIQUE INDEX temp.{0}_by_place ON {0}_order (kernel, agent, n);";

/// The counters of the pass under new ids, without those that an earlier pass brought.
constexpr const char* kCounters =
    "CREATE TEMP TABLE counter_ids AS SELECT p.id AS from_id, "
    "(SELECT coalesce(max(id), 0) FROM main.rocpd_info_pmc) + row_number() OVER (ORDER BY p.id) AS "
    "to_id FROM pass.rocpd_info_pmc p "
    "WHERE EXISTS (SELECT 1 FROM pass.rocpd_pmc_event e WHERE e.pmc_id = p.id) "
    "AND NOT EXISTS (SELECT 1 FROM main.rocpd_info_pmc m WHERE m.name = p.name AND m.agent_id IS "
    "p.agent_id);"
    "INSERT INTO main.\"rocpd_info_pmc{0}\" (id, nid, pid, agent_id, target_arch, event_code, "
    "instance_id, name, symbol, description, long_description, "
    "component, units, value_type, block, expression, is_constant, is_derived, extdata) "
    "SELECT c.to_id, (SELECT nid FROM main.rocpd_info_process LIMIT 1), (SELECT pid FROM "
    "main.rocpd_info_process LIMIT 1), "
    "p.agent_id, p.target_arch, p.event_code, p.instance_id, p.name, p.symbol, p.description, "
    "p.long_description, "
    "p.component, p.units, p.value_type, p.block, p.expression, p.is_constant, p.is_derived, "
    "p.extdata "
    "FROM pass.rocpd_info_pmc p JOIN counter_ids c ON c.from_id = p.id;";

constexpr const char* kValues =
    "INSERT INTO main.\"rocpd_pmc_event{0}\" (event_id, pmc_id, value, extdata) "
    "SELECT b.event_id, c.to_id, e.value, e.extdata FROM pass.rocpd_pmc_event e JOIN counter_ids c "
    "ON c.from_id = e.pmc_id "
    "JOIN pass_order o ON o.event_id = e.event_id JOIN main_order b ON b.kernel = o.kernel AND "
    "b.agent IS o.agent AND b.n = o.n;";

Result<std::string> suffix_of(Database& database) {
  Statement rows = TRY(database.prepare("SELECT value FROM rocpd_metadata WHERE tag = 'uuid'"));
  if (!TRY(rows.step())) return fail(Errc::corrupt, "its metadata has no uuid");
  std::string suffix(rows.text(0));
  if (suffix.find_first_not_of("_0123456789abcdef") != std::string::npos)
    return fail(Errc::corrupt, "its uuid is not valid");
  if (!suffix.starts_with('_')) suffix.insert(0, "_");
  return suffix;
}

Result<std::uint64_t> count_of(Database& database, const std::string& query) {
  return static_cast<std::uint64_t>(TRY(database.scalar(query)).value_or(0));
}

/// One base database, copied, that takes one pass after the other.
class JoinedDatabase {
 public:
  static Result<JoinedDatabase> copy_of(const std::string& base, const std::string& to) {
    TRY(make_folder(fs::path(to).parent_path().string()));
    std::error_code error;
    fs::copy_file(base, to, fs::copy_options::overwrite_existing, error);
    if (error) return fail(Errc::io, fmt::format("cannot copy {}: {}", base, error.message()));
    JoinedDatabase out(TRY(Database::open_copy(to)));
    TRY(out.database_.execute("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF"));
    out.suffix_ = TRY(suffix_of(out.database_));
    TRY(out.database_.execute(fmt::format(kOrder, "main")));
    return out;
  }

  /// The rows that found their dispatch; says into `notes` how many dispatches found no partner.
  Result<std::uint64_t> take(const std::string& path, std::size_t pass,
                             std::vector<std::string>& notes) {
    TRY(attach(path));
    auto added = add_attached(pass, notes);
    // Also after a failure, so that the next pass may come.
    TRY(
        database_.execute("DROP TABLE IF EXISTS temp.pass_order; DROP TABLE IF EXISTS "
                          "temp.counter_ids; DETACH pass"));
    return added;
  }

  Status finish(std::size_t passes) {
    return database_.execute(
        fmt::format("INSERT INTO \"rocpd_metadata{0}\" (tag, value) VALUES ('counters', 'joined'), "
                    "('counter_runs', '{1}')",
                    suffix_, passes));
  }

 private:
  explicit JoinedDatabase(Database database) : database_(std::move(database)) {}

  Status attach(const std::string& path) {
    Statement statement = TRY(database_.prepare("ATTACH ? AS pass"));
    TRY(statement.bind(path));
    return statement.run();
  }

  Result<std::uint64_t> add_attached(std::size_t pass, std::vector<std::string>& notes) {
    TRY(database_.execute(fmt::format(kOrder, "pass")));
    // Rolled back before the pass is detached, which SQLite refuses within a transaction.
    Transaction adding = TRY(Transaction::begin(database_));
    TRY(database_.execute(fmt::format(kCounters, suffix_)));
    const std::uint64_t before = TRY(values());
    TRY(database_.execute(fmt::format(kValues, suffix_)));
    const std::uint64_t after = TRY(values());
    TRY(adding.commit());
    const std::uint64_t here = TRY(count_of(database_, "SELECT count(*) FROM main_order")),
                        there = TRY(count_of(database_, "SELECT count(*) FROM pass_order"));
    const std::uint64_t both =
        TRY(count_of(database_,
                     "SELECT count(*) FROM main_order b JOIN pass_order o ON b.kernel = o.kernel "
                     "AND b.agent IS o.agent AND b.n = o.n"));
    if (both < here || both < there) {
      notes.push_back(
          fmt::format("pass {}: {} of {} dispatches were matched with {}: the program does "
                      "not launch the same in every run",
                      pass, both, here, there));
    }
    return after - before;
  }

  Result<std::uint64_t> values() {
    return count_of(database_, fmt::format("SELECT count(*) FROM \"rocpd_pmc_event{}\"", suffix_));
  }

  Database database_;
  std::string suffix_;
};

/// The command line of the process; "" where it cannot be read.
std::string command_of(const std::string& path) {
  auto database = Database::open_foreign(path, true);
  if (!database) return {};
  auto row = database->prepare("SELECT command FROM rocpd_info_process ORDER BY id LIMIT 1");
  if (!row) return {};
  const auto found = row->step();
  return found && *found ? std::string(row->text(0)) : std::string();
}

std::vector<std::string> commands_of(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const std::string& path : paths) out.push_back(command_of(path));
  return out;
}

/// The process of a pass that is the `index`-th of `bases`: the n-th with its command line, else, where the pass has none such at all (names of
/// temporary files differ), the one in its place. The number of `there` for none.
std::size_t partner_of(const std::vector<std::string>& bases, std::size_t index,
                       const std::vector<std::string>& there) {
  auto before =
      std::count(bases.begin(), bases.begin() + static_cast<std::ptrdiff_t>(index), bases[index]);
  for (std::size_t i = 0; i < there.size(); ++i) {
    if (there[i] == bases[index] && before-- == 0) return i;
  }
  const bool known = std::ranges::count(there, bases[index]) > 0;
  return known ? there.size() : std::min(index, there.size());
}

/// HOST/PID_results.db, or the file alone where it lies in no folder of a host.
std::string name_below(const std::string& base) {
  const fs::path path(base);
  return (path.parent_path().filename() / path.filename()).string();
}

}  // namespace

Result<JoinedCounters> join_counters(const std::vector<std::string>& bases,
                                     const std::vector<CounterPassFiles>& passes,
                                     const std::string& folder) {
  JoinedCounters out;
  for (const CounterPassFiles& pass : passes) {
    if (pass.databases.size() == bases.size()) continue;
    out.notes.push_back(
        fmt::format("pass {}: processes with counters: {}, without: {}; they are matched by "
                    "command line and start",
                    pass.pass, pass.databases.size(), bases.size()));
  }
  const auto commands = commands_of(bases);
  std::vector<std::vector<std::string>> counted;  // by pass
  for (const CounterPassFiles& pass : passes) counted.push_back(commands_of(pass.databases));
  for (std::size_t i = 0; i < bases.size(); ++i) {
    const std::string to = (fs::path(folder) / name_below(bases[i])).string();
    JoinedDatabase joined = TRY(JoinedDatabase::copy_of(bases[i], to));
    for (std::size_t k = 0; k < passes.size(); ++k) {
      const CounterPassFiles& pass = passes[k];
      const std::size_t partner = partner_of(commands, i, counted[k]);
      if (partner >= pass.databases.size()) continue;
      const std::string& path = pass.databases[partner];
      auto added = joined.take(path, pass.pass, out.notes);
      if (!added) return Failure(std::move(added).error().in(path));
      out.values += *added;
    }
    TRY(joined.finish(passes.size()));
    out.databases.push_back(to);
  }
  return out;
}

}  // namespace rpl::profile
