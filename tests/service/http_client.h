// An HTTP client that sends any bytes, valid or not.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace thalweg::service {

struct HttpAnswer {
  int status = 0;
  // By name in lower case.
  std::map<std::string, std::string> headers;
  std::string body;

  std::string Header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

// One connection over a plain socket. It waits at most a minute for anything.
class HttpClient {
 public:
  explicit HttpClient(int port);
  ~HttpClient();

  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  void Send(std::string_view text) const;
  // The next answer; nothing if the connection ends first. Answers to HEAD have no body.
  std::optional<HttpAnswer> Read(bool head = false);
  // Sends a request and reads its answer, whose status is 0 if there is none.
  HttpAnswer Get(const std::string& path, const std::string& headers = "");
  HttpAnswer Ask(const std::string& method, const std::string& path,
                 const std::string& headers = "", const std::string& body = "");

  // Whether the server closes the connection without sending anything more.
  bool IsClosed();
  // Closes the direction to the server.
  void ShutDown() const;
  // Closes the connection with a TCP reset.
  void Reset();
  void Close();

 private:
  // False at the end of the connection.
  bool Fill();

  int socket_;
  std::string unread_;
};

// The text of a request.
std::string RequestOf(const std::string& method, const std::string& path,
                      const std::string& headers = "", const std::string& body = "");

}  // namespace thalweg::service
