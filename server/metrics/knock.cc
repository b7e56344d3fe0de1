#include "server/metrics/knock.h"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace thalweg::metrics {

void Knock(const std::string& host, int port) {
  const std::string name(absl::StripPrefix(absl::StripSuffix(host, "]"), "["));
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(name.c_str(), absl::StrCat(port).c_str(), &hints, &found) != 0) return;
  const absl::Cleanup free_found = [found] { freeaddrinfo(found); };
  const int socket =
      ::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, found->ai_protocol);
  if (socket < 0) return;
  // The kernel has accepted or refused by then, whoever listens on this machine.
  (void)connect(socket, found->ai_addr, found->ai_addrlen);
  close(socket);
}

}  // namespace thalweg::metrics
