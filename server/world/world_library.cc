#include "server/world/world_library.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/wire/status_macros.h"
#include "server/world/kept_worlds.h"
#include "server/world/presets.h"
#include "server/world/world_folder.h"

namespace thalweg::world {
namespace {

constexpr std::size_t kMostReseeded = 256;

// What somebody asked for, fit to be shown.
std::string Quoted(const std::string& text) {
  constexpr std::size_t kShown = 96;
  return absl::StrCat("'", absl::CHexEscape(text.substr(0, kShown)), "'");
}

absl::StatusOr<std::uint64_t> SeedOf(const std::string& request, const std::string& digits) {
  const bool whole = !digits.empty() && std::all_of(digits.begin(), digits.end(), [](char c) {
    return absl::ascii_isdigit(static_cast<unsigned char>(c));
  });
  std::uint64_t seed = 0;
  if (whole && absl::SimpleAtoi(digits, &seed)) return seed;
  return absl::InvalidArgumentError(absl::StrCat(
      "world ", Quoted(request), ": the seed after @ must be 0 to 18446744073709551615"));
}

}  // namespace

absl::StatusOr<std::unique_ptr<WorldLibrary>> WorldLibrary::Open(
    const std::filesystem::path& folder, const Options& options) {
  THALWEG_ASSIGN_OR_RETURN(std::vector<WorldFile> files, ReadWorldFolder(folder));
  std::unique_ptr<WorldLibrary> library = OfPresets(options);
  library->folder_ = folder;
  for (WorldFile& file : files) library->AddFile(file.file_name, std::move(file.world));
  return library;
}

std::unique_ptr<WorldLibrary> WorldLibrary::OfPresets(const Options& options) {
  return Of(PresetWorlds(), options);
}

std::unique_ptr<WorldLibrary> WorldLibrary::Of(const std::vector<WorldPointer>& worlds,
                                               const Options& options) {
  std::unique_ptr<WorldLibrary> library(new WorldLibrary(options));
  for (const WorldPointer& world : worlds) library->entries_[world->name()].world = world;
  return library;
}

void WorldLibrary::AddFile(const std::string& file_name, absl::StatusOr<WorldPointer> world) {
  if (!world.ok()) {
    problems_.push_back({file_name, world.status()});
    return;
  }
  const std::string& name = (*world)->name();
  const auto found = entries_.find(name);
  if (found != entries_.end() && !found->second.file_name.empty()) {
    problems_.push_back({file_name, absl::AlreadyExistsError(absl::StrCat(
                                        "world '", name, "' is skipped: ", found->second.file_name,
                                        " has that name"))});
    return;
  }
  if (found != entries_.end()) {
    problems_.push_back({file_name, absl::AlreadyExistsError(absl::StrCat(
                                        "world '", name, "' replaces the preset of that name"))});
  }
  entries_[name] = {.world = *std::move(world),
                    .created = IsKeptFile(file_name),
                    .owner = "",
                    .file_name = file_name};
}

absl::StatusOr<WorldLibrary::WorldPointer> WorldLibrary::Find(const std::string& request) const {
  const std::size_t at = request.find('@');
  if (at == std::string::npos) return FindStored(request);
  THALWEG_ASSIGN_OR_RETURN(const WorldPointer world, FindStored(request.substr(0, at)));
  THALWEG_ASSIGN_OR_RETURN(const std::uint64_t seed, SeedOf(request, request.substr(at + 1)));
  return FindReseeded(world, seed);
}

absl::StatusOr<WorldLibrary::Entries::const_iterator> WorldLibrary::FindEntry(
    const std::string& name_or_id) const {
  if (const auto found = entries_.find(name_or_id); found != entries_.end()) return found;
  const std::string id = absl::AsciiStrToLower(name_or_id);
  std::vector<std::string> names;
  for (auto place = entries_.begin(); place != entries_.end(); ++place) {
    if (place->second.world->hex_id() == id) return place;
    names.push_back(place->first);
  }
  return absl::NotFoundError(absl::StrCat("world ", Quoted(name_or_id), " is unknown: there are ",
                                          absl::StrJoin(names, ", ")));
}

absl::StatusOr<WorldLibrary::WorldPointer> WorldLibrary::FindStored(
    const std::string& name_or_id) const {
  const std::shared_lock lock(mutex_);
  THALWEG_ASSIGN_OR_RETURN(const auto place, FindEntry(name_or_id));
  return place->second.world;
}

WorldLibrary::WorldPointer WorldLibrary::FindReseeded(const WorldPointer& world,
                                                      std::uint64_t seed) const {
  if (world->spec().seed() == seed) return world;
  const SeedKey key(world->name(), world->id(), seed);
  const std::lock_guard lock(reseeded_mutex_);
  if (const auto found = reseeded_.find(key); found != reseeded_.end()) return found->second;
  if (reseeded_.size() == kMostReseeded) {
    reseeded_.erase(reseeded_order_.front());
    reseeded_order_.pop_front();
  }
  reseeded_order_.push_back(key);
  return reseeded_[key] = world->Reseeded(seed);
}

std::vector<WorldLibrary::WorldPointer> WorldLibrary::worlds() const {
  const std::shared_lock lock(mutex_);
  std::vector<WorldPointer> worlds;
  for (const auto& [name, entry] : entries_) worlds.push_back(entry.world);
  return worlds;
}

}  // namespace thalweg::world
