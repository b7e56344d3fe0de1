// Requests and answers read by the letter of RFC 9112, beside the server's own reading.
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

// The requests that the bytes begin with, up to the first that is not whole or that leaves a doubt
// where it ends.
std::vector<OracleRequest> RequestsIn(std::string_view bytes);

struct OracleAnswers {
  // Those with a status of 200 and more, and those before them.
  std::vector<int> final_codes;
  int interim = 0;
  // Whether bytes are left that are no whole answer, but may be the beginning of one.
  bool is_cut = false;
};

// The answers in what a server wrote; `heads` says which of them are to HEAD. Aborts, with the
// bytes, when there is something that is no answer.
OracleAnswers AnswersIn(std::string_view bytes, const std::vector<bool>& heads);

}  // namespace thalweg::fuzz
