// embed_assets OUT TABLE FILE...: writes files as the table of the function AllAssets or
// AllExamples. Each is written plain and compressed, so that the server need not compress it. A
// file gets the last part of its path as its name, or with NAME=FILE this name.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "server/http/content_coding.h"

namespace {

using namespace thalweg::http;  // NOLINT(google-build-using-namespace): a program of one file.

// Whether compression saves at least a twentieth of the bytes.
bool IsWorthIt(const std::string& coded, const std::string& plain) {
  return coded.size() < plain.size() - plain.size() / 20;
}

// Writes string literals: they compile in a tenth of the time of arrays.
void WriteLiteral(std::string_view bytes, std::ostream& out) {
  constexpr std::size_t kLineBytes = 4'096;
  constexpr char kDigits[] = "01234567";
  for (std::size_t at = 0; at == 0 || at < bytes.size(); at += kLineBytes) {
    out << "      \"";
    for (const char c : bytes.substr(at, kLineBytes)) {
      const auto byte = static_cast<unsigned char>(c);
      // An escape of three octal digits ends there, whatever follows.
      out << '\\' << kDigits[byte >> 6] << kDigits[byte >> 3 & 7] << kDigits[byte & 7];
    }
    out << "\"\n";
  }
}

void WriteCoded(const std::string& bytes, std::ostream& out) {
  const std::string etag = EtagOf(bytes);
  out << "     {{\n";
  WriteLiteral(bytes, out);
  out << "      , " << bytes.size() << "},\n      \"";
  // The validator contains quotes, which are escaped.
  out << "\\" << etag.substr(0, etag.size() - 1) << "\\\"\"},\n";
}

bool WriteAsset(const std::string& argument, std::ostream& out) {
  const std::size_t named = argument.find('=');
  const std::string path = argument.substr(named == std::string::npos ? 0 : named + 1);
  const std::string name =
      named == std::string::npos ? path.substr(path.rfind('/') + 1) : argument.substr(0, named);
  std::ifstream in(path, std::ios::binary);
  const std::string plain{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.good() && !in.eof()) return false;
  out << "    {\"" << name << "\", {{\n";
  WriteCoded(plain, out);
  for (const Coding coding : {Coding::kGzip, Coding::kZstd}) {
    const std::string coded = Encode(plain, coding, Effort::kBest);
    if (IsWorthIt(coded, plain)) {
      WriteCoded(coded, out);
    } else {
      out << "     {},\n";
    }
  }
  out << "    }}},\n";
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s OUT TABLE [NAME=]FILE...\n", argv[0]);
    return 2;
  }
  std::ofstream out(argv[1], std::ios::binary);
  out << "#include \"server/http/pages.h\"\n\nnamespace thalweg::http {\nnamespace {\n\n"
         "constexpr Asset kAssets[] = {\n";
  for (int k = 3; k < argc; ++k) {
    if (!WriteAsset(argv[k], out)) {
      std::fprintf(stderr, "embed_assets: could not read %s\n", argv[k]);
      return 1;
    }
  }
  out << "};\n\n}  // namespace\n\n"
         "std::span<const Asset> "
      << argv[2] << "() { return kAssets; }\n\n}  // namespace thalweg::http\n";
  out.flush();
  if (!out) {
    std::fprintf(stderr, "embed_assets: could not write %s\n", argv[1]);
    return 1;
  }
  return 0;
}
