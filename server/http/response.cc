#include "server/http/response.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace thalweg::http {
namespace {

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

// Such an answer has no body and no Content-Length (RFC 9110, 8.6).
bool IsBare(int status) { return status == 204 || status == 304; }

}  // namespace

Response& Response::Add(std::string_view name, std::string_view value) {
  absl::StrAppend(&headers, View(name), ": ", View(value), "\r\n");
  return *this;
}

Body BodyOf(std::string bytes) { return std::make_shared<const std::string>(std::move(bytes)); }

std::string_view ReasonOf(int status) {
  static constexpr std::pair<int, std::string_view> kReasons[] = {
      {200, "OK"},
      {201, "Created"},
      {204, "No Content"},
      {304, "Not Modified"},
      {307, "Temporary Redirect"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {406, "Not Acceptable"},
      {408, "Request Timeout"},
      {409, "Conflict"},
      {413, "Content Too Large"},
      {415, "Unsupported Media Type"},
      {421, "Misdirected Request"},
      {429, "Too Many Requests"},
      {431, "Request Header Fields Too Large"},
      {500, "Internal Server Error"},
      {501, "Not Implemented"},
      {503, "Service Unavailable"},
      {504, "Gateway Timeout"},
      {505, "HTTP Version Not Supported"},
  };
  for (const auto& [number, reason] : kReasons) {
    if (number == status) return reason;
  }
  return "Error";
}

std::string HeadOf(const Response& response, std::string_view date, bool keep_alive,
                   bool http_1_0) {
  std::string head;
  head.reserve(384 + response.headers.size());
  absl::StrAppend(&head, "HTTP/1.1 ", response.status, " ", View(ReasonOf(response.status)),
                  "\r\nDate: ", View(date), "\r\nServer: thalwegd\r\n");
  if (!response.content_type.empty()) {
    absl::StrAppend(&head, "Content-Type: ", response.content_type,
                    "\r\nX-Content-Type-Options: nosniff\r\n");
  }
  if (response.has_length && !IsBare(response.status)) {
    absl::StrAppend(&head, "Content-Length: ",
                    response.body == nullptr ? std::size_t{0} : response.body->size(), "\r\n");
  }
  if (!keep_alive) {
    head += "Connection: close\r\n";
  } else if (http_1_0) {
    head += "Connection: keep-alive\r\n";
  }
  // Scripts of every origin may read answers. If a token is needed, they must send it.
  head +=
      "Access-Control-Allow-Origin: *\r\n"
      "Access-Control-Expose-Headers: ETag, Retry-After, X-Request-Id, Thalweg-Step, "
      "Thalweg-Offset\r\n";
  absl::StrAppend(&head, response.headers, "\r\n");
  return head;
}

}  // namespace thalweg::http
