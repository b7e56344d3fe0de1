// Hides leaks of the libraries that Vulkan loads. It is only built with AddressSanitizer, which
// would report them in every test that opens Vulkan.
#include <dlfcn.h>

// An instance unloads its driver and its layers. After that, their memory counts as leaked
// (lavapipe of Mesa 22.3: 128 bytes an instance), and a suppression cannot name the unloaded
// library. So both libraries stay loaded.
[[maybe_unused]] static void* const kept[] = {
    dlopen("libvulkan_lvp.so", RTLD_NOW | RTLD_NODELETE),
    dlopen("libVkLayer_khronos_validation.so", RTLD_NOW | RTLD_NODELETE),
};

// Debian's validation layer (1.3.239) never frees some of its data about command buffers.
// The sanitizer's library finds only a visible name.
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libVkLayer_khronos_validation.so\n";
}
