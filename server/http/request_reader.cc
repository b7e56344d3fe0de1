#include "server/http/request_reader.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <cstdint>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace thalweg::http {
namespace {

namespace beast = boost::beast;
using Error = beast::http::error;

// The parser allows any character in a quoted value, even one that others read as a line's end.
void CheckExtension(std::uint64_t, beast::string_view extension, beast::error_code& error) {
  const bool has_control = std::any_of(extension.begin(), extension.end(), [](char c) {
    return absl::ascii_iscntrl(static_cast<unsigned char>(c)) && c != '\t';
  });
  if (has_control) error = Error::bad_chunk_extension;
}

}  // namespace

using Progress = RequestReader::Progress;

Progress RequestReader::Read() {
  if (!parser_) {
    parser_.emplace();
    parser_->header_limit(options_.max_header_bytes);
    parser_->body_limit(options_.max_body_bytes);
    parser_->on_chunk_header(CheckExtension);
  }
  return parser_->is_header_done() ? ReadBody() : ReadHead();
}

Progress RequestReader::ReadHead() {
  // The parser must stop at the end of the head.
  parser_->eager(false);
  beast::error_code error;
  const std::size_t used = parser_->put(boost::asio::buffer(unread_), error);
  const bool folded = IsFolded(std::string_view(unread_).substr(0, used));
  unread_.erase(0, used);
  if (folded)
    return Refuse({400, "invalid head: expected each field in one line, got one over two lines"});
  if (error && error != Error::need_more) return RefuseParsed(error);
  if (parser_->is_header_done()) return AcceptHead();
  if (unread_.size() > options_.max_header_bytes) return RefuseParsed(Error::header_limit);
  return Progress::kMore;
}

// Finds errors in the head before the body is read.
Progress RequestReader::AcceptHead() {
  const Head& head = parser_->get();
  if (auto refusal = CheckFraming(head)) return Refuse(*std::move(refusal));
  const bool has_body = parser_->chunked() || parser_->content_length().value_or(0) > 0;
  if (has_body && head.method() != beast::http::verb::post) {
    return Refuse({413, "invalid body: expected none, since the method is not POST, got one"});
  }
  keep_alive_ = parser_->keep_alive();
  http_1_0_ = head.version() == 10;
  if (parser_->chunked()) head_ = head;
  return Progress::kHead;
}

Progress RequestReader::ReadBody() {
  if (parser_->is_done()) return Progress::kRequest;
  parser_->eager(true);
  beast::error_code error;
  unread_.erase(0, parser_->put(boost::asio::buffer(unread_), error));
  if (error && error != Error::need_more) return RefuseParsed(error);
  if (parser_->is_done()) return Progress::kRequest;
  if (unread_.size() > options_.max_header_bytes) {
    return Refuse({400, absl::StrCat("invalid chunk: expected max ", options_.max_header_bytes,
                                     " bytes in its line or in the trailer, got more")});
  }
  return Progress::kMore;
}

bool RequestReader::awaits_continue() const {
  return !http_1_0_ && !parser_->is_done() &&
         beast::iequals(parser_->get()[beast::http::field::expect], "100-continue");
}

Message RequestReader::Take() {
  Message message = parser_->release();
  if (head_) message.base() = *std::move(head_);
  head_.reset();
  parser_.reset();
  return message;
}

void RequestReader::Shrink(std::size_t bytes) {
  if (unread_.empty() && unread_.capacity() > bytes) std::string().swap(unread_);
}

Progress RequestReader::Refuse(Refusal refusal) {
  refusal_ = std::move(refusal);
  return Progress::kRefused;
}

Progress RequestReader::RefuseParsed(const beast::error_code& error) {
  if (error == Error::header_limit || error == Error::buffer_overflow) {
    return Refuse({431, absl::StrCat("invalid head: expected max ", options_.max_header_bytes,
                                     " bytes, got more")});
  }
  if (error == Error::body_limit) {
    return Refuse({413, absl::StrCat("invalid body: expected max ", options_.max_body_bytes,
                                     " bytes, got more")});
  }
  if (error == Error::bad_version)
    return Refuse({505, "invalid version: expected HTTP/1.1, got another"});
  return Refuse({400, absl::StrCat("invalid request: expected HTTP/1.1, got ", error.message())});
}

}  // namespace thalweg::http
