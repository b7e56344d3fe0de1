// What changes a library.
#include <algorithm>
#include <mutex>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/world/kept_worlds.h"
#include "server/world/world_library.h"

namespace thalweg::world {
namespace {

constexpr std::size_t kIdDigits = 32;

// A name that reads as an id could stand for another world.
bool ReadsAsId(const std::string& name) {
  return name.size() == kIdDigits && std::all_of(name.begin(), name.end(), [](char c) {
           return absl::ascii_isxdigit(static_cast<unsigned char>(c));
         });
}

bool HasUnknownFields(const v1::WorldSpec& spec) {
  v1::WorldSpec known = spec;
  known.DiscardUnknownFields();
  return known.ByteSizeLong() != spec.ByteSizeLong();
}

absl::StatusOr<WorldLibrary::WorldPointer> Checked(const v1::WorldSpec& spec) {
  // A field that is left out would make another world than was asked for.
  if (HasUnknownFields(spec)) {
    return absl::InvalidArgumentError(absl::StrCat("world '",
                                                   absl::CHexEscape(spec.name().substr(0, 64)),
                                                   "' has fields that this server does not know"));
  }
  THALWEG_ASSIGN_OR_RETURN(WorldLibrary::WorldPointer world, World::Create(spec));
  if (ReadsAsId(world->name())) {
    return absl::InvalidArgumentError(
        absl::StrCat("world '", world->name(), "': the name reads as a world's id"));
  }
  return world;
}

}  // namespace

absl::Status WorldLibrary::CheckRoom(const World& world) const {
  if (entries_.contains(world.name())) {
    return absl::AlreadyExistsError(
        absl::StrCat("world '", world.name(), "': another world has that name"));
  }
  const auto created = std::count_if(entries_.begin(), entries_.end(),
                                     [](const auto& entry) { return entry.second.created; });
  if (static_cast<std::size_t>(created) >= options_.most_created) {
    return absl::ResourceExhaustedError(
        absl::StrCat("world '", world.name(), "': there are ", created,
                     " created worlds, and no more may be: delete one"));
  }
  return absl::OkStatus();
}

const WorldLibrary::Entry* WorldLibrary::FindById(const std::string& hex_id) const {
  for (const auto& [name, entry] : entries_) {
    if (entry.world->hex_id() == hex_id) return &entry;
  }
  return nullptr;
}

absl::Status WorldLibrary::Keep(Entry& entry) const {
  if (!entry.created || !entry.file_name.empty()) return absl::OkStatus();
  if (folder_.empty()) {
    return absl::FailedPreconditionError(absl::StrCat("keep world '", entry.world->name(),
                                                      "': this server has no folder of worlds"));
  }
  THALWEG_RETURN_IF_ERROR(WriteKeptWorld(folder_, *entry.world));
  entry.file_name = KeptFileName(entry.world->name());
  return absl::OkStatus();
}

absl::StatusOr<WorldLibrary::Creation> WorldLibrary::Create(const v1::WorldSpec& spec, bool keep,
                                                            const std::string& owner) {
  THALWEG_ASSIGN_OR_RETURN(WorldPointer world, Checked(spec));
  // Entries change under this mutex alone, so that they may be read without the other one.
  const std::lock_guard change(change_mutex_);
  Entry entry{.world = world, .created = true, .owner = owner, .file_name = ""};
  const Entry* known = FindById(world->hex_id());
  if (known != nullptr) {
    entry = *known;
  } else {
    THALWEG_RETURN_IF_ERROR(CheckRoom(*world));
  }
  if (keep) THALWEG_RETURN_IF_ERROR(Keep(entry));
  Creation creation{.world = entry.world, .is_new = known == nullptr};
  const std::unique_lock lock(mutex_);
  entries_[entry.world->name()] = std::move(entry);
  return creation;
}

absl::Status WorldLibrary::Delete(const std::string& name_or_id,
                                  const std::optional<std::string>& owner) {
  const std::lock_guard change(change_mutex_);
  THALWEG_ASSIGN_OR_RETURN(const auto place, FindEntry(name_or_id));
  const auto& [name, entry] = *place;
  if (!entry.created) {
    return absl::FailedPreconditionError(
        absl::StrCat("delete world '", name, "': it is the server's own, not a created one"));
  }
  // Callers without a name can't be told from one another.
  if (owner && (owner->empty() || entry.owner != *owner)) {
    return absl::PermissionDeniedError(absl::StrCat(
        "delete world '", name, "': another caller created it, or an earlier run of the server"));
  }
  if (!entry.file_name.empty()) {
    THALWEG_RETURN_IF_ERROR(DeleteKeptWorld(folder_, entry.file_name));
  }
  const std::unique_lock lock(mutex_);
  entries_.erase(place);
  return absl::OkStatus();
}

}  // namespace thalweg::world
