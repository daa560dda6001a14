/*
 * Preloaded into a process, makes calls on some files fail, as long as the file that FAULTY_DISK names says so. Each of its lines is
 *
 *   CALL ERRNO PART
 *
 * open, write, sync or lock; the number of the error; a part of the paths of the files. It includes no header, so that a bare compiler is enough.
 */
typedef unsigned long size_t;
typedef long ssize_t;
typedef long off_t;

extern int *__errno_location(void);
extern char *getenv(const char *);
extern void *dlsym(void *, const char *);
extern char *strstr(const char *, const char *);
extern int sscanf(const char *, const char *, ...);
extern int snprintf(char *, size_t, const char *, ...);
extern ssize_t readlink(const char *, char *, size_t);
extern ssize_t read(int, void *, size_t);
extern int close(int);

#define NEXT ((void *) -1L)
#define REAL(name, type) ((type) real(#name))
#define LENGTH 4096

static void *real(const char *name) {
    return dlsym(NEXT, name);
}

typedef int (*open_call)(const char *, int, unsigned);

static int opened(const char *path) {
    return REAL(open64, open_call)(path, 0, 0);
}

/* The error with which that call on that file fails; 0 if it does not. */
static int fault(const char *call, const char *path) {
    char faults[LENGTH], kind[16], part[256], *line;
    int error, taken, errors = 0, file;
    ssize_t length;
    const char *name = getenv("FAULTY_DISK");
    if (!name || (file = opened(name)) < 0) {
        return 0;
    }
    length = read(file, faults, LENGTH - 1);
    close(file);
    faults[length < 0 ? 0 : length] = 0;
    for (line = faults; sscanf(line, "%15s %d %255s%n", kind, &error, part, &taken) == 3; line += taken) {
        if (strstr(kind, call) && strstr(path, part)) {
            errors = error;
        }
    }
    return errors;
}

static int fails(const char *call, const char *path) {
    int before = *__errno_location(), error = fault(call, path);
    *__errno_location() = error ? error : before;
    return error;
}

static int failsOf(const char *call, int file) {
    char link[32], path[LENGTH];
    int before = *__errno_location();
    ssize_t length;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    length = readlink(link, path, LENGTH - 1);
    path[length < 0 ? 0 : length] = 0;
    *__errno_location() = before;
    return fails(call, path);
}

#define OPEN(name)                                                                     \
    int name(const char *path, int flags, unsigned mode) {                             \
        return fails("open", path) ? -1 : REAL(name, open_call)(path, flags, mode);    \
    }
OPEN(open)
OPEN(open64)

ssize_t write(int file, const void *bytes, size_t count) {
    return failsOf("write", file) ? -1 : REAL(write, ssize_t (*)(int, const void *, size_t))(file, bytes, count);
}

#define PWRITE(name)                                                                                                           \
    ssize_t name(int file, const void *bytes, size_t count, off_t at) {                                                        \
        return failsOf("write", file) ? -1 : REAL(name, ssize_t (*)(int, const void *, size_t, off_t))(file, bytes, count, at); \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

#define SYNC(name)                                                           \
    int name(int file) {                                                     \
        return failsOf("sync", file) ? -1 : REAL(name, int (*)(int))(file);  \
    }
SYNC(fsync)
SYNC(fdatasync)

/* F_SETLK and F_SETLKW. */
#define FCNTL(name)                                                                                                              \
    int name(int file, int command, void *argument) {                                                                            \
        return (command == 6 || command == 7) && failsOf("lock", file) ? -1 : REAL(name, int (*)(int, int, void *))(file, command, argument); \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

int flock(int file, int operation) {
    return failsOf("lock", file) ? -1 : REAL(flock, int (*)(int, int))(file, operation);
}
