#include "server/world/world_library.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/message_text.h"
#include "proto/base/world_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/world/world_check.h"

namespace thalweg::world {
namespace {

absl::StatusOr<std::shared_ptr<const World>> ReadWorld(const std::filesystem::path& path,
                                                       const FindElevation& find) {
  THALWEG_ASSIGN_OR_RETURN(const std::string text, ReadWorldText(path));
  THALWEG_ASSIGN_OR_RETURN(const v1::WorldSpec spec, path.extension() == ".json"
                                                         ? text::WorldFromJson(text)
                                                         : text::WorldFromText(text));
  return World::Create(spec, find);
}

absl::Status FolderError(const std::filesystem::path& folder, const std::error_code& error) {
  const std::string message =
      absl::StrCat("read worlds folder '", folder.string(), "': ", error.message());
  return error == std::errc::permission_denied ? absl::PermissionDeniedError(message)
                                               : absl::NotFoundError(message);
}

// A file of the folder, with its world or its error.
struct WorldFile {
  std::string file_name;
  absl::StatusOr<std::shared_ptr<const World>> world;
};

// Reads every *.json and *.textproto of a folder, ordered by file name; a file's stem has no
// meaning. A file that can't be read or is not a valid world has its error. NOT_FOUND or
// PERMISSION_DENIED if the folder can't be read. `find` finds real land.
absl::StatusOr<std::vector<WorldFile>> ReadWorldFolder(const std::filesystem::path& folder,
                                                       const FindElevation& find) {
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::filesystem::path extension = entry->path().extension();
    if (extension == ".json" || extension == ".textproto") paths.push_back(entry->path());
  }
  if (error) return FolderError(folder, error);
  std::sort(paths.begin(), paths.end());
  std::vector<WorldFile> files;
  for (const std::filesystem::path& path : paths) {
    files.push_back({.file_name = path.filename().string(), .world = ReadWorld(path, find)});
  }
  return files;
}

absl::StatusOr<std::shared_ptr<const World>> PresetWorld(const char* text) {
  absl::StatusOr<v1::WorldSpec> spec = text::WorldFromJson(text);
  if (!spec.ok()) return spec.status();
  return World::Create(*spec);
}

// Compiles and returns all presets, ordered by name.
std::vector<std::shared_ptr<const World>> PresetWorlds() {
  std::vector<std::shared_ptr<const World>> worlds;
  for (const char* text : PresetTexts()) {
    absl::StatusOr<std::shared_ptr<const World>> world = PresetWorld(text);
    if (!world.ok()) {
      // Presets are part of the program and tested, so this is a broken invariant.
      std::fprintf(stderr, "preset: %s\n", world.status().ToString().c_str());
      std::abort();
    }
    worlds.push_back(*std::move(world));
  }
  return worlds;
}

// How many worlds an error names at most; ListWorlds returns all of them.
constexpr std::size_t kNamesShown = 20;

// The two parts of a request.
struct Asked {
  std::string name_or_id;
  // Absent if the request has no '@'.
  std::optional<std::string> seed;
};

Asked Parse(const std::string& request) {
  const std::size_t at = request.find('@');
  if (at == std::string::npos) return {request, std::nullopt};
  return {request.substr(0, at), request.substr(at + 1)};
}

absl::StatusOr<std::uint64_t> SeedOf(const std::string& request, const std::string& digits) {
  const bool whole = !digits.empty() && std::all_of(digits.begin(), digits.end(), [](char c) {
    return absl::ascii_isdigit(static_cast<unsigned char>(c));
  });
  std::uint64_t seed = 0;
  if (whole && absl::SimpleAtoi(digits, &seed)) return seed;
  return wire::Invalid("world", "a seed of 0 to 18446744073709551615 after the @",
                       text::Quoted(request));
}

}  // namespace

void ReseededWorlds::Find(const WorldPointer& world, std::uint64_t seed, RunWork run,
                          TakeWorld take) {
  if (world->spec().seed() == seed) return std::move(take)(world);
  const Key key(world->name(), world->id(), seed);
  if (!compiling_.Join(key, std::move(take), kept_)) return;
  const absl::Status started = run([this, key, world, seed] {
    const auto made = wire::Guarded(
        "compile world", [&]() -> absl::StatusOr<WorldPointer> { return reseed_(*world, seed); });
    if (made.ok()) kept_.Insert(key, *made, 1);
    compiling_.Land(key, made);
  });
  if (!started.ok()) compiling_.Land(key, absl::StatusOr<WorldPointer>(started));
}

absl::StatusOr<std::unique_ptr<WorldLibrary>> WorldLibrary::Open(
    const std::filesystem::path& folder, const Options& options) {
  RemoveAbandonedWorlds(folder);
  FindElevation find = ElevationsOf(folder);
  THALWEG_ASSIGN_OR_RETURN(std::vector<WorldFile> files, ReadWorldFolder(folder, find));
  std::unique_ptr<WorldLibrary> library = OfPresets(options);
  library->find_elevation_ = std::move(find);
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
  for (const WorldPointer& world : worlds) library->Put(world);
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
                                        "skip world '", name, "': ", found->second.file_name,
                                        " already has a world of this name"))});
    return;
  }
  if (found != entries_.end()) {
    problems_.push_back({file_name, absl::AlreadyExistsError(absl::StrCat(
                                        "world '", name, "' replaces the preset of that name"))});
  }
  Entry& entry = Put(*world);
  entry.file_name = file_name;
  entry.created = IsKeptFile(file_name);
  if (entry.created) entry.claims = {{.owner = std::nullopt, .keep = true}};
}

WorldLibrary::Entry& WorldLibrary::Put(const WorldPointer& world) {
  Erase(world->name());
  names_by_id_.emplace(world->hex_id(), world->name());
  Entry& entry = entries_[world->name()];
  entry.world = world;
  Use(entry);
  return entry;
}

void WorldLibrary::Erase(const std::string& name) {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return;
  names_by_id_.erase({found->second.world->hex_id(), name});
  entries_.erase(found);
}

absl::StatusOr<WorldLibrary::WorldPointer> WorldLibrary::Find(const std::string& request) const {
  std::promise<absl::StatusOr<WorldPointer>> found;
  const auto at_once = [](absl::AnyInvocable<void() &&> work) {
    std::move(work)();
    return absl::OkStatus();
  };
  FindThen(request, at_once,
           [&found](absl::StatusOr<WorldPointer> world) { found.set_value(std::move(world)); });
  return found.get_future().get();
}

void WorldLibrary::FindThen(const std::string& request, RunWork run, TakeWorld take) const {
  const Asked asked = Parse(request);
  absl::StatusOr<WorldPointer> stored = FindStored(asked.name_or_id);
  if (!stored.ok() || !asked.seed) return std::move(take)(std::move(stored));
  const absl::StatusOr<std::uint64_t> seed = SeedOf(request, *asked.seed);
  if (!seed.ok()) return std::move(take)(seed.status());
  reseeded_.Find(*stored, *seed, run, std::move(take));
}

void WorldLibrary::MarkUsed(const std::string& request) const {
  // Every lookup counts as a use.
  (void)FindStored(Parse(request).name_or_id);
}

absl::StatusOr<WorldLibrary::Entries::const_iterator> WorldLibrary::FindEntry(
    const std::string& name_or_id) const {
  if (const auto found = entries_.find(name_or_id); found != entries_.end()) return found;
  const auto by_id = FindById(absl::AsciiStrToLower(name_or_id));
  if (by_id != entries_.end()) return by_id;
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) {
    if (names.size() == kNamesShown) break;
    names.push_back(name);
  }
  const std::size_t others = entries_.size() - names.size();
  return absl::NotFoundError(absl::StrCat(
      "unknown world ", text::Quoted(name_or_id), ": expected one of ", absl::StrJoin(names, ", "),
      others == 0 ? "" : absl::StrCat(" or ", others, " more, see the list of worlds")));
}

WorldLibrary::Entries::const_iterator WorldLibrary::FindById(const std::string& hex_id) const {
  const auto found = names_by_id_.lower_bound({hex_id, ""});
  if (found == names_by_id_.end() || found->first != hex_id) return entries_.end();
  return entries_.find(found->second);
}

absl::StatusOr<WorldLibrary::WorldPointer> WorldLibrary::FindStored(
    const std::string& name_or_id) const {
  const std::shared_lock lock(mutex_);
  THALWEG_ASSIGN_OR_RETURN(const auto found, FindEntry(name_or_id));
  Use(found->second);
  return found->second.world;
}

std::vector<WorldLibrary::WorldPointer> WorldLibrary::worlds() const {
  const std::shared_lock lock(mutex_);
  std::vector<WorldPointer> worlds;
  for (const auto& [name, entry] : entries_) worlds.push_back(entry.world);
  return worlds;
}

WorldLibrary::Page WorldLibrary::PageAfter(const std::string& name, std::size_t max_worlds,
                                           std::size_t max_bytes) const {
  const std::shared_lock lock(mutex_);
  Page page;
  std::size_t bytes = 0;
  for (auto at = entries_.upper_bound(name); at != entries_.end(); ++at) {
    const WorldPointer& world = at->second.world;
    bytes += world->spec().ByteSizeLong();
    page.has_more = page.worlds.size() == max_worlds || (bytes > max_bytes && !page.worlds.empty());
    if (page.has_more) break;
    page.worlds.push_back(world);
  }
  return page;
}

}  // namespace thalweg::world
