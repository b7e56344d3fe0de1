// Answers that are JSON documents, and the URLs in them.
#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

#include "server/http/site.h"

namespace thalweg::http {

// Answers with a message as JSON, or with 304 if the caller has it. The text is compressed if the
// caller accepts that, once for all callers. The validator is a hash of the text.
void AnswerDocument(const Site& site, const google::protobuf::Message& message,
                    std::string_view cache_control, Exchange& exchange);

// As AnswerDocument, for any text.
void AnswerText(const Site& site, const std::string& text, std::string content_type,
                std::string_view cache_control, std::string headers, Exchange& exchange);

// The beginning of the server's URLs: as configured, else as the request names the server.
// INVALID_ARGUMENT if the request's name is not a host name.
absl::StatusOr<std::string> BaseUrlOf(const Site& site, const Exchange& exchange);

}  // namespace thalweg::http
