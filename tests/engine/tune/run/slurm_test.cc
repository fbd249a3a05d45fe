// SPDX-License-Identifier: MIT
// A cluster of two emulated nodes on this machine, from the distribution's packages: munged, slurmctld and one slurmd a node, started here and stopped at the
// end. rpl tunes through it while jobs are cancelled, a node goes away, and rpl itself is killed.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "engine/process/background.h"
#include "engine/table/json_parse.h"
#include "tests/support/temp_dir.h"

namespace rpl::tune {
namespace {

using testing_support::TempDir;
using namespace std::chrono_literals;

constexpr int kBasePort = 17000;

std::string first_in(std::initializer_list<const char*> places) {
  for (const char* place : places) {
    if (access(place, X_OK) == 0) return place;
  }
  return {};
}

/// Asks until it holds; the deadline only bounds a failing test.
bool until(const std::function<bool()>& holds, std::chrono::seconds deadline = 90s) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(100ms);
  }
  return true;
}

class Cluster {
 public:
  /// Why there can be none here; "" when there can.
  static std::string obstacle() {
    if (munged_program().empty()) return "munge is not installed (scripts/setup --full)";
    for (const std::string& program : {controller_program(), node_program(), first_in({"/usr/bin/sbatch"})}) {
      if (program.empty()) return "slurm-wlm is not installed (scripts/setup --full)";
    }
    return geteuid() == 0 ? "" : "slurmd starts jobs as their users, which takes root";
  }

  Cluster() {
    const std::string key = folder_ / "munge.key";
    std::ofstream(key) << std::string(128, 'k') << getpid();
    chmod(key.c_str(), 0600);
    write_configuration();
    setenv("SLURM_CONF", (folder_ / "slurm.conf").c_str(), 1);
    munged_ = start({munged_program(), "--force", "--foreground", "--socket=" + (folder_ / "munge.sock"), "--key-file=" + key, "--pid-file=" + (folder_ / "munge.pid"),
                     "--seed-file=" + (folder_ / "munge.seed"), "--log-file=" + (folder_ / "munged.log")});
    until([&] { return access((folder_ / "munge.sock").c_str(), F_OK) == 0; });
    controller_ = start({controller_program(), "-D", "-c", "-f", folder_ / "slurm.conf"});
    for (const int node : {1, 2}) start_node(node);
  }
  ~Cluster() {
    unsetenv("SLURM_CONF");
    nodes_.clear();
    controller_.reset();
    munged_.reset();
  }

  void start_node(int node) { nodes_[node] = start({node_program(), "-D", "-N", fmt::format("n{}", node), "-f", folder_ / "slurm.conf"}); }
  void stop_node(int node) { nodes_.erase(node); }
  static std::string asked(const std::vector<std::string>& argv) {
    const auto exit = run({.argv = argv});
    return exit && exit->ok() ? exit->out.text : std::string();
  }
  bool ready() const {
    return until([] { return asked({"sinfo", "--noheader", "--format=%D %T"}) == "2 idle\n"; });
  }
  std::string log() const { return folder_.read("ctld.log"); }

 private:
  static std::string munged_program() { return first_in({"/usr/sbin/munged", "/sbin/munged"}); }
  static std::string controller_program() { return first_in({"/usr/sbin/slurmctld", "/sbin/slurmctld"}); }
  static std::string node_program() { return first_in({"/usr/sbin/slurmd", "/sbin/slurmd"}); }
  static std::unique_ptr<Background> start(std::vector<std::string> argv) {
    auto child = Background::start({.argv = std::move(argv)});
    return child ? std::make_unique<Background>(std::move(*child)) : nullptr;
  }

  void write_configuration() const {
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    *std::find(std::begin(host), std::end(host) - 1, '.') = 0;
    const int port = kBasePort + static_cast<int>(getpid() % 1000) * 4;
    std::string nodes;
    for (const int node : {1, 2}) {
      nodes += fmt::format("NodeName=n{} NodeHostname={} NodeAddr=127.0.0.1 Port={} CPUs=1 State=UNKNOWN\n", node, host, port + node);
      std::filesystem::create_directories(folder_ / fmt::format("spool-n{}", node));
    }
    std::filesystem::create_directories(folder_ / "state");
    folder_.write("slurm.conf", fmt::format("ClusterName=rpltest\nSlurmctldHost={0}(127.0.0.1)\nSlurmctldPort={2}\nSlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\n"
                                            "AuthInfo=socket={1}/munge.sock\nStateSaveLocation={1}/state\nSlurmdSpoolDir={1}/spool-%n\nSlurmctldPidFile={1}/ctld.pid\n"
                                            "SlurmdPidFile={1}/slurmd-%n.pid\nSlurmctldLogFile={1}/ctld.log\nSlurmdLogFile={1}/slurmd-%n.log\nProctrackType=proctrack/pgid\n"
                                            "TaskPlugin=task/none\nSwitchType=switch/none\nMpiDefault=none\nSchedulerType=sched/backfill\nSelectType=select/cons_tres\n"
                                            "SelectTypeParameters=CR_CPU\nReturnToService=2\nSlurmdTimeout=5\nKillWait=2\nMinJobAge=10\nJobAcctGatherType=jobacct_gather/none\n"
                                            "AccountingStorageType=accounting_storage/none\nSchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1\n{3}"
                                            "PartitionName=debug Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP\n",
                                            host, folder_.path(), port, nodes));
  }

  const TempDir folder_;
  std::unique_ptr<Background> munged_, controller_;
  std::map<int, std::unique_ptr<Background>> nodes_;
};

/// What rpl is typed: a space of 18 configurations, each of which takes a second.
std::vector<std::string> rpl_line(const TempDir& folder, const std::string& last) {
  return {RPL_PROGRAM, "-q", "-nx", "-batch", "--session", folder / ".rpl", "-ex", "set slurm poll-ms 200", "-ex", "target slurm --partition debug --runs emu", "-ex", last};
}

std::string autotune(const TempDir& folder, const std::string& options) {
  return fmt::format("autotune/j --space {} --cmd-template 'sh -c \"sleep 1; echo took {{A}}{{B}} ms\"' --no-rocprof --time-pattern 'took ([0-9]+) ms' {}", folder / "space.json", options);
}

std::size_t results(const TempDir& folder) {
  std::error_code ignored;
  std::size_t out = 0;
  for (std::filesystem::directory_iterator entry(folder / ".rpl/tunings/n1/slurm/results", ignored), end; !ignored && entry != end; entry.increment(ignored)) ++out;
  return out;
}

/// Checks that the document has each configuration once, all of them ok; how often any was run again.
std::int64_t requeued_in(const std::string& json, std::size_t configurations) {
  const std::size_t begin = json.find("{\n  \"schema\": \"rpl.");
  std::int64_t requeued = 0;
  std::set<std::string> seen;
  const std::size_t document = json.rfind("{\n  \"schema\"");
  EXPECT_NE(begin, std::string::npos) << json;
  const auto parsed = parse_json(json.substr(document == std::string::npos ? 0 : document));
  EXPECT_TRUE(parsed) << json;
  const Value* rows = parsed ? parsed->find("rows") : nullptr;
  const List* list = rows == nullptr ? nullptr : rows->as<List>();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const Value& row = (*list)[i];
    EXPECT_EQ(*row.find("state"), Value("ok")) << *row.find("configuration")->as<std::string>();
    EXPECT_TRUE(seen.insert(*row.find("configuration")->as<std::string>()).second);
    requeued += *row.find("requeued")->as<std::int64_t>();
  }
  EXPECT_EQ(seen.size(), configurations);
  const Value* target = parsed ? parsed->find("target") : nullptr;
  EXPECT_TRUE(target != nullptr && *target == Value("slurm")) << json;
  return requeued;
}

TEST(Slurm, EvaluatesEachConfigurationOnceWhateverHappensToJobsNodesAndRpl) {
  if (const std::string obstacle = Cluster::obstacle(); !obstacle.empty()) GTEST_SKIP() << obstacle;
  Cluster cluster;
  ASSERT_TRUE(cluster.ready()) << cluster.log();
  const TempDir folder;
  folder.write("space.json", R"({"parameters": {"A": [3, 1, 2, 4, 5, 6], "B": [7, 8, 9]}})");
  constexpr std::size_t kAll = 18;

  auto first = Background::start({.argv = rpl_line(folder, autotune(folder, "--strategy exhaustive --batch 9 --confirm 0")), .cwd = folder.path()});
  ASSERT_TRUE(first) << first.error().message;
  // A job is cancelled from outside while it runs.
  std::string running;
  ASSERT_TRUE(until([&] {
    running = Cluster::asked({"squeue", "--noheader", "--array", "--states=RUNNING", "--format=%i"});
    return !running.empty();
  })) << first->printed(OutputStream::out, 0, 10000) << first->printed(OutputStream::err, 0, 10000) << cluster.log();
  ASSERT_TRUE(run({.argv = {"scancel", running.substr(0, running.find('\n'))}})->ok());
  // A node's daemon goes away in mid-run and comes back.
  ASSERT_TRUE(until([&] { return results(folder) >= 3; }));
  cluster.stop_node(2);
  ASSERT_TRUE(until([&] { return results(folder) >= 5; }));
  cluster.start_node(2);
  ASSERT_TRUE(until([&] { return results(folder) >= 7; }));
  // rpl is killed, its jobs go on; another one takes the tuning up.
  ASSERT_EQ(first->ended(), nullptr) << first->printed(OutputStream::err, 0, 10000);
  const std::string pids = Cluster::asked({"pgrep", "-f", "^" RPL_PROGRAM ".*" + folder.path()});
  ASSERT_FALSE(pids.empty());
  kill(std::atoi(pids.c_str()), SIGKILL);
  ASSERT_TRUE(until([&] { return first->ended() != nullptr; }));

  const auto resumed = run({.argv = rpl_line(folder, "tune resume/j"), .cwd = folder.path(), .timeout = 240s});
  ASSERT_TRUE(resumed) << resumed.error().message;
  EXPECT_TRUE(resumed->ok()) << resumed->err.text << cluster.log();
  const std::int64_t requeued = requeued_in(resumed->out.text, kAll);
  EXPECT_GE(requeued, 1) << "the cancelled one was run again";
  std::printf("[   seen   ] %zu configurations once each, %lld run again; %s", results(folder), static_cast<long long>(requeued), resumed->err.text.c_str());
}

TEST(Slurm, RunsOneAtATimeUnderSrun) {
  if (const std::string obstacle = Cluster::obstacle(); !obstacle.empty()) GTEST_SKIP() << obstacle;
  Cluster cluster;
  ASSERT_TRUE(cluster.ready()) << cluster.log();
  const TempDir folder;
  folder.write("space.json", R"({"parameters": {"A": [3, 1], "B": [7]}})");
  const auto done = run({.argv = rpl_line(folder, autotune(folder, "--batch 1")), .cwd = folder.path(), .timeout = 120s});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(done->ok()) << done->err.text;
  EXPECT_EQ(requeued_in(done->out.text, 2), 0);
}

}  // namespace
}  // namespace rpl::tune
