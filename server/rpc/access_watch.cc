#include "server/rpc/access_watch.h"

namespace thalweg::rpc {

AccessWatch::AccessWatch(access::AccessControl* access, std::chrono::milliseconds interval)
    : access_(access), interval_(interval), thread_([this] { Run(); }) {}

AccessWatch::~AccessWatch() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stop_.notify_all();
  thread_.join();
}

void AccessWatch::Run() {
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, interval_, [this] { return stopping_; })) {
    // Refresh may end calls, which takes a while.
    lock.unlock();
    access_->Refresh();
    lock.lock();
  }
}

}  // namespace thalweg::rpc
