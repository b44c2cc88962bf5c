// A stack of its own for a function that can be left in the middle and entered again.
#pragma once

#include <cstddef>

namespace rocvet::gpu {

/// Switches between one "home" context (the caller of resume) and this fiber. Not thread-safe: a
/// fiber stays on the thread that first resumed it.
class Fiber {
 public:
  Fiber() = default;
  ~Fiber();
  Fiber(Fiber&& other) noexcept;
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// The next resume() calls `entry(argument)` on this fiber's stack (made at the first start).
  /// `entry` must not return: its last act is leave().
  void start(void (*entry)(void*), void* argument);
  /// Runs the fiber until it calls leave().
  void resume();
  /// Called on the fiber: goes back to the caller of resume(). `forever`: it is not resumed again.
  void leave(bool forever = false);

 private:
  static constexpr std::size_t kStackBytes = 256 * 1024;
  void* stack_ = nullptr;
  void* here_ = nullptr;  ///< saved stack pointer or context of the fiber
  void* home_ = nullptr;
  void* thread_of_fiber_ = nullptr;  ///< what the thread sanitizer wants to know
  void* thread_of_home_ = nullptr;
  void* home_stack_ = nullptr;  ///< what the address sanitizer wants to know
  void* saved_fake_ = nullptr;
  void* home_fake_ = nullptr;
  std::size_t home_bytes_ = 0;
  void (*entry_)(void*) = nullptr;
  void* argument_ = nullptr;

  friend void fiber_main(Fiber* fiber);
};

}  // namespace rocvet::gpu
