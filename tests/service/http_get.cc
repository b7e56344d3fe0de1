#include "tests/service/http_get.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstdint>

#include "absl/cleanup/cleanup.h"

namespace thalweg::service {

std::string HttpGet(int port, const std::string& path) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return "";
  const absl::Cleanup close = [socket] { ::close(socket); };
  const timeval patience{.tv_sec = 60, .tv_usec = 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) return "";
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
