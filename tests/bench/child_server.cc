#include "tests/bench/child_server.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"

namespace thalweg::bench {
namespace {

// The server makes such a file anew; an empty one has no port yet.
absl::StatusOr<std::string> TemporaryFile() {
  char name[] = "/tmp/thalweg-bench-XXXXXX";
  const int file = mkstemp(name);
  if (file < 0) return absl::InternalError("start server: no temporary file");
  close(file);
  return std::string(name);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ChildServer>> ChildServer::Start(
    const std::string& program, const std::vector<std::string>& arguments) {
  std::unique_ptr<ChildServer> child(new ChildServer());
  THALWEG_ASSIGN_OR_RETURN(child->port_file_, TemporaryFile());
  THALWEG_ASSIGN_OR_RETURN(child->http_port_file_, TemporaryFile());
  std::vector<std::string> words{
      program,           "serve",  "--listen",    "127.0.0.1:0",      "--port-file",
      child->port_file_, "--http", "127.0.0.1:0", "--http-port-file", child->http_port_file_};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int error =
      posix_spawn(&child->pid_, program.c_str(), nullptr, nullptr, argv.data(), environ);
  if (error != 0) {
    child->pid_ = -1;
    return absl::NotFoundError(absl::StrCat("start ", program, ": ", std::strerror(error)));
  }
  THALWEG_RETURN_IF_ERROR(child->AwaitPorts());
  return child;
}

ChildServer::~ChildServer() {
  if (pid_ > 0) {
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
  }
  for (const std::string& file : {port_file_, http_port_file_}) {
    if (!file.empty()) std::remove(file.c_str());
  }
}

absl::Status ChildServer::AwaitPorts() {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < deadline) {
    std::ifstream file(port_file_);
    std::ifstream http_file(http_port_file_);
    if (file >> port_ && http_file >> http_port_) return absl::OkStatus();
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      return absl::NotFoundError("start server: it ended before it listened");
    }
    // A file has no event that every system has; this is finer than what is measured.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return absl::DeadlineExceededError("start server: no port after 60 s");
}

std::int64_t ChildServer::StatusBytes(const std::string& name) const {
  std::ifstream status(absl::StrCat("/proc/", pid_, "/status"));
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
