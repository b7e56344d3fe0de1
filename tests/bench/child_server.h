// A server program as a child of this one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/child/child.h"

namespace thalweg::bench {

// Stops its child when it goes.
class ChildServer {
 public:
  // Starts `program serve` at free ports of 127.0.0.1, with more arguments, and waits for them.
  // UNAVAILABLE with what it logged when it does not come up within two minutes.
  static absl::StatusOr<std::unique_ptr<ChildServer>> Start(
      const std::string& program, const std::vector<std::string>& arguments);

  std::string address() const { return "127.0.0.1:" + port_; }
  int port() const { return std::stoi(port_); }
  int http_port() const { return std::stoi(http_port_); }
  // The most memory that it ever had resident (VmHWM), what it has now (VmRSS), and what of that no
  // file backs (RssAnon).
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
