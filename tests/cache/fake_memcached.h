// A server whose answers come from a script.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "server/cache/shared/memcached_server.h"

namespace thalweg::cache {

class FakeMemcached {
 public:
  struct Answer {
    std::string bytes = {};
    // Whether the connection is closed after the answer.
    bool close = false;
    // Whether the answer comes byte by byte, and its last byte again and again.
    bool trickle = false;
  };
  // The answer to what a client has sent.
  using Script = std::function<Answer(const std::string& request)>;

  // Listens on a free port of 127.0.0.1.
  explicit FakeMemcached(Script script);
  ~FakeMemcached();

  FakeMemcached(const FakeMemcached&) = delete;
  FakeMemcached& operator=(const FakeMemcached&) = delete;

  const wire::HostPort& address() const { return address_; }

 private:
  void Accept();
  void Serve(int connection);

  const Script script_;
  wire::HostPort address_;
  int listener_ = -1;
  std::mutex mutex_;
  bool stopping_ = false;
  std::vector<int> connections_;
  std::vector<std::thread> threads_;
  std::thread accepting_;
};

}  // namespace thalweg::cache
