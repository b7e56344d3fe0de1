// Leaks of what Vulkan loads are not ours. Only built with AddressSanitizer, whose report would
// make every test fail that opens Vulkan.
#include <dlfcn.h>

// An instance unloads its driver and its layers. Once they are gone, what they still point to
// counts as leaked (lavapipe of Mesa 22.3: 128 bytes an instance), and a leak of theirs has no
// module that a suppression could name. So they stay loaded.
[[maybe_unused]] static void* const kept[] = {
    dlopen("libvulkan_lvp.so", RTLD_NOW | RTLD_NODELETE),
    dlopen("libVkLayer_khronos_validation.so", RTLD_NOW | RTLD_NODELETE),
};

// Debian's validation layer (1.3.239) keeps some of what it tracks for each command buffer.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libVkLayer_khronos_validation.so\n";
}
