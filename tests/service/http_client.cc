#include "tests/service/http_client.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tests/service/loopback_socket.h"

namespace thalweg::service {

HttpClient::HttpClient(int port) : socket_(ConnectToLoopback(port)) { EXPECT_GE(socket_, 0); }

HttpClient::~HttpClient() { Close(); }

void HttpClient::Close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

void HttpClient::Reset() {
  const linger none{.l_onoff = 1, .l_linger = 0};
  setsockopt(socket_, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
  Close();
}

void HttpClient::ShutDown() const { ::shutdown(socket_, SHUT_WR); }

void HttpClient::Send(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
    // The server may have closed the connection.
    if (sent <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

bool HttpClient::Fill() {
  std::array<char, 65'536> part{};
  const ssize_t bytes = ::recv(socket_, part.data(), part.size(), 0);
  if (bytes <= 0) return false;
  unread_.append(part.data(), static_cast<std::size_t>(bytes));
  return true;
}

std::optional<HttpAnswer> HttpClient::Read(bool head) {
  std::size_t end = 0;
  while ((end = unread_.find("\r\n\r\n")) == std::string::npos) {
    if (!Fill()) return std::nullopt;
  }
  HttpAnswer answer;
  answer.status = std::atoi(unread_.c_str() + sizeof("HTTP/1.1"));
  std::size_t at = unread_.find("\r\n") + 2;
  while (at < end + 2) {
    const std::size_t line_end = unread_.find("\r\n", at);
    const std::size_t colon = unread_.find(": ", at);
    std::string name = unread_.substr(at, colon - at);
    absl::AsciiStrToLower(&name);
    EXPECT_FALSE(answer.headers.contains(name)) << name;
    answer.headers[name] = unread_.substr(colon + 2, line_end - colon - 2);
    at = line_end + 2;
  }
  unread_.erase(0, end + 4);
  const bool bare = head || answer.status == 304 || answer.status == 204 || answer.status == 100;
  const auto length =
      bare ? 0U : static_cast<std::size_t>(std::atoll(answer.Header("content-length").c_str()));
  while (unread_.size() < length) {
    if (!Fill()) return std::nullopt;
  }
  answer.body = unread_.substr(0, length);
  unread_.erase(0, length);
  return answer;
}

std::string RequestOf(const std::string& method, const std::string& path,
                      const std::string& headers, const std::string& body) {
  const std::string length =
      body.empty() ? "" : absl::StrCat("Content-Length: ", body.size(), "\r\n");
  return absl::StrCat(method, " ", path, " HTTP/1.1\r\nHost: terrain.test\r\n", headers, length,
                      "\r\n", body);
}

HttpAnswer HttpClient::Ask(const std::string& method, const std::string& path,
                           const std::string& headers, const std::string& body) {
  Send(RequestOf(method, path, headers, body));
  return Read(method == "HEAD").value_or(HttpAnswer{});
}

HttpAnswer HttpClient::Get(const std::string& path, const std::string& headers) {
  return Ask("GET", path, headers);
}

bool HttpClient::IsClosed() { return unread_.empty() && !Fill(); }

}  // namespace thalweg::service
