// Preloaded in front of a program: opening or asking after a path of LAB_DENY
// ("/dev/kfd=13:/dev/dri=2", and all below it) fails with that errno, as a closed node, a device
// cgroup or a driver that is not there make it. For a launcher that itself presents the nodes.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int denied(const char* path) {
  const char* rule = getenv("LAB_DENY");
  while (path != NULL && rule != NULL && *rule != '\0') {
    const char* equals = strchr(rule, '=');
    if (equals == NULL) return 0;
    const size_t length = (size_t)(equals - rule);
    if (strncmp(path, rule, length) == 0 && (path[length] == '\0' || path[length] == '/'))
      return atoi(equals + 1);
    rule = strchr(equals, ':');
    if (rule != NULL) rule++;
  }
  return 0;
}

#define NEXT(type, name) type next = (type)dlsym(RTLD_NEXT, name)
#define REFUSE(path, result)                        \
  do {                                              \
    const int number = denied(path);                \
    if (number != 0) return errno = number, result; \
  } while (0)

typedef int (*open_type)(const char*, int, ...);
#define OPEN(symbol)                                                                  \
  int symbol(const char* path, int flags, ...) {                                      \
    REFUSE(path, -1);                                                                 \
    va_list rest;                                                                     \
    va_start(rest, flags);                                                            \
    const mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                                     \
    NEXT(open_type, #symbol);                                                         \
    return next(path, flags, mode);                                                   \
  }
OPEN(open)
OPEN(open64)

typedef int (*openat_type)(int, const char*, int, ...);
#define OPENAT(symbol)                                                                \
  int symbol(int folder, const char* path, int flags, ...) {                          \
    REFUSE(path, -1);                                                                 \
    va_list rest;                                                                     \
    va_start(rest, flags);                                                            \
    const mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                                     \
    NEXT(openat_type, #symbol);                                                       \
    return next(folder, path, flags, mode);                                           \
  }
OPENAT(openat)
OPENAT(openat64)

typedef FILE* (*fopen_type)(const char*, const char*);
#define FOPEN(symbol)                                \
  FILE* symbol(const char* path, const char* mode) { \
    REFUSE(path, NULL);                              \
    NEXT(fopen_type, #symbol);                       \
    return next(path, mode);                         \
  }
FOPEN(fopen)
FOPEN(fopen64)

typedef DIR* (*opendir_type)(const char*);
DIR* opendir(const char* path) {
  REFUSE(path, NULL);
  NEXT(opendir_type, "opendir");
  return next(path);
}

typedef int (*access_type)(const char*, int);
int access(const char* path, int mode) {
  REFUSE(path, -1);
  NEXT(access_type, "access");
  return next(path, mode);
}

/* Only a path that is not there is not there for stat too: a closed node can still be looked at. */
typedef int (*stat_type)(const char*, struct stat*);
#define STAT(symbol)                                       \
  int symbol(const char* path, struct stat* out) {         \
    if (denied(path) == ENOENT) return errno = ENOENT, -1; \
    NEXT(stat_type, #symbol);                              \
    return next(path, out);                                \
  }
STAT(stat)
STAT(lstat)
