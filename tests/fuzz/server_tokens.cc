// The tokens file. If it is accepted, so are the lines that the server writes for it.
#include <cstdlib>
#include <string>

#include "server/access/tokens_file.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thalweg::access;
  const auto file = ParseTokens(std::string(reinterpret_cast<const char*>(data), size));
  if (!file.ok()) {
    if (file.status().message().empty()) std::abort();
    return 0;
  }
  std::string lines;
  for (const Grant& grant : file->grants) lines += TokenLine(grant) + "\n";
  const auto again = ParseTokens(lines);
  if (!again.ok() || again->grants.size() != file->grants.size()) std::abort();
  for (std::size_t n = 0; n < again->grants.size(); ++n) {
    if (TokenLine(again->grants[n]) != TokenLine(file->grants[n])) std::abort();
  }
  return 0;
}
