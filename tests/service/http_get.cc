#include "tests/service/http_get.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "absl/cleanup/cleanup.h"
#include "tests/service/loopback_socket.h"

namespace thalweg::service {

std::string HttpGet(int port, const std::string& path) {
  const int socket = ConnectToLoopback(port);
  if (socket < 0) return "";
  const absl::Cleanup close = [socket] { ::close(socket); };
  const std::string request =
      "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
  if (send(socket, request.data(), request.size(), MSG_NOSIGNAL) < 0) return "";
  std::string answer;
  std::array<char, 4096> part{};
  for (;;) {
    const ssize_t bytes = recv(socket, part.data(), part.size(), 0);
    if (bytes <= 0) return answer;
    answer.append(part.data(), static_cast<std::size_t>(bytes));
  }
}

}  // namespace thalweg::service
