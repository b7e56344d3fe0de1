#include "tests/service/child_server.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/service/http_get.h"

namespace thalweg::service {
namespace {

std::vector<std::string> WordsOf(const std::vector<std::string>& flags, const std::string& listen) {
  std::vector<std::string> words{THALWEGD,    "serve", "--device",         "reference",
                                 "--threads", "1",     "--metrics-listen", "127.0.0.1:0",
                                 "--listen",  listen};
  words.insert(words.end(), flags.begin(), flags.end());
  return words;
}

}  // namespace

bool Eventually(const std::function<bool()>& condition) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  while (std::chrono::steady_clock::now() < until) {
    if (condition()) return true;
    std::this_thread::yield();
  }
  return false;
}

ChildServer::ChildServer(const std::vector<std::string>& flags, const std::string& listen)
    : Server(WordsOf(flags, listen)) {
  EXPECT_NE(address(), "") << Log();
}

double ChildServer::Metric(const std::string& name) const {
  const std::string text = HttpGet(metrics_port(), "/metrics");
  const std::string start = "\n" + name + " ";
  const std::size_t at = text.find(start);
  return at == std::string::npos ? -1 : std::stod(text.substr(at + start.size()));
}

}  // namespace thalweg::service
