#include "tests/child/server.h"

#include <fstream>
#include <sstream>

namespace thalweg::child {
namespace {

// The word that follows `text` in a log; empty if there is none.
std::string WordAfter(const std::string& log, const std::string& text) {
  const std::size_t at = log.find(text);
  if (at == std::string::npos) return "";
  std::istringstream rest(log.substr(at + text.size()));
  std::string word;
  rest >> word;
  return word;
}

// 0 if there is none.
int PortOf(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  return colon == std::string::npos ? 0 : std::stoi(address.substr(colon + 1));
}

}  // namespace

Server::Server(const std::vector<std::string>& words) : Child(words) {
  // The other addresses come before this one.
  const std::string log = AwaitText("listening on ");
  address_ = WordAfter(log, "listening on ");
  rpc_port_ = PortOf(address_);
  http_port_ = PortOf(WordAfter(log, "HTTP on "));
  metrics_port_ = PortOf(WordAfter(log, "metrics on "));
}

std::int64_t Server::StatusBytes(const std::string& name) const {
  std::ifstream status("/proc/" + std::to_string(pid()) + "/status");
  std::string word;
  while (status >> word) {
    if (word != name) continue;
    std::int64_t kilobytes = 0;
    status >> kilobytes;
    return kilobytes * 1024;
  }
  return 0;
}

}  // namespace thalweg::child
