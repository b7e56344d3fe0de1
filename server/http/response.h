// An answer on its way, and its head as text.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace thalweg::http {

using Body = std::shared_ptr<const std::string>;

struct Response {
  int status = 200;
  // Empty: there is none.
  std::string content_type;
  // Lines of further headers, each with its end.
  std::string headers;
  // Null: none.
  Body body;
  // Whether to send the body's length. False for HEAD if the body would have to be made for it.
  bool has_length = true;
  // Whether the connection is closed after it.
  bool close = false;

  // Adds a line. Neither may have an end of line in it.
  Response& Add(std::string_view name, std::string_view value);
};

// A body of its own bytes.
Body BodyOf(std::string bytes);

// "Not Found"; "Error" for an unknown number.
std::string_view ReasonOf(int status);

// The head of an answer, to be sent before the body. `date` is that of RFC 9110; `keep_alive` says
// whether the connection is kept, which HTTP/1.0 must be told.
std::string HeadOf(const Response& response, std::string_view date, bool keep_alive, bool http_1_0);

}  // namespace thalweg::http
