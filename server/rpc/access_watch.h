// Checks access regularly, even if no new call comes in.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "server/access/access_control.h"

namespace thalweg::rpc {

// Calls that last for hours do not check access again. This thread does, so that they end when
// their token is removed.
class AccessWatch {
 public:
  // Checks once in each interval. The access control must outlive it.
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
