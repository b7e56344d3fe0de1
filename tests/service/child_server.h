// thalwegd as a child process of the test, on its own port, with metrics.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/child/server.h"

namespace thalweg::service {

// A small world, as a file for a folder of worlds. The reference computes its tiles quickly.
inline constexpr char kDalesFile[] = "dales.textproto";
inline constexpr char kDales[] = R"(name: "dales" levels: 4
base { fbm { wavelength_m: 20000 amplitude: 300 } }
rules { detail {} stages { thermal { iterations: 1 } } })";

// Tests the condition again and again until it is true. Returns false if it is not true within five
// minutes.
bool Eventually(const std::function<bool()>& condition);

// The server computes with the reference, on one thread.
class ChildServer : public child::Server {
 public:
  // Starts the server with more words in its command line. Waits until it listens at HOST:PORT.
  explicit ChildServer(const std::vector<std::string>& flags,
                       const std::string& listen = "127.0.0.1:0");

  // The value of the metric's line that begins with `name`; -1 if there is none.
  double Metric(const std::string& name) const;
};

}  // namespace thalweg::service
