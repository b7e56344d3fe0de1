// thalwegd as a child of the test, on a port of its own, with metrics.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/child/child.h"

namespace thalweg::service {

// A small world that the reference computes in moments, as a file of a folder of worlds.
inline constexpr char kDalesFile[] = "dales.textproto";
inline constexpr char kDales[] = R"(name: "dales" levels: 4
base { fbm { wavelength_m: 20000 amplitude: 300 } }
rules { detail {} stages { thermal { iterations: 1 } } })";

// Whether a condition came true within five minutes. What it asks for may be a moment away: it is
// asked again and again.
bool Eventually(const std::function<bool()>& condition);

// Computes with the reference, on one thread.
class ChildServer {
 public:
  // More words of its command line; listens at HOST:PORT. Waits until it does.
  explicit ChildServer(const std::vector<std::string>& flags,
                       const std::string& listen = "127.0.0.1:0");

  // "127.0.0.1:PORT"; empty if it does not listen.
  const std::string& address() const { return address_; }
  int rpc_port() const;
  // 0 without --http.
  int http_port() const { return http_port_; }
  pid_t pid() const { return child_->pid(); }
  // Its log so far.
  std::string Log() { return child_->AwaitText(""); }
  // The value of a metric's line, by what stands before it; -1 without one.
  double Metric(const std::string& name) const;
  // SIGKILL; returns when it is gone.
  void Kill();

 private:
  std::unique_ptr<child::Child> child_;
  std::string address_;
  int http_port_ = 0;
  int metrics_port_ = 0;
};

}  // namespace thalweg::service
