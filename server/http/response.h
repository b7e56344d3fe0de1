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
  // Empty if it has none.
  std::string content_type;
  // The lines of further headers, each with its line end.
  std::string headers;
  // Null if it has none.
  Body body;
  // Whether to send the body's length. False for HEAD if the length is known only with the body.
  bool has_length = true;
  // Whether to close the connection after it.
  bool close = false;

  // Adds a header's line. Neither argument may contain a line end.
  Response& Add(std::string_view name, std::string_view value);
};

// A body that owns these bytes.
Body BodyOf(std::string bytes);

// The reason for a status: "Not Found"; "Error" for an unknown number.
std::string_view ReasonOf(int status);

// The head of an answer, sent before the body. `date`: the text of the Date header; `keep_alive`:
// whether the connection is kept, which HTTP/1.0 clients must be told.
std::string HeadOf(const Response& response, std::string_view date, bool keep_alive, bool http_1_0);

}  // namespace thalweg::http
