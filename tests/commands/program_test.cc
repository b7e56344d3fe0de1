// thalwegd and thalweg, run like users run them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "tests/access/certificates.h"
#include "tests/access/temporary_folder.h"
#include "tests/access/token_line.h"
#include "tests/child/server.h"
#include "tests/service/http_client.h"
#include "tests/service/http_get.h"
#include "tests/starved.h"

namespace thalweg::commands {
namespace {

using access::LineOf;
using access::TestAuthority;
using access::TestCertificate;
using child::Outcome;
using child::RunToEnd;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

constexpr char kWorld[] = R"(# A small world.
name: "dales" levels: 2 base { fbm { wavelength_m: 20000 amplitude: 100 } }
rules { detail {} stages { thermal { iterations: 1 } } })";

class ProgramTest : public testing::Test {
 protected:
  // Starts a server with more flags, and waits until it listens.
  void Serve(const Words& flags) {
    Words words{THALWEGD,   "serve",     "--listen",  "127.0.0.1:0",
                "--device", "reference", "--threads", "1"};
    words.insert(words.end(), flags.begin(), flags.end());
    server_ = std::make_unique<child::Server>(words);
  }
  // Runs the command against the server, with these variables in addition to the environment.
  Outcome Command(Words words, const Words& variables = {}) const {
    words.insert(words.begin(), THALWEG);
    words.insert(words.end(), {"--server", server_->address()});
    return RunToEnd(words, variables);
  }
  // Makes a token with `thalwegd token`, and adds its line to the tokens file.
  std::string MakeToken(const Words& flags) {
    Words words{THALWEGD, "token"};
    words.insert(words.end(), flags.begin(), flags.end());
    const Outcome made = RunToEnd(words);
    EXPECT_EQ(made.code, 0) << made.text;
    std::istringstream lines(made.text);
    std::string comment;
    std::string token;
    std::string line;
    std::getline(lines, comment);
    std::getline(lines, token);
    std::getline(lines, comment);
    std::getline(lines, line);
    tokens_ += line + "\n";
    folder_.Put("tokens", tokens_);
    return token;
  }
  void PutCertificate(const TestCertificate& pair) const {
    folder_.Put("cert", pair.certificate);
    folder_.Put("key", pair.key);
  }
  Words TlsFlags() const {
    return {"--tls-cert", folder_.Path("cert"), "--tls-key", folder_.Path("key")};
  }

  const access::TemporaryFolder folder_;
  std::string tokens_;
  std::unique_ptr<child::Server> server_;
};

TEST_F(ProgramTest, PrintsTheConfigurationThatItReads) {
  const std::string file = folder_.Put("config", "cache_mb: 7\n");
  const Outcome printed = RunToEnd({THALWEGD, "config", "--config", file, "--threads", "3"});
  EXPECT_EQ(printed.code, 0) << printed.text;
  EXPECT_THAT(printed.text, AllOf(HasSubstr("\n# Max memory for finished tiles"),
                                  HasSubstr("\ncache_mb: 7\n"), HasSubstr("\nthreads: 3\n")));
  folder_.Put("config", printed.text);
  EXPECT_EQ(RunToEnd({THALWEGD, "config", "--config", file}).text, printed.text);
  folder_.Put("config", "cache_mb: 7\ncahce_mb: 8\n");
  for (const char* command : {"config", "serve"}) {
    const Outcome refused = RunToEnd({THALWEGD, command, "--config", file});
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.text, AllOf(HasSubstr("line 2"), HasSubstr("cahce_mb")));
  }
}

TEST_F(ProgramTest, RefusesAFlagOfAnEarlierVersionInOneLine) {
  for (const char* command : {"config", "serve"}) {
    const Outcome refused = RunToEnd({THALWEGD, command, "--block", "512"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.text,
                HasSubstr("thalwegd: --block was removed: blocks always have 256 cells on a "
                          "side\nRun "));
  }
}

TEST_F(ProgramTest, RefusesToListenUnguarded) {
  const Outcome refused = RunToEnd({THALWEGD, "serve", "--listen", "0.0.0.0:0"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.text, AllOf(HasSubstr("0.0.0.0:0"), HasSubstr("allow_insecure")));
}

// Only this machine can reach this address, but the server does not recognise that.
TEST_F(ProgramTest, CallersFromTheNetworkMayOnlyRead) {
  const std::string world = folder_.Put("world.txt", kWorld);
  for (const bool told : {false, true}) {
    Words words{THALWEGD,           "serve",
                "--listen",         "[::ffff:127.0.0.1]:0",
                "--allow-insecure", "--allow-direct",
                "--device",         "reference",
                "--threads",        "1"};
    if (told) words.insert(words.end(), {"--anonymous-scopes", "read,create-worlds"});
    server_ = std::make_unique<child::Server>(words);
    EXPECT_THAT(server_->address(), testing::StartsWith("[::ffff:127.0.0.1]:"));
    EXPECT_THAT(server_->Log(), HasSubstr(told ? "has these scopes: read,create-worlds\n"
                                               : "has these scopes: read\n"));
    EXPECT_EQ(Command({"worlds"}).code, 0);
    const Outcome created = Command({"create-world", world});
    EXPECT_EQ(created.code, told ? 0 : 1) << created.text;
    if (!told) {
      EXPECT_THAT(
          created.text,
          HasSubstr("expected the scope create-worlds, which a caller without a token does not "
                    "have"));
    }
  }
}

TEST_F(ProgramTest, RefusesToServeMetricsUnguarded) {
  const Outcome refused =
      RunToEnd({THALWEGD, "serve", "--listen", "127.0.0.1:0", "--metrics-listen", "0.0.0.0:0"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.text, AllOf(HasSubstr("metrics_listen"), HasSubstr("allow_insecure")));
}

// A page whose name points to this machine reads nothing, unless the operator expects its name.
TEST_F(ProgramTest, LocalCallersMustUseTheServersOwnNames) {
  const auto ask = [this] {
    service::HttpClient client(server_->http_port());
    return client.Get("/v1/worlds").status;
  };
  Serve({"--http", "127.0.0.1:0"});
  EXPECT_EQ(ask(), 421);
  Serve({"--http", "127.0.0.1:0", "--http-url", "https://terrain.test"});
  EXPECT_EQ(ask(), 200);
  Serve({"--http", "127.0.0.1:0", "--trusted-proxies", "127.0.0.1"});
  EXPECT_EQ(ask(), 200);
  Serve({"--http", "[::ffff:127.0.0.1]:0", "--allow-insecure"});
  EXPECT_EQ(ask(), 200);
}

TEST_F(ProgramTest, ClientsLearnThatAPortIsForHttp) {
  Serve({"--http", "127.0.0.1:0"});
  const std::string http = "127.0.0.1:" + std::to_string(server_->http_port());
  for (const char* command : {"worlds", "health"}) {
    const Outcome outcome = RunToEnd({THALWEG, command, "--server", http});
    EXPECT_EQ(outcome.code, 1) << command;
    EXPECT_THAT(
        outcome.text,
        HasSubstr("this port is for HTTP: gRPC listens on the port of thalwegd's --listen"));
  }
}

TEST_F(ProgramTest, CreatesTheKeyOfASharedCache) {
  const std::string key = folder_.Path("cache.key");
  const Words serve{THALWEGD,   "serve",     "--listen",       "127.0.0.1:0",
                    "--device", "reference", "--shared-cache", "127.0.0.1:1"};
  const auto served_with = [&serve](const std::string& file) {
    Words words = serve;
    words.insert(words.end(), {"--shared-cache-key-file", file});
    return RunToEnd(words);
  };
  const Outcome keyless = RunToEnd(serve);
  EXPECT_EQ(keyless.code, 1);
  EXPECT_THAT(keyless.text, HasSubstr("thalwegd cache-key --out"));
  const Outcome missing = served_with(key);
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.text, HasSubstr("thalwegd cache-key --out " + key));

  EXPECT_EQ(RunToEnd({THALWEGD, "cache-key", "--out", key}).code, 0);
  const Outcome again = RunToEnd({THALWEGD, "cache-key", "--out", key});
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(again.text, HasSubstr(key + " already exists"));
  const Outcome printed = RunToEnd({THALWEGD, "cache-key"});
  EXPECT_EQ(printed.code, 0);
  EXPECT_EQ(printed.text.size(), 65U) << printed.text;
  Serve({"--shared-cache", "127.0.0.1:1", "--shared-cache-key-file", key});
  EXPECT_EQ(Command({"info", "--world", "hills"}).code, 0);

  std::filesystem::permissions(key, std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  const Outcome open = served_with(key);
  EXPECT_EQ(open.code, 1);
  EXPECT_THAT(open.text, AllOf(HasSubstr(key), HasSubstr("got 0604"), HasSubstr("chmod 600")));
}

TEST_F(ProgramTest, SaysWhereItsMetricsAreAndWhichCallsFail) {
  Serve({"--metrics-listen", "127.0.0.1:0", "--log-level", "debug"});
  EXPECT_THAT(server_->Log(), HasSubstr("metrics on http://127.0.0.1:"));
  EXPECT_EQ(Command({"fetch", "--world", "no where", "--level", "1", "--x0", "0", "--y0", "0",
                     "--size", "9", "--out", folder_.Path("x.png")})
                .code,
            1);
  EXPECT_THAT(server_->AwaitText("no where"),
              testing::ContainsRegex("debug call id=[0-9a-f]+ method=GetWorld code=NOT_FOUND "
                                     "ms=[0-9.]+ peer=ipv4:127.0.0.1:[0-9]+ token=- message="));
}

// A name that is not UTF-8 is the caller's mistake, and must not fill the log.
TEST_F(ProgramTest, DoesNotLogInvalidBytesByDefault) {
  for (const bool debug : {false, true}) {
    Serve({"--log-level", debug ? "debug" : "info"});
    EXPECT_EQ(Command({"info", "--world", "\xff"}).code, 1);
    EXPECT_EQ(Command({"info", "--world", "hills"}).code, 0);
    server_->Signal(SIGTERM);
    const std::string log = server_->Await().text;
    EXPECT_THAT(log, Not(HasSubstr("libprotobuf")));
    EXPECT_EQ(log.find("debug Protobuf: ") != std::string::npos, debug) << log;
  }
}

TEST_F(ProgramTest, InvalidFilesStopTheStart) {
  PutCertificate(TestAuthority().Issue("old", -7'200, -3'600));
  Words words{THALWEGD, "serve", "--listen", "127.0.0.1:0"};
  const Words tls = TlsFlags();
  words.insert(words.end(), tls.begin(), tls.end());
  const Outcome expired = RunToEnd(words);
  EXPECT_EQ(expired.code, 1);
  EXPECT_THAT(expired.text, HasSubstr("expired"));
  const Outcome tokens = RunToEnd({THALWEGD, "serve", "--listen", "127.0.0.1:0", "--tokens",
                                   folder_.Put("tokens", "token {}")});
  EXPECT_EQ(tokens.code, 1);
  EXPECT_THAT(tokens.text, HasSubstr("line 1: the token has no name"));
}

TEST_F(ProgramTest, ServesByTokenAndTlsFromOneConfiguration) {
  const TestAuthority authority;
  PutCertificate(authority.Issue("server"));
  const std::string reader = MakeToken({"--name", "reader"});
  const std::string maker = MakeToken({"--name", "maker", "--scopes", "read,create-worlds"});
  const std::string config = folder_.Put(
      "config", "tokens: \"" + folder_.Path("tokens") + "\"\ntls_cert: \"" + folder_.Path("cert") +
                    "\"\ntls_key: \"" + folder_.Path("key") + "\"\nworlds: \"" +
                    folder_.path().string() + "\"\nlog_level: \"debug\"\n");
  Serve({"--config", config});
  const std::string ca = folder_.Put("ca", authority.root());
  const std::string reader_file = folder_.Put("reader", reader + "\n");
  const std::string maker_file = folder_.Put("maker", maker + "\n");

  const Outcome healthy = Command({"health", "--ca", ca});
  EXPECT_EQ(healthy.code, 0) << healthy.text;
  EXPECT_EQ(Command({"worlds", "--ca", ca, "--token-file", reader_file}).code, 0);
  EXPECT_EQ(Command({"worlds", "--ca", ca}, {"THALWEG_TOKEN=" + reader}).code, 0);
  const Outcome nobody = Command({"worlds", "--ca", ca});
  EXPECT_EQ(nobody.code, 1);
  EXPECT_THAT(nobody.text, HasSubstr("authorization is missing: expected 'Bearer TOKEN'"));
  const Outcome stranger = Command({"worlds", "--ca", ca}, {"THALWEG_TOKEN=" + reader + "x"});
  EXPECT_THAT(stranger.text,
              AllOf(HasSubstr("this server does not know the token"), Not(HasSubstr(reader))));
  EXPECT_EQ(Command({"worlds"}, {"THALWEG_TOKEN=" + reader}).code, 1);

  const std::string world = folder_.Put("world.txt", kWorld);
  const Outcome refused = Command({"create-world", world, "--ca", ca, "--token-file", reader_file});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.text,
              HasSubstr("expected the scope create-worlds, which token 'reader' does not have"));
  const Words create{"create-world", world, "--keep", "--ca", ca, "--token-file", maker_file};
  EXPECT_THAT(Command(create).text, HasSubstr("created dales"));
  EXPECT_THAT(Command(create).text, HasSubstr("already exists: dales"));
  folder_.Put("world.txt", std::string(kWorld) + " showplace { east_m: 500 }");
  EXPECT_THAT(Command(create).text, HasSubstr("changed dales"));
  folder_.Put("world.txt",
              std::string(kWorld) + " seed: 77 nodes { name: 'unused' node { constant: 1 } }");
  EXPECT_THAT(Command(create).text, HasSubstr("or replace that world (--replace, ?replace=true)"));
  Words replace = create;
  replace.emplace_back("--replace");
  EXPECT_THAT(Command(replace).text,
              AllOf(HasSubstr("replaced dales"),
                    HasSubstr("warning: nodes[0]: nothing uses the node 'unused'")));
  EXPECT_TRUE(std::filesystem::exists(folder_.Path("dales.created.json")));
  const Outcome fetched =
      Command({"fetch", "--world", "dales", "--level", "1", "--x0", "0", "--y0", "0", "--size", "9",
               "--out", folder_.Path("dales.png"), "--ca", ca, "--token-file", reader_file});
  EXPECT_EQ(fetched.code, 0) << fetched.text;
  EXPECT_EQ(Command({"delete-world", "dales", "--ca", ca, "--token-file", maker_file}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.Path("dales.created.json")));

  // The log must contain no secret, at any level.
  server_->Signal(SIGTERM);
  const Outcome log = server_->Await();
  EXPECT_EQ(log.code, 0);
  EXPECT_THAT(log.text, AllOf(HasSubstr("stopped"), Not(HasSubstr(reader)), Not(HasSubstr(maker)),
                              Not(HasSubstr("PRIVATE KEY"))));
}

TEST_F(ProgramTest, WorldFilesAreCheckedWithoutAServer) {
  const std::string right = folder_.Put("right.txt", kWorld);
  const std::string wrong =
      folder_.Put("wrong.json", "// One\n{\"name\": \"w\", \"levels\": 99, \"sea_level\": 0}");
  const Outcome one = RunToEnd({THALWEGD, "check-world", right});
  EXPECT_EQ(one.code, 0);
  EXPECT_THAT(one.text, HasSubstr(right + ": world 'dales' is right: a plane, cells of "));
  const Outcome both = RunToEnd({THALWEGD, "check-world", wrong, right});
  EXPECT_EQ(both.code, 1);
  EXPECT_THAT(both.text,
              AllOf(HasSubstr(wrong + ": line 2, column 29: WorldSpec has no field 'sea_level'; "),
                    HasSubstr(wrong + ": line 2, column 15: invalid levels: expected 1 to 21"),
                    HasSubstr("world 'dales' is right")));
  EXPECT_EQ(RunToEnd({THALWEGD, "check-world", folder_.Path("none.json")}).code, 1);
}

// The server reads each file again at most once a second, and until then uses the old one. So the
// command is repeated until the server reports the change.
TEST_F(ProgramTest, ReloadsItsFiles) {
  const TestAuthority first;
  const TestAuthority next;
  PutCertificate(first.Issue("first"));
  folder_.Put("tokens", LineOf("a", "t1", "read"));
  Words flags = TlsFlags();
  flags.insert(flags.end(), {"--tokens", folder_.Path("tokens")});
  Serve(flags);
  const std::string first_ca = folder_.Put("first", first.root());
  const std::string next_ca = folder_.Put("next", next.root());
  EXPECT_EQ(Command({"worlds", "--ca", first_ca}, {"THALWEG_TOKEN=t1"}).code, 0);

  folder_.Put("cert", "garbage");
  while (server_->Log().find("PEM") == std::string::npos) {
    ASSERT_EQ(Command({"worlds", "--ca", first_ca}, {"THALWEG_TOKEN=t1"}).code, 0);
  }
  EXPECT_THAT(server_->AwaitText("PEM"), HasSubstr("the server keeps what it read before"));
  PutCertificate(next.Issue("next"));
  folder_.Put("tokens", LineOf("b", "t2", "read"));
  while (Command({"worlds", "--ca", next_ca}, {"THALWEG_TOKEN=t2"}).code != 0) {
  }
  EXPECT_EQ(Command({"worlds", "--ca", first_ca}, {"THALWEG_TOKEN=t2"}).code, 1);
  EXPECT_EQ(Command({"worlds", "--ca", next_ca}, {"THALWEG_TOKEN=t1"}).code, 1);
  EXPECT_THAT(server_->Log(), HasSubstr("tokens again\n"));
}

TEST_F(ProgramTest, RefusesPipesForTokensAndCertificates) {
  PutCertificate(TestAuthority().Issue("server"));
  const Words tls = TlsFlags();
  const std::string pipe = folder_.PutPipe("pipe");
  for (const Words& flags : {Words{"--tokens", pipe}, Words{"--tls-cert", pipe, tls[2], tls[3]},
                             Words{tls[0], tls[1], "--tls-key", pipe},
                             Words{tls[0], tls[1], tls[2], tls[3], "--tls-client-ca", pipe}}) {
    Words words{THALWEGD, "serve", "--listen", "127.0.0.1:0"};
    words.insert(words.end(), flags.begin(), flags.end());
    const Outcome refused = RunToEnd(words);
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.text, HasSubstr("invalid file " + pipe +
                                        ": expected a regular file, got a named pipe (FIFO)\n"));
  }
}

// The server checks the file once a second, so the command is repeated.
TEST_F(ProgramTest, KeepsItsTokensWhileTheirFileIsAPipe) {
  folder_.Put("tokens", LineOf("a", "t1", "read") + LineOf("b", "t2", "read"));
  Serve({"--tokens", folder_.Path("tokens")});
  folder_.PutPipe("tokens");
  while (server_->Log().find("got a named pipe") == std::string::npos) {
    ASSERT_EQ(Command({"worlds"}, {"THALWEG_TOKEN=t2"}).code, 0);
  }
  EXPECT_THAT(server_->AwaitText("read before\n"),
              HasSubstr("the server keeps what it read before\n"));
  EXPECT_EQ(Command({"worlds"}, {"THALWEG_TOKEN=t2"}).code, 0);
  folder_.Put("tokens", LineOf("a", "t1", "read"));
  while (Command({"worlds"}, {"THALWEG_TOKEN=t2"}).code == 0) {
  }
  EXPECT_EQ(Command({"worlds"}, {"THALWEG_TOKEN=t1"}).code, 0);
  folder_.PutPipe("tokens");
  server_->Signal(SIGTERM);
  EXPECT_EQ(server_->Await().code, 0);
}

TEST_F(ProgramTest, WarnsThatATokensFileAdmitsNobody) {
  folder_.Put("tokens", "# nobody yet\n");
  Serve({"--tokens", folder_.Path("tokens")});
  EXPECT_THAT(server_->Log(), HasSubstr("has no tokens: nobody is let in"));
  EXPECT_EQ(Command({"worlds"}, {"THALWEG_TOKEN=t1"}).code, 1);
  folder_.Put("tokens", LineOf("a", "t1", "read"));
  server_->Signal(SIGHUP);
  server_->AwaitText("tokens again\n");
  EXPECT_EQ(Command({"worlds"}, {"THALWEG_TOKEN=t1"}).code, 0);
  folder_.Put("tokens", "");
  server_->Signal(SIGHUP);
  EXPECT_THAT(server_->AwaitText("all tokens are revoked"), HasSubstr("all tokens are revoked"));
  while (Command({"worlds"}, {"THALWEG_TOKEN=t1"}).code == 0) {
  }
}

TEST_F(ProgramTest, ReloadsItsFilesAtSighup) {
  const TestAuthority first;
  const TestAuthority next;
  PutCertificate(first.Issue("first"));
  folder_.Put("tokens", LineOf("a", "t1", "read"));
  Words flags = TlsFlags();
  flags.insert(flags.end(), {"--tokens", folder_.Path("tokens")});
  Serve(flags);
  PutCertificate(next.Issue("next"));
  folder_.Put("tokens", LineOf("b", "t2", "read"));
  server_->Signal(SIGHUP);
  EXPECT_THAT(server_->AwaitText("cert again\n"), HasSubstr("SIGHUP: checking the files"));
  EXPECT_THAT(server_->AwaitText("tokens again\n"), HasSubstr("tokens again\n"));
  const std::string ca = folder_.Put("ca", next.root());
  EXPECT_EQ(Command({"worlds", "--ca", ca}, {"THALWEG_TOKEN=t2"}).code, 0);
  EXPECT_EQ(Command({"worlds", "--ca", ca}, {"THALWEG_TOKEN=t1"}).code, 1);

  Serve({});
  server_->Signal(SIGHUP);
  server_->AwaitText("SIGHUP: the server has no files");
  EXPECT_EQ(Command({"worlds"}).code, 0);
  server_->Signal(SIGTERM);
  EXPECT_EQ(server_->Await().code, 0);
}

// Beside a server it measures too, but says so.
TEST_F(ProgramTest, MeasuresEachLevelAndStage) {
  const Outcome table =
      RunToEnd({THALWEGD, "bench", "--device", "native", "--threads", "2", "--seconds", "1"});
  EXPECT_EQ(table.code, 0) << table.text;
  EXPECT_THAT(table.text,
              AllOf(HasSubstr("native"), HasSubstr("first tile"), HasSubstr("hot tiles/s"),
                    HasSubstr("\n10 "), HasSubstr("\nrivers "), HasSubstr("\nexport ")));
  Serve({});
  const Outcome json =
      RunToEnd({THALWEGD, "bench", "--device", "native", "--seconds", "1", "--json"});
  EXPECT_EQ(json.code, 0) << json.text;
  EXPECT_THAT(json.text, HasSubstr("it slows down what is measured"));
  EXPECT_THAT(json.text,
              AllOf(HasSubstr(R"("levels":[{"level":0,)"),
                    testing::ContainsRegex(R"("rivers":(0\.[0-9]+|[0-9.]+e-[0-9]+)[,}])")));
}

// Idle connections beyond the limit of files used to shut out metrics and gRPC.
TEST(StarvedTest, IdleConnectionsLeaveFilesForMetricsAndRpc) {
  child::Server server({"/bin/bash", "-c", R"(ulimit -n 120 && exec "$0" "$@")", THALWEGD, "serve",
                        "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--metrics-listen",
                        "127.0.0.1:0", "--device", "reference", "--threads", "1"});
  EXPECT_THAT(server.Log(), HasSubstr("HTTP takes 30 connections instead of 10000"));
  std::vector<std::unique_ptr<service::HttpClient>> idle;
  for (int k = 0; k < 200; ++k) {
    idle.push_back(std::make_unique<service::HttpClient>(server.http_port()));
  }
  EXPECT_THAT(service::HttpGet(server.http_port(), "/healthz"), HasSubstr("ok"));
  EXPECT_THAT(service::HttpGet(server.metrics_port(), "/metrics"), HasSubstr("process_open_fds"));
  const Outcome health = RunToEnd({THALWEG, "health", "--server", server.address()});
  EXPECT_EQ(health.code, 0) << health.text;
}

// A server whose shell sets a limit first. It can't start, and says so in its last line.
std::string LastLineOf(const std::string& limit, Words flags) {
  flags.insert(flags.begin(), {"/bin/bash", "-c", limit + R"( && exec "$0" "$@")", THALWEGD,
                               "serve", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"});
  const Outcome outcome = RunToEnd(flags);
  EXPECT_EQ(outcome.code, 1) << outcome.text;
  const std::size_t end = outcome.text.find_last_not_of('\n') + 1;
  return outcome.text.substr(0, end).substr(outcome.text.rfind('\n', end - 1) + 1);
}

// The threads that were made used to wait for ever for the others.
TEST(StarvedTest, TooFewThreadsGiveAnErrorOfOneLine) {
  if (!kThreadsCanRunOut) GTEST_SKIP();
  EXPECT_THAT(LastLineOf("ulimit -S -s 8192 && ulimit -v 400000",
                         {"--device", "native", "--threads", "64"}),
              HasSubstr("ulimit -u"));
}

TEST(StarvedTest, TooFewFilesGiveAnErrorOfOneLine) {
  for (const char* const limit : {"ulimit -n 5", "ulimit -n 8", "ulimit -n 10", "ulimit -n 12"}) {
    EXPECT_THAT(LastLineOf(limit, {"--device", "reference", "--threads", "1"}),
                HasSubstr("ulimit -n"));
  }
}

TEST(BenchTest, RefusesInvalidOptions) {
  const Outcome nothing = RunToEnd({THALWEGD, "bench", "--device", "fastest"});
  EXPECT_EQ(nothing.code, 1) << nothing.text;
  EXPECT_THAT(nothing.text, HasSubstr("got 'fastest'"));
  const Outcome never = RunToEnd({THALWEGD, "bench", "--seconds", "0"});
  EXPECT_EQ(never.code, 2) << never.text;
  EXPECT_THAT(never.text, HasSubstr("--seconds"));
}

}  // namespace
}  // namespace thalweg::commands
