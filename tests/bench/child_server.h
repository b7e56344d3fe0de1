// A server program as a child of this one.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace thalweg::bench {

// Stops its child when it goes.
class ChildServer {
 public:
  // Starts `program serve` at free ports of 127.0.0.1, with more arguments, and waits for them.
  // NOT_FOUND or DEADLINE_EXCEEDED when it does not come up within 60 s.
  static absl::StatusOr<std::unique_ptr<ChildServer>> Start(
      const std::string& program, const std::vector<std::string>& arguments);
  ~ChildServer();

  ChildServer(const ChildServer&) = delete;
  ChildServer& operator=(const ChildServer&) = delete;

  std::string address() const { return "127.0.0.1:" + port_; }
  int port() const { return std::stoi(port_); }
  int http_port() const { return std::stoi(http_port_); }
  // The most memory that it ever had resident (VmHWM), what it has now (VmRSS), and what of that no
  // file backs (RssAnon).
  std::int64_t peak_bytes() const { return StatusBytes("VmHWM:"); }
  std::int64_t resident_bytes() const { return StatusBytes("VmRSS:"); }
  std::int64_t anonymous_bytes() const { return StatusBytes("RssAnon:"); }

 private:
  ChildServer() = default;

  absl::Status AwaitPorts();
  std::int64_t StatusBytes(const std::string& name) const;

  pid_t pid_ = -1;
  std::string port_file_;
  std::string port_;
  std::string http_port_file_;
  std::string http_port_;
};

}  // namespace thalweg::bench
