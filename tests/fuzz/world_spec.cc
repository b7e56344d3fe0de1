// Reads a world: as JSON if the input begins with a brace, otherwise as text. An accepted world has
// an id, and can be printed. What it prints is accepted too, with the same id.
#include <cstdlib>
#include <string>

#include "proto/base/message_text.h"
#include "proto/base/world_text.h"
#include "server/world/world.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thalweg::world;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto spec = thalweg::text::WorldFromAny(text);
  if (!spec.ok()) return 0;
  const auto world = World::Create(*spec);
  if (!world.ok()) return 0;
  const auto printed = thalweg::text::ToJson((*world)->spec());
  if (!printed.ok()) std::abort();
  const auto read = thalweg::text::WorldFromJson(*printed);
  if (!read.ok()) std::abort();
  const auto again = World::Create(*read);
  if (!again.ok() || (*again)->hex_id() != (*world)->hex_id()) std::abort();
  return 0;
}
