// A real memcached, as a child process of the test.
#pragma once

#include <memory>

#include "server/cache/shared/shared_cache.h"
#include "tests/child/child.h"

namespace thalweg::cache {

class MemcachedChild {
 public:
  // Starts it on a free port and waits until it listens.
  MemcachedChild();
  ~MemcachedChild() { Kill(); }
  MemcachedChild(const MemcachedChild&) = delete;
  MemcachedChild& operator=(const MemcachedChild&) = delete;

  const wire::HostPort& address() const { return address_; }

  void Kill() { process_->Kill(); }
  // Starts it again on the same port, empty.
  void Restart();
  // Until Continue, it keeps its connections and accepts new ones, but does not answer.
  void Hang();
  void Continue();

 private:
  void Start(int port);

  wire::HostPort address_;
  std::unique_ptr<child::Child> process_;
};

}  // namespace thalweg::cache
