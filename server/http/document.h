// Answers that are JSON documents.
#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/http/site.h"

namespace thalweg::http {

// Answers with a message as JSON, or with 304 if the caller has it. The text is compressed if the
// caller accepts that, once for all callers. The validator is a hash of the text.
void AnswerDocument(const Site& site, const google::protobuf::Message& message,
                    std::string_view cache_control, Exchange& exchange);

// As AnswerDocument, for any text.
void AnswerText(const Site& site, const std::string& text, std::string content_type,
                std::string_view cache_control, std::string headers, Exchange& exchange);

// Whether the request's body is JSON, by its Content-Type; otherwise answers with 415. (Browsers
// let a page of any origin send text without a preflight, but not JSON.)
bool CheckJsonBody(Exchange& exchange);

// What the URLs in a document begin with, or why it is not known.
using BaseUrl = absl::StatusOr<std::string>;

// Prints the JSON of a world. The world, the request's target and the base decide the text.
using PrintOfWorld = absl::StatusOr<std::string> (*)(const Request& request,
                                                     const world::World& world,
                                                     const BaseUrl& base);

// Finds the path's world and answers with its JSON, printed once, or fails with the error of
// either.
void AnswerOfWorld(const Request& request, PrintOfWorld print);

}  // namespace thalweg::http
