/*
 * Records what a program asks of the disk, so that a test can tell what a power loss would have left of it.
 *
 * It is preloaded into the program (LD_PRELOAD) and stands between it and the C library. For files below the folders in
 * RECORDER_ROOTS (separated by colons) each change and each sync becomes one record at the end of RECORDER_LOG, written
 * when the call has succeeded and before the program learns of it. Calls are recorded one at a time, so that the order of
 * the records is the order of the calls.
 *
 * A record is a line `kind inode number length_a length_b`, then `length_a` and `length_b` bytes:
 *   C new file: a its path            W write: number the offset, a the path, b the bytes
 *   T new length: number, a the path  S sync of a file: a the path
 *   D sync of a folder: a its path    M new folder: a its path
 *   R rename: a to b                  Y new link: a the path, b the target
 *   U removed: a the path
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FILES 4096

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
/* Paths of open files that are recorded. */
static char *names[FILES];
static int log_file = -1;

static void record(char kind, unsigned long inode, long number, const char *a, const void *b, size_t b_length) {
    char line[96];
    struct iovec parts[3];
    if (log_file < 0)
        log_file = REAL(open)(getenv("RECORDER_LOG"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    parts[0].iov_base = line;
    parts[0].iov_len = (size_t)snprintf(line, sizeof line, "%c %lu %ld %zu %zu\n", kind, inode, number, strlen(a), b_length);
    parts[1].iov_base = (void *)a;
    parts[1].iov_len = strlen(a);
    parts[2].iov_base = (void *)b;
    parts[2].iov_len = b_length;
    /* A record that is cut would be taken for something else: better no program than a wrong test. */
    if (REAL(writev)(log_file, parts, 3) != (ssize_t)(parts[0].iov_len + parts[1].iov_len + b_length))
        abort();
}

static int is_recorded(const char *path) {
    const char *roots = getenv("RECORDER_ROOTS");
    while (roots && *roots) {
        size_t length = strcspn(roots, ":");
        if (strncmp(path, roots, length) == 0 && (path[length] == '/' || path[length] == 0))
            return 1;
        roots += length + (roots[length] == ':');
    }
    return 0;
}

static const char *name_of(int file) { return file >= 0 && file < FILES ? names[file] : NULL; }

static int open_recorded(int opened, const char *path, int flags, int was_there) {
    struct stat found;
    if (opened < 0 || opened >= FILES || fstat(opened, &found) != 0)
        return opened;
    free(names[opened]);
    names[opened] = strdup(path);
    if ((flags & O_CREAT) && !was_there)
        record('C', found.st_ino, 0, path, "", 0);
    else if (flags & O_TRUNC)
        record('T', found.st_ino, 0, path, "", 0);
    return opened;
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                       \
        struct stat before;                                                                                            \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        mode_t mode = (flags & O_CREAT) ? va_arg(more, mode_t) : 0;                                                    \
        va_end(more);                                                                                                  \
        if (!is_recorded(path))                                                                                        \
            return REAL(name)(path, flags, mode);                                                                      \
        pthread_mutex_lock(&turn);                                                                                     \
        int was_there = lstat(path, &before) == 0;                                                                     \
        int result = open_recorded(REAL(name)(path, flags, mode), path, flags, was_there);                             \
        pthread_mutex_unlock(&turn);                                                                                   \
        return result;                                                                                                 \
    }
OPEN(open)
OPEN(open64)

int close(int file) {
    if (name_of(file)) {
        pthread_mutex_lock(&turn);
        free(names[file]);
        names[file] = NULL;
        pthread_mutex_unlock(&turn);
    }
    return REAL(close)(file);
}

static void record_write(int file, long offset, const void *bytes, ssize_t written) {
    struct stat found;
    if (written > 0 && fstat(file, &found) == 0)
        record('W', found.st_ino, offset, names[file], bytes, (size_t)written);
}

/* Where the next write goes. */
static long position(int file) {
    struct stat found;
    if (fcntl(file, F_GETFL) & O_APPEND)
        return fstat(file, &found) == 0 ? found.st_size : 0;
    return lseek(file, 0, SEEK_CUR);
}

ssize_t write(int file, const void *bytes, size_t count) {
    if (!name_of(file))
        return REAL(write)(file, bytes, count);
    pthread_mutex_lock(&turn);
    long offset = position(file);
    ssize_t written = REAL(write)(file, bytes, count);
    record_write(file, offset, bytes, written);
    pthread_mutex_unlock(&turn);
    return written;
}

#define PWRITE(name)                                                                                                   \
    ssize_t name(int file, const void *bytes, size_t count, off_t offset) {                                            \
        if (!name_of(file))                                                                                            \
            return REAL(name)(file, bytes, count, offset);                                                             \
        pthread_mutex_lock(&turn);                                                                                     \
        ssize_t written = REAL(name)(file, bytes, count, offset);                                                      \
        record_write(file, offset, bytes, written);                                                                    \
        pthread_mutex_unlock(&turn);                                                                                   \
        return written;                                                                                                \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

#define TRUNCATE(name)                                                                                                 \
    int name(int file, off_t length) {                                                                                 \
        struct stat found;                                                                                             \
        if (!name_of(file))                                                                                            \
            return REAL(name)(file, length);                                                                           \
        pthread_mutex_lock(&turn);                                                                                     \
        int result = REAL(name)(file, length);                                                                         \
        if (result == 0 && fstat(file, &found) == 0)                                                                   \
            record('T', found.st_ino, length, names[file], "", 0);                                                     \
        pthread_mutex_unlock(&turn);                                                                                   \
        return result;                                                                                                 \
    }
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

#define SYNC(name)                                                                                                     \
    int name(int file) {                                                                                               \
        struct stat found;                                                                                             \
        if (!name_of(file))                                                                                            \
            return REAL(name)(file);                                                                                   \
        pthread_mutex_lock(&turn);                                                                                     \
        int result = REAL(name)(file);                                                                                 \
        if (result == 0 && fstat(file, &found) == 0)                                                                   \
            record(S_ISDIR(found.st_mode) ? 'D' : 'S', found.st_ino, 0, names[file], "", 0);                           \
        pthread_mutex_unlock(&turn);                                                                                   \
        return result;                                                                                                 \
    }
SYNC(fsync)
SYNC(fdatasync)

#define PATH(name, kind, parameters, arguments, path, a, b)                                                            \
    int name parameters {                                                                                              \
        if (!is_recorded(path))                                                                                        \
            return REAL(name) arguments;                                                                               \
        pthread_mutex_lock(&turn);                                                                                     \
        int result = REAL(name) arguments;                                                                             \
        if (result == 0)                                                                                               \
            record(kind, 0, 0, a, b, strlen(b));                                                                       \
        pthread_mutex_unlock(&turn);                                                                                   \
        return result;                                                                                                 \
    }
PATH(rename, 'R', (const char *from, const char *to), (from, to), to, from, to)
PATH(symlink, 'Y', (const char *target, const char *path), (target, path), path, path, target)
PATH(unlink, 'U', (const char *path), (path), path, path, "")
PATH(rmdir, 'U', (const char *path), (path), path, path, "")
PATH(mkdir, 'M', (const char *path, mode_t mode), (path, mode), path, path, "")
