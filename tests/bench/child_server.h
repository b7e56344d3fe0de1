// Starts a server as a child process.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tests/child/server.h"

namespace thalweg::bench {

using child::Server;

// Starts `program serve` with more arguments at free ports of 127.0.0.1, and waits until it
// listens. If that takes more than two minutes, fails with UNAVAILABLE and the server's log.
inline absl::StatusOr<std::unique_ptr<Server>> StartServer(
    const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<std::string> words{program,       "serve",  "--listen",
                                 "127.0.0.1:0", "--http", "127.0.0.1:0"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  auto server = std::make_unique<Server>(words);
  if (server->rpc_port() == 0 || server->http_port() == 0) {
    return absl::UnavailableError(
        absl::StrCat("start ", program, ": it does not listen: ", server->Log()));
  }
  return server;
}

}  // namespace thalweg::bench
