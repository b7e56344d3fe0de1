// How worlds of a library are created and deleted.
#include <algorithm>
#include <mutex>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/util/message_differencer.h"
#include "proto/base/message_text.h"
#include "proto/wire/status_macros.h"
#include "server/world/kept_worlds.h"
#include "server/world/named_nodes.h"
#include "server/world/world_library.h"

namespace thalweg::world {
namespace {

using google::protobuf::util::MessageDifferencer;

constexpr std::size_t kIdDigits = 32;

// Whether a name looks like an id: it could be taken for another world.
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

absl::StatusOr<WorldPointer> Checked(const v1::WorldSpec& spec, const FindElevation& find) {
  // With an unknown field left out, this would be another world than the caller asked for.
  if (HasUnknownFields(spec)) {
    return absl::InvalidArgumentError(absl::StrCat("world ", text::Quoted(spec.name()),
                                                   " has fields that this server does not know"));
  }
  THALWEG_ASSIGN_OR_RETURN(WorldPointer world, World::Create(spec, find));
  if (ReadsAsId(world->name())) {
    return absl::InvalidArgumentError(absl::StrCat("invalid name ", text::Quoted(world->name()),
                                                   ": it looks like the id of a world"));
  }
  return world;
}

// The owner's claim; null if it has none.
Claim* ClaimOf(std::vector<Claim>& claims, const Owner& owner) {
  const auto found = std::find_if(claims.begin(), claims.end(),
                                  [&](const Claim& claim) { return claim.owner == owner; });
  return found == claims.end() ? nullptr : &*found;
}

bool IsKept(const std::vector<Claim>& claims) {
  return std::any_of(claims.begin(), claims.end(), [](const Claim& claim) { return claim.keep; });
}

}  // namespace

std::vector<ClaimedWorld> WorldLibrary::Claims() const {
  std::vector<ClaimedWorld> claims;
  for (const auto& [name, entry] : entries_) {
    for (const Claim& claim : entry.claims) {
      claims.push_back({.world = name,
                        .claim = claim,
                        .last_use = entry.last_use.load(std::memory_order_relaxed)});
    }
  }
  return claims;
}

absl::StatusOr<std::optional<ClaimedWorld>> WorldLibrary::MakeRoom(
    const World& world, const std::vector<ClaimedWorld>& claims, const Owner& owner) const {
  if (claims.size() < options_.max_created) return std::nullopt;
  if (const ClaimedWorld* const evicted = ClaimToEvict(claims, owner)) return *evicted;
  return absl::ResourceExhaustedError(absl::StrCat(
      "world '", world.name(), "': the server is full of created worlds that must stay (",
      claims.size(), " of max ", options_.max_created, "): delete one of yours, or a kept one"));
}

absl::Status WorldLibrary::CheckKeep(const World& world,
                                     const std::vector<ClaimedWorld>& claims) const {
  if (folder_.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("world '", world.name(),
                     "': the server has no folder of worlds (--worlds): create the world without "
                     "keep"));
  }
  // Half of the claims may be kept; the others stay available for claims that are not kept.
  const std::size_t max_kept = (options_.max_created + 1) / 2;
  const auto kept = static_cast<std::size_t>(
      std::count_if(claims.begin(), claims.end(),
                    [](const ClaimedWorld& claimed) { return claimed.claim.keep; }));
  if (kept < max_kept) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "world '", world.name(), "': the server has no room for more kept worlds (", kept, " of max ",
      max_kept, "): delete a kept world, or create this one without keep"));
}

absl::Status WorldLibrary::CheckPlaceOf(const World& world, const CreateOptions& options,
                                        const Owner& owner) const {
  const auto found = entries_.find(world.name());
  if (found == entries_.end()) return absl::OkStatus();
  const Entry& old = found->second;
  const auto refuse = [&](const char* reason) {
    return absl::AlreadyExistsError(absl::StrCat("world '", world.name(), "': ", reason));
  };
  if (!old.created) {
    return refuse("the server has a world of its own with this name: choose another name");
  }
  if (old.world->id() != world.id() && !options.replace) {
    return refuse(
        "another world has this name: choose another name, or replace that world (--replace, "
        "?replace=true)");
  }
  if (options.is_administrator) return absl::OkStatus();
  for (const Claim& claim : old.claims) {
    if (claim.owner != owner) {
      return refuse("others use a world of this name: choose another name");
    }
    // Callers without a token can't be told apart safely. They may lose a world that is not kept at
    // any time.
    if (claim.keep && owner.token.empty()) {
      return refuse(
          "a kept world has this name, which only callers with a token can replace: choose another "
          "name");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<WorldLibrary::Creation> WorldLibrary::Create(const v1::WorldSpec& spec,
                                                            const CreateOptions& options,
                                                            const Owner& owner) {
  THALWEG_ASSIGN_OR_RETURN(WorldPointer world, Checked(spec, find_elevation_));
  const std::lock_guard change(change_mutex_);
  const auto known = entries_.find(world->name());
  const bool has_old = known != entries_.end();
  const bool is_same =
      has_old && MessageDifferencer::Equals(known->second.world->spec(), world->spec());
  if (is_same) {
    world = known->second.world;
    if (!known->second.created) return Creation{.world = world};
  } else {
    THALWEG_RETURN_IF_ERROR(CheckPlaceOf(*world, options, owner));
  }
  Creation creation{.world = world,
                    .is_new = !has_old || known->second.world->id() != world->id(),
                    .has_replaced = has_old && !is_same,
                    .warnings = WarningsOf(world->spec())};
  const std::vector<ClaimedWorld> all = Claims();
  std::vector<Claim> claims = has_old ? known->second.claims : std::vector<Claim>();
  Claim* own = ClaimOf(claims, owner);
  std::optional<ClaimedWorld> evicted;
  if (own == nullptr) {
    THALWEG_ASSIGN_OR_RETURN(evicted, MakeRoom(*world, all, owner));
    own = &claims.emplace_back(Claim{.owner = owner});
  }
  std::string file_name = has_old ? known->second.file_name : "";
  if (options.keep && !own->keep) {
    THALWEG_RETURN_IF_ERROR(CheckKeep(*world, all));
    own->keep = true;
  }
  const bool has_file = !file_name.empty();
  if (IsKept(claims) && (!has_file || creation.has_replaced)) {
    THALWEG_RETURN_IF_ERROR(WriteKeptWorld(folder_, *world, has_file));
    file_name = KeptFileName(world->name());
  }
  // Nothing fails from here on.
  const std::unique_lock lock(mutex_);
  Entry& entry = is_same ? entries_.at(world->name()) : Put(world);
  entry.created = true;
  entry.claims = std::move(claims);
  entry.file_name = std::move(file_name);
  Use(entry);
  if (evicted) Withdraw(evicted->world, evicted->claim.owner);
  return creation;
}

absl::StatusOr<WorldLibrary::Deletion> WorldLibrary::Delete(const std::string& name_or_id,
                                                            const std::optional<Owner>& owner) {
  const std::lock_guard change(change_mutex_);
  THALWEG_ASSIGN_OR_RETURN(const auto found, FindEntry(name_or_id));
  const std::string name = found->first;
  const Entry& entry = found->second;
  if (!entry.created) {
    return absl::FailedPreconditionError(
        absl::StrCat("delete world '", name,
                     "': it is one of the server's own, and only created worlds can be deleted"));
  }
  std::vector<Claim> left = entry.claims;
  // Callers without a token can't be told apart safely, so they can't delete.
  if (owner && (owner->token.empty() || ClaimOf(left, *owner) == nullptr)) {
    return absl::PermissionDeniedError(
        absl::StrCat("delete world '", name,
                     "': you have not created it since the server started; to delete it, ask "
                     "for the scope admin"));
  }
  std::erase_if(left, [&](const Claim& claim) { return !owner || claim.owner == owner; });
  const bool loses_file = !entry.file_name.empty() && !IsKept(left);
  if (loses_file) THALWEG_RETURN_IF_ERROR(DeleteKeptWorld(folder_, entry.file_name));
  const std::unique_lock lock(mutex_);
  if (loses_file) entries_.at(name).file_name.clear();
  Withdraw(name, owner);
  return Deletion{.is_gone = !entries_.contains(name)};
}

void WorldLibrary::Withdraw(const std::string& name, const std::optional<Owner>& owner) {
  std::vector<Claim>& claims = entries_.at(name).claims;
  std::erase_if(claims, [&](const Claim& claim) { return !owner || claim.owner == owner; });
  if (claims.empty()) Erase(name);
}

}  // namespace thalweg::world
