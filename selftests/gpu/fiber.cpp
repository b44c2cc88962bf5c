#include "selftests/gpu/fiber.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>
#include <utility>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace rocvet::gpu {

#if defined(__x86_64__)
// swapcontext makes a system call for the signal mask each time; a kernel switches millions of
// times. This saves what the System V ABI says a call preserves, and nothing else.
extern "C" void rocvet_switch_stack(void** save, void* load);
asm(R"(
.text
.type rocvet_switch_stack, @function
.globl rocvet_switch_stack
.hidden rocvet_switch_stack
rocvet_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size rocvet_switch_stack, .-rocvet_switch_stack
)");
#endif

void fiber_main(Fiber* fiber) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, const_cast<const void**>(&fiber->home_stack_),
                                  &fiber->home_bytes_);
#endif
  fiber->entry_(fiber->argument_);
  __builtin_trap();
}

namespace {

#if defined(__x86_64__)
thread_local Fiber* starting = nullptr;
void first_entry() {
  fiber_main(starting);
}
#else
void first_entry(unsigned high, unsigned low) {
  fiber_main(reinterpret_cast<Fiber*>(static_cast<std::uintptr_t>(high) << 32 | low));
}
#endif

}  // namespace

Fiber::~Fiber() {
#if defined(__SANITIZE_THREAD__)
  if (thread_of_fiber_ != nullptr) __tsan_destroy_fiber(thread_of_fiber_);
#endif
  if (stack_ != nullptr) munmap(stack_, kStackBytes);
#if !defined(__x86_64__)
  delete static_cast<ucontext_t*>(here_);
  delete static_cast<ucontext_t*>(home_);
#endif
}

Fiber::Fiber(Fiber&& other) noexcept
    : stack_(std::exchange(other.stack_, nullptr)),
      here_(std::exchange(other.here_, nullptr)),
      home_(std::exchange(other.home_, nullptr)),
      thread_of_fiber_(std::exchange(other.thread_of_fiber_, nullptr)) {}

void Fiber::start(void (*entry)(void*), void* argument) {
  entry_ = entry;
  argument_ = argument;
  if (stack_ == nullptr) {
    stack_ = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
    if (stack_ == MAP_FAILED) throw std::bad_alloc();
    mprotect(stack_, 4096, PROT_NONE);
  }
#if defined(__x86_64__)
  // As a call to first_entry would leave the stack: 16-byte aligned above its return address.
  auto** top = reinterpret_cast<void**>(static_cast<char*>(stack_) + kStackBytes) - 3;
  *--top = reinterpret_cast<void*>(&first_entry);
  here_ = static_cast<void*>(top - 6);
#else
  if (here_ == nullptr) here_ = new ucontext_t, home_ = new ucontext_t;
  auto* context = static_cast<ucontext_t*>(here_);
  getcontext(context);
  context->uc_stack.ss_sp = stack_;
  context->uc_stack.ss_size = kStackBytes;
  context->uc_link = nullptr;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(context, reinterpret_cast<void (*)()>(first_entry), 2,
              static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
#endif
}

void Fiber::resume() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&home_fake_, stack_, kStackBytes);
#endif
#if defined(__SANITIZE_THREAD__)
  if (thread_of_fiber_ == nullptr) thread_of_fiber_ = __tsan_create_fiber(0);
  thread_of_home_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(thread_of_fiber_, 0);
#endif
#if defined(__x86_64__)
  starting = this;
  rocvet_switch_stack(&home_, here_);
#else
  swapcontext(static_cast<ucontext_t*>(home_), static_cast<ucontext_t*>(here_));
#endif
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(home_fake_, nullptr, nullptr);
#endif
}

void Fiber::leave([[maybe_unused]] bool forever) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(forever ? nullptr : &saved_fake_, home_stack_, home_bytes_);
#endif
#if defined(__SANITIZE_THREAD__)
  __tsan_switch_to_fiber(thread_of_home_, 0);
#endif
#if defined(__x86_64__)
  rocvet_switch_stack(&here_, home_);
#else
  swapcontext(static_cast<ucontext_t*>(here_), static_cast<ucontext_t*>(home_));
#endif
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(saved_fake_, const_cast<const void**>(&home_stack_),
                                  &home_bytes_);
#endif
}

}  // namespace rocvet::gpu
