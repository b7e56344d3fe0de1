// Replaces libFuzzer: runs a corpus, and inputs that are made from it by a fixed seed.
//
//   fuzz_NAME FOLDER INPUTS
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/target.h"

namespace {

using Input = std::vector<std::uint8_t>;

std::vector<Input> ReadCorpus(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Input> corpus;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return corpus;
}

class Mutator {
 public:
  explicit Mutator(std::vector<Input> corpus) : corpus_(std::move(corpus)) {}

  Input Next() {
    Input input = corpus_[Below(corpus_.size())];
    for (std::size_t changes = 1 + Below(8); changes > 0; --changes) Change(input);
    return input;
  }

 private:
  std::size_t Below(std::size_t limit) { return random_() % limit; }

  void Change(Input& input) {
    const auto byte = static_cast<std::uint8_t>(random_());
    const std::size_t place = Below(input.size() + 1);
    const auto at = input.begin() + static_cast<std::ptrdiff_t>(place);
    switch (Below(6)) {
      case 0:
        input.insert(at, byte);
        break;
      case 1:
        input.resize(place);
        break;
      case 2: {  // a part of another input
        const Input& other = corpus_[Below(corpus_.size())];
        const std::size_t from = Below(other.size() + 1);
        input.insert(at, other.begin() + static_cast<std::ptrdiff_t>(from), other.end());
        break;
      }
      default:
        if (place == input.size()) break;
        *at = Below(2) == 0 ? byte : static_cast<std::uint8_t>(*at ^ 1U << Below(8));
    }
  }

  const std::vector<Input> corpus_;
  std::mt19937_64 random_{1};
};

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): an uncaught exception ends the program.
int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s FOLDER INPUTS\n", argv[0]);
    return 2;
  }
  const std::vector<Input> corpus = ReadCorpus(argv[1]);
  if (corpus.empty()) {
    std::fprintf(stderr, "%s: has no inputs\n", argv[1]);
    return 1;
  }
  for (const Input& input : corpus) LLVMFuzzerTestOneInput(input.data(), input.size());
  Mutator mutator(corpus);
  const long inputs = std::atol(argv[2]);
  for (long n = 0; n < inputs; ++n) {
    const Input input = mutator.Next();
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("%zu inputs of the corpus and %ld made from them\n", corpus.size(), inputs);
  return 0;
}
