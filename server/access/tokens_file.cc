#include "server/access/tokens_file.h"

#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

#include "absl/strings/escaping.h"
#include "proto/base/message_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/access/tokens.pb.h"

namespace thalweg::access {
namespace {

using google::protobuf::TextFormat;

// The hash for 64 hexadecimal digits; empty if they are invalid.
TokenHash HashFromHex(const std::string& digits) {
  const bool hex = digits.size() == 64 && std::all_of(digits.begin(), digits.end(), [](char c) {
                     return absl::ascii_isxdigit(static_cast<unsigned char>(c));
                   });
  return hex ? absl::HexStringToBytes(digits) : "";
}

// The scopes and limits of a line, for a token or for `anonymous`.
template <typename Message>
absl::StatusOr<Grant> GrantOf(const Message& message) {
  Grant grant;
  for (const int scope : message.scopes()) grant.scopes.Add(static_cast<Scope>(scope));
  grant.calls_per_s = message.calls_per_s();
  grant.cells_per_s = message.cells_per_s();
  if (message.has_max_calls()) grant.max_calls = message.max_calls();
  if (message.has_max_streams()) grant.max_streams = message.max_streams();
  for (const double limit : {grant.calls_per_s, grant.cells_per_s}) {
    if (!std::isfinite(limit) || limit < 0) {
      return wire::Invalid("limit", "min 0", limit);
    }
  }
  return grant;
}

absl::StatusOr<Grant> GrantOfToken(const Token& token) {
  THALWEG_ASSIGN_OR_RETURN(Grant grant, GrantOf(token));
  grant.name = token.name();
  grant.hash = HashFromHex(token.sha256());
  if (grant.name.empty()) return absl::InvalidArgumentError("the token has no name");
  if (grant.hash.empty()) {
    // Not quoted, since an operator may have put the token itself here.
    return absl::InvalidArgumentError(absl::StrCat("the sha256 of token '",
                                                   absl::CHexEscape(grant.name),
                                                   "' is not 64 hexadecimal digits, the token's "
                                                   "hash; `thalwegd token` prints it"));
  }
  return grant;
}

// Removes tokens from a message: the error may be that an operator put one into the file.
std::string WithoutTokens(std::string message) {
  constexpr char kBegin[] = "thalweg_";
  constexpr char kOf[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  for (std::size_t at = 0; (at = message.find(kBegin, at)) != std::string::npos;) {
    at += sizeof(kBegin) - 1;
    message.erase(at, std::min(message.find_first_not_of(kOf, at), message.size()) - at);
  }
  return message;
}

absl::Status At(int line, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat("line ", line + 1, ": ", status.message()));
}

}  // namespace

absl::StatusOr<TokensFile> ParseTokens(const std::string& text) {
  Tokens tokens;
  TextFormat::ParseInfoTree locations;
  if (const absl::Status read = text::FromText(text, tokens, &locations); !read.ok()) {
    return absl::Status(read.code(), WithoutTokens(std::string(read.message())));
  }
  const auto* descriptor = Tokens::descriptor();
  TokensFile file;
  std::set<std::string> names;
  std::set<TokenHash> hashes;
  for (int k = 0; k < tokens.token_size(); ++k) {
    const int line = locations.GetLocation(descriptor->FindFieldByName("token"), k).line;
    absl::StatusOr<Grant> grant = GrantOfToken(tokens.token(k));
    if (!grant.ok()) return At(line, grant.status());
    if (!names.insert(grant->name).second || !hashes.insert(grant->hash).second) {
      return At(line, absl::InvalidArgumentError(
                          absl::StrCat("token '", absl::CHexEscape(grant->name),
                                       "' has the name or the hash of a token above")));
    }
    file.grants.push_back(*std::move(grant));
  }
  if (!tokens.has_anonymous()) return file;
  absl::StatusOr<Grant> anonymous = GrantOf(tokens.anonymous());
  if (!anonymous.ok()) {
    return At(locations.GetLocation(descriptor->FindFieldByName("anonymous"), -1).line,
              anonymous.status());
  }
  file.anonymous = *std::move(anonymous);
  return file;
}

std::string TokenLine(const Grant& grant) {
  Token token;
  token.set_name(grant.name);
  token.set_sha256(absl::BytesToHexString(grant.hash));
  for (const Scope scope : {Scope::kRead, Scope::kBake, Scope::kCreateWorlds, Scope::kAdmin}) {
    if (grant.scopes.Names(scope)) token.add_scopes(static_cast<ScopeName>(scope));
  }
  if (grant.calls_per_s > 0) token.set_calls_per_s(grant.calls_per_s);
  if (grant.cells_per_s > 0) token.set_cells_per_s(grant.cells_per_s);
  if (grant.max_calls) token.set_max_calls(*grant.max_calls);
  if (grant.max_streams) token.set_max_streams(*grant.max_streams);
  TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  printer.SetUseShortRepeatedPrimitives(true);
  std::string text;
  if (!printer.PrintToString(token, &text)) std::abort();
  return absl::StrCat("token { ", text, "}");
}

}  // namespace thalweg::access
