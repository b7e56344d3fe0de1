#include "tests/service/child_server.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/service/http_get.h"

namespace thalweg::service {
namespace {

// 0 if there is none.
int PortAfter(const std::string& log, const std::string& text) {
  const std::string word = child::WordAfter(log, text);
  return word.empty() ? 0 : std::stoi(word);
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

ChildServer::ChildServer(const std::vector<std::string>& flags, const std::string& listen) {
  std::vector<std::string> words{THALWEGD,    "serve", "--device",         "reference",
                                 "--threads", "1",     "--metrics-listen", "127.0.0.1:0",
                                 "--listen",  listen};
  words.insert(words.end(), flags.begin(), flags.end());
  child_ = std::make_unique<child::Child>(words);
  const std::string log = child_->AwaitText("listening on 127.0.0.1:");
  address_ = child::WordAfter(log, "listening on ");
  EXPECT_NE(address_, "") << log;
  http_port_ = PortAfter(log, "HTTP on 127.0.0.1:");
  metrics_port_ = PortAfter(log, "metrics on http://127.0.0.1:");
}

int ChildServer::rpc_port() const { return std::stoi(address_.substr(address_.rfind(':') + 1)); }

double ChildServer::Metric(const std::string& name) const {
  const std::string text = HttpGet(metrics_port_, "/metrics");
  const std::string start = "\n" + name + " ";
  const std::size_t at = text.find(start);
  return at == std::string::npos ? -1 : std::stod(text.substr(at + start.size()));
}

void ChildServer::Kill() { child_->Kill(); }

}  // namespace thalweg::service
