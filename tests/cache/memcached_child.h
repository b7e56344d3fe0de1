// A real memcached, as a child of the test.
#pragma once

#include <memory>

#include "server/cache/shared/shared_cache.h"
#include "tests/child/child.h"

namespace thalweg::cache {

class MemcachedChild {
 public:
  // Starts it on a free port and returns when it listens.
  MemcachedChild();
  ~MemcachedChild() { Kill(); }
  MemcachedChild(const MemcachedChild&) = delete;
  MemcachedChild& operator=(const MemcachedChild&) = delete;

  const wire::HostPort& address() const { return address_; }

  void Kill() { process_->Kill(); }
  // Again on the same port, with nothing in it.
  void Restart();
  // Until Continue it has its connections and takes new ones, and answers nothing.
  void Hang();
  void Continue();

 private:
  void Start(int port);

  wire::HostPort address_;
  std::unique_ptr<child::Child> process_;
};

}  // namespace thalweg::cache
