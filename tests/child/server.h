// A server program as a child process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/child/child.h"

namespace thalweg::child {

class Server : public Child {
 public:
  // words: the command line, PROGRAM serve and flags; the log must be at level info. Waits, for at
  // most two minutes, until the log says where the server listens, or the server has ended.
  explicit Server(const std::vector<std::string>& words);

  // "HOST:PORT"; empty if it does not listen.
  const std::string& address() const { return address_; }
  int rpc_port() const { return rpc_port_; }
  // 0 without --http.
  int http_port() const { return http_port_; }
  // 0 without --metrics-listen.
  int metrics_port() const { return metrics_port_; }
  // The server's log so far.
  std::string Log() { return AwaitText(""); }
  // The server's peak of resident memory (VmHWM), its resident memory now (VmRSS), and the part of
  // the latter that no file backs (RssAnon). 0 if the server has ended.
  std::int64_t peak_bytes() const { return StatusBytes("VmHWM:"); }
  std::int64_t resident_bytes() const { return StatusBytes("VmRSS:"); }
  std::int64_t anonymous_bytes() const { return StatusBytes("RssAnon:"); }

 private:
  std::int64_t StatusBytes(const std::string& name) const;

  std::string address_;
  int rpc_port_ = 0;
  int http_port_ = 0;
  int metrics_port_ = 0;
};

}  // namespace thalweg::child
