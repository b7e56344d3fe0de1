// The public headers for other compilers and systems, and what the library exports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/access/temporary_folder.h"
#include "tests/client/shell.h"

namespace thalweg {
namespace {

namespace fs = std::filesystem;
using access::TemporaryFolder;
using client_test::Outcome;
using client_test::Shell;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kStrictC[] = " -std=c11 -Wall -Wextra -Wpedantic -Werror -I" THALWEG_INCLUDE " ";
constexpr char kStrictCpp[] = " -std=c++20 -Wall -Wextra -Wpedantic -Werror -I" THALWEG_INCLUDE " ";
constexpr char kHeader[] = THALWEG_INCLUDE "/thalweg/thalweg.h ";
constexpr char kMinGw[] = "x86_64-w64-mingw32-";

bool IsThere(const std::string& program) { return Shell("command -v " + program).code == 0; }

#define THALWEG_NEEDS(program, package)                                          \
  if (!IsThere(program)) {                                                       \
    GTEST_SKIP() << program << " is not there: needs the package " << (package); \
  }

// The functions that the C header declares.
std::set<std::string> DeclaredFunctions() {
  std::ifstream file(THALWEG_INCLUDE "/thalweg/thalweg.h");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::regex declaration("THALWEG_API [^;(]*?(thalweg_[a-z_]+)\\(");
  std::set<std::string> names;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), declaration);
       at != std::sregex_iterator(); ++at) {
    names.insert((*at)[1]);
  }
  return names;
}

TEST(ExportsTest, TheLibraryExportsWhatTheCHeaderDeclares) {
  const std::set<std::string> declared = DeclaredFunctions();
  EXPECT_GE(declared.size(), 18U);
  const Outcome symbols = Shell("nm -D --defined-only " THALWEG_LIBRARY);
  ASSERT_EQ(symbols.code, 0) << symbols.text;
  std::set<std::string> exported;
  std::istringstream lines(symbols.text);
  for (std::string word; lines >> word;) {
    if (word.starts_with("thalweg_")) exported.insert(word);
  }
  EXPECT_EQ(exported, declared);
}

// Compiles each header by itself, since a program may include only one.
TEST(ExportsTest, CppHeadersStandAlone) {
  std::vector<std::string> compilers = {"c++"};
  if (IsThere("clang++")) compilers.emplace_back("clang++");
  for (const auto& entry : fs::directory_iterator(THALWEG_INCLUDE "/thalweg")) {
    for (const std::string& compiler : compilers) {
      const Outcome outcome = Shell(compiler + kStrictCpp + "-fsyntax-only -include " +
                                    entry.path().string() + " -x c++ /dev/null");
      EXPECT_EQ(outcome.code, 0) << compiler << ": " << outcome.text;
    }
  }
}

std::string ClangFor(const std::string& target) {
  // No system's headers are needed: clang itself has those that the C header includes.
  return "clang --target=" + target + kStrictC + "-ffreestanding ";
}

TEST(ExportsTest, TheCHeaderIsForEverySystem) {
  THALWEG_NEEDS("clang", "clang");
  for (const char* target :
       {"x86_64-pc-linux-gnu", "x86_64-pc-windows-msvc", "aarch64-pc-windows-msvc",
        "x86_64-w64-windows-gnu", "arm64-apple-macos12"}) {
    const Outcome outcome = Shell(ClangFor(target) + "-fsyntax-only -x c " + kHeader);
    EXPECT_EQ(outcome.code, 0) << target << ": " << outcome.text;
  }
  // The twin: the check fails if the header does not compile.
  EXPECT_NE(Shell(ClangFor("x86_64-pc-windows-msvc") + "-DTHALWEG_API=__nothing__ -fsyntax-only " +
                  "-x c " + kHeader)
                .code,
            0);
}

TEST(ExportsTest, FunctionsHaveTheSystemsExportAttribute) {
  THALWEG_NEEDS("clang", "clang");
  const auto version_of = [](const std::string& target, const std::string& defined) {
    const Outcome outcome = Shell(ClangFor(target) + defined + " -E -P -x c " + kHeader +
                                  "| grep 'thalweg_version(void);'");
    // clang prints the attribute in different ways for MSVC and MinGW.
    const std::string text = std::regex_replace(
        outcome.text, std::regex("__attribute__\\(\\((dll[a-z]+)\\)\\)"), "__declspec($1)");
    std::istringstream words(text);
    std::string line;
    for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
    return line;
  };
  const std::string plain = "const char* thalweg_version(void);";
  EXPECT_EQ(version_of("x86_64-pc-linux-gnu", ""),
            "__attribute__((visibility(\"default\"))) " + plain);
  for (const char* windows : {"x86_64-pc-windows-msvc", "x86_64-w64-windows-gnu"}) {
    EXPECT_EQ(version_of(windows, ""), "__declspec(dllimport) " + plain);
    EXPECT_EQ(version_of(windows, "-DTHALWEG_BUILDING"), "__declspec(dllexport) " + plain);
    EXPECT_EQ(version_of(windows, "-DTHALWEG_STATIC"), plain);
  }
}

// Links the example for Windows with an import library of the header's functions.
TEST(ExportsTest, ACProgramLinksForWindows) {
  THALWEG_NEEDS(std::string(kMinGw) + "gcc", "gcc-mingw-w64-x86-64-win32 (220 MB)");
  const TemporaryFolder folder;
  std::string definitions = "LIBRARY thalweg.dll\nEXPORTS\n";
  for (const std::string& name : DeclaredFunctions()) definitions += name + "\n";
  const std::string def = folder.Put("thalweg.def", definitions);
  const std::string object = folder.Path("fly_c.obj");
  const std::string library = folder.Path("libthalweg.dll.a");
  const std::string program = folder.Path("fly_c.exe");
  const Outcome compiled = Shell(std::string(kMinGw) + "gcc" + kStrictC +
                                 "-c " THALWEG_EXAMPLES "/fly_c/main.c -o " + object);
  ASSERT_EQ(compiled.code, 0) << compiled.text;
  const Outcome undefined = Shell(std::string(kMinGw) + "nm " + object);
  EXPECT_THAT(undefined.text, HasSubstr("U __imp_thalweg_view_update"));
  EXPECT_THAT(undefined.text, Not(HasSubstr("U thalweg_")));
  const Outcome linked =
      Shell(std::string(kMinGw) + "dlltool -d " + def + " -l " + library + " && " + kMinGw +
            "gcc " + object + " " + library + " -o " + program);
  ASSERT_EQ(linked.code, 0) << linked.text;
  EXPECT_THAT(Shell(std::string(kMinGw) + "objdump -p " + program).text,
              HasSubstr("DLL Name: thalweg.dll"));
  // The twin: without the library it does not link.
  EXPECT_NE(Shell(std::string(kMinGw) + "gcc " + object + " -o " + program).code, 0);
}

}  // namespace
}  // namespace thalweg
