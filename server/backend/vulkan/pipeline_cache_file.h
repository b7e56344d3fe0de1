// A driver's compiled kernels, saved on disk between runs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace thalweg::backend::vulkan {

// The default file for a device's cache: $XDG_CACHE_HOME/thalweg/pipelines-<id>.bin, or the same
// under $HOME/.cache. Empty if neither variable is set.
std::string DefaultCachePath(std::string_view device_id);

// The saved cache; empty if the file is missing or damaged. A driver must only get a cache that it
// made, so the file has a checksum.
std::vector<std::byte> LoadCache(const std::string& path);

// Replaces the file atomically, and creates its folders.
absl::Status SaveCache(const std::string& path, std::span<const std::byte> data);

}  // namespace thalweg::backend::vulkan
