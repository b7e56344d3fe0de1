// A client of HTTP that sends any bytes, valid or not.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace thalweg::service {

struct HttpAnswer {
  int status = 0;
  // By lower-case name.
  std::map<std::string, std::string> headers;
  std::string body;

  std::string Header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

// One connection over a plain socket. What takes longer than a minute counts as never.
class HttpClient {
 public:
  explicit HttpClient(int port);
  ~HttpClient();

  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  void Send(std::string_view text) const;
  // The next answer; nothing when the connection ended first. Answers to HEAD have no body.
  std::optional<HttpAnswer> Read(bool head = false);
  // Sends a request and reads its answer, whose status is 0 if there is none.
  HttpAnswer Get(const std::string& path, const std::string& headers = "");
  HttpAnswer Ask(const std::string& method, const std::string& path,
                 const std::string& headers = "", const std::string& body = "");

  // Whether the server ends the connection before it says anything more.
  bool IsClosed();
  // Says that nothing more will come.
  void ShutDown() const;
  // Goes without a word: with a reset.
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
