#include "tests/cache/fake_memcached.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace thalweg::cache {

FakeMemcached::FakeMemcached(Script script)
    : script_(std::move(script)), listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener_, generic, size) != 0 || listen(listener_, 64) != 0 ||
      getsockname(listener_, generic, &size) != 0) {
    std::abort();
  }
  address_ = {"127.0.0.1", ntohs(address.sin_port)};
  accepting_ = std::thread([this] { Accept(); });
}

// A shutdown of a socket wakes threads that wait for it. Closing it does not.
FakeMemcached::~FakeMemcached() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const int connection : connections_) shutdown(connection, SHUT_RDWR);
  }
  shutdown(listener_, SHUT_RDWR);
  accepting_.join();
  for (std::thread& thread : threads_) thread.join();
  for (const int connection : connections_) close(connection);
  close(listener_);
}

void FakeMemcached::Accept() {
  while (true) {
    const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    const std::lock_guard lock(mutex_);
    if (connection < 0 || stopping_) {
      if (connection >= 0) close(connection);
      return;
    }
    connections_.push_back(connection);
    threads_.emplace_back([this, connection] { Serve(connection); });
  }
}

void FakeMemcached::Serve(int connection) {
  char buffer[65536];
  while (true) {
    const ssize_t count = recv(connection, buffer, sizeof(buffer), 0);
    if (count <= 0) return;
    const Answer answer = script_(std::string(buffer, static_cast<std::size_t>(count)));
    for (std::size_t n = 0; answer.trickle; ++n) {
      const char byte = answer.bytes[std::min(n, answer.bytes.size() - 1)];
      if (send(connection, &byte, 1, MSG_NOSIGNAL) < 0) return;
      std::this_thread::yield();
    }
    send(connection, answer.bytes.data(), answer.bytes.size(), MSG_NOSIGNAL);
    if (answer.close) {
      shutdown(connection, SHUT_RDWR);
      return;
    }
  }
}

}  // namespace thalweg::cache
