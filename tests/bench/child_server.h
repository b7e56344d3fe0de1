// A server as a child process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/child/child.h"

namespace thalweg::bench {

// The destructor stops the child process.
class ChildServer {
 public:
  // Starts `program serve` with more arguments at free ports of 127.0.0.1, and waits until it
  // listens. If that takes more than two minutes, fails with UNAVAILABLE and the server's log.
  static absl::StatusOr<std::unique_ptr<ChildServer>> Start(
      const std::string& program, const std::vector<std::string>& arguments);

  std::string address() const { return "127.0.0.1:" + port_; }
  int port() const { return std::stoi(port_); }
  int http_port() const { return std::stoi(http_port_); }
  // The server's peak of resident memory (VmHWM), its resident memory now (VmRSS), and the part of
  // the latter that no file backs (RssAnon).
  std::int64_t peak_bytes() const { return StatusBytes("VmHWM:"); }
  std::int64_t resident_bytes() const { return StatusBytes("VmRSS:"); }
  std::int64_t anonymous_bytes() const { return StatusBytes("RssAnon:"); }

 private:
  explicit ChildServer(const std::vector<std::string>& words) : child_(words) {}

  std::int64_t StatusBytes(const std::string& name) const;

  child::Child child_;
  std::string port_;
  std::string http_port_;
};

}  // namespace thalweg::bench
