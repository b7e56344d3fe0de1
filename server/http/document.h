// Answers that are JSON documents, and the URLs in them.
#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

#include "server/http/site.h"

namespace thalweg::http {

// Answers with a message as JSON, or 304 if the caller has it. Compressed if the caller accepts
// that, once for all callers; the validator is made of the text.
void AnswerDocument(const Site& site, const google::protobuf::Message& message,
                    std::string_view cache_control, Exchange& exchange);

// The same for any text.
void AnswerText(const Site& site, const std::string& text, std::string content_type,
                std::string_view cache_control, std::string headers, Exchange& exchange);

// The begin of the server's URLs: as configured, else as the request names the server.
// INVALID_ARGUMENT when that is no host name.
absl::StatusOr<std::string> BaseUrlOf(const Site& site, const Exchange& exchange);

}  // namespace thalweg::http
