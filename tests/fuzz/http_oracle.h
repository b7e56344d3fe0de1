// A strict reader of requests and answers (RFC 9112). The server's own reader is compared with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace thalweg::fuzz {

struct OracleRequest {
  std::string method;
  std::string target;
  std::string body;
};

// The requests at the beginning of the bytes, up to the first that is not whole or whose end is not
// clear.
std::vector<OracleRequest> RequestsIn(std::string_view bytes);

struct OracleAnswers {
  // The status codes of 200 or more. `interim` is how many answers have a smaller code.
  std::vector<int> final_codes;
  int interim = 0;
  // Whether the bytes end with the beginning of an answer.
  bool is_cut = false;
};

// The answers in a server's bytes. `heads` says which of them are to HEAD. If bytes are not part of
// an answer, prints them and aborts.
OracleAnswers AnswersIn(std::string_view bytes, const std::vector<bool>& heads);

}  // namespace thalweg::fuzz
