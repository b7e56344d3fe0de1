#include "tests/bench/child_server.h"

#include <fstream>

#include "absl/strings/str_cat.h"

namespace thalweg::bench {

absl::StatusOr<std::unique_ptr<ChildServer>> ChildServer::Start(
    const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<std::string> words{program,       "serve",  "--listen",
                                 "127.0.0.1:0", "--http", "127.0.0.1:0"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::unique_ptr<ChildServer> server(new ChildServer(words));
  // The server prints the HTTP address first.
  const std::string log = server->child_.AwaitText("listening on 127.0.0.1:");
  server->port_ = child::WordAfter(log, "listening on 127.0.0.1:");
  server->http_port_ = child::WordAfter(log, "HTTP on 127.0.0.1:");
  if (server->port_.empty() || server->http_port_.empty()) {
    return absl::UnavailableError(absl::StrCat("start ", program, ": it does not listen: ", log));
  }
  return server;
}

std::int64_t ChildServer::StatusBytes(const std::string& name) const {
  std::ifstream status(absl::StrCat("/proc/", child_.pid(), "/status"));
  std::string word;
  while (status >> word) {
    if (word != name) continue;
    std::int64_t kilobytes = 0;
    status >> kilobytes;
    return kilobytes * 1024;
  }
  return 0;
}

}  // namespace thalweg::bench
