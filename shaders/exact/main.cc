// spirv_exact in.spv out.spv [out.inc]: decorates a module so that every device computes the same
// bits with it, and writes it; with out.inc also as the elements of a C++ array. Fails if
// decorations are not enough.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/wire/status_macros.h"
#include "shaders/exact/exact.h"

namespace thalweg::exact {
namespace {

absl::StatusOr<Words> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file || bytes.size() % sizeof(std::uint32_t) != 0) {
    return absl::InvalidArgumentError(absl::StrCat("read '", path, "': not a SPIR-V file"));
  }
  Words words(bytes.size() / sizeof(std::uint32_t));
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(words.data()));
  return words;
}

absl::Status WriteFile(const std::string& path, const char* data, std::size_t size) {
  std::ofstream file(path, std::ios::binary);
  file.write(data, static_cast<std::streamsize>(size));
  file.close();
  return file ? absl::OkStatus() : absl::UnknownError(absl::StrCat("write '", path, "'"));
}

absl::Status Main(const std::vector<std::string>& arguments) {
  if (arguments.size() < 2 || arguments.size() > 3) {
    return absl::InvalidArgumentError("usage: spirv_exact in.spv out.spv [out.inc]");
  }
  THALWEG_ASSIGN_OR_RETURN(const Words source, ReadFile(arguments[0]));
  THALWEG_ASSIGN_OR_RETURN(const Words exact, Decorate(source));
  THALWEG_ASSIGN_OR_RETURN(const std::vector<std::string> inexact, FindInexact(exact));
  if (!inexact.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "'", arguments[0], "' is not exact on every device:\n  ", absl::StrJoin(inexact, "\n  ")));
  }
  THALWEG_RETURN_IF_ERROR(WriteFile(arguments[1], reinterpret_cast<const char*>(exact.data()),
                                    exact.size() * sizeof(std::uint32_t)));
  if (arguments.size() < 3) return absl::OkStatus();
  const std::string elements = absl::StrJoin(exact, ",\n");
  return WriteFile(arguments[2], elements.data(), elements.size());
}

}  // namespace
}  // namespace thalweg::exact

int main(int argc, char** argv) {
  const absl::Status status = thalweg::exact::Main({argv + 1, argv + argc});
  if (status.ok()) return 0;
  std::fprintf(stderr, "spirv_exact: %s\n", std::string(status.message()).c_str());
  return 1;
}
