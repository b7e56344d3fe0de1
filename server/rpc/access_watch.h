// Looks at who is let in while nobody calls.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "server/access/access_control.h"

namespace thalweg::rpc {

// Calls that go on for hours ask for nothing: a thread asks for them, so that they end when their
// token is gone.
class AccessWatch {
 public:
  // Looks every so often. The access control outlives it.
  AccessWatch(access::AccessControl* access, std::chrono::milliseconds interval);
  ~AccessWatch();

  AccessWatch(const AccessWatch&) = delete;
  AccessWatch& operator=(const AccessWatch&) = delete;

 private:
  void Run();

  access::AccessControl* const access_;
  const std::chrono::milliseconds interval_;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace thalweg::rpc
