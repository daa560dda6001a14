/*
 * Preloaded into a process, shows it a wall clock that is set apart by as many nanoseconds as the first eight bytes of the file say that WRONG_CLOCK names. The file is
 * mapped: the process goes by a new number at once. Clocks that nobody can set are left alone. It includes no header, so that a bare compiler is enough.
 */
struct timespec {
    long sec, nsec;
};

extern char *getenv(const char *);
extern void *dlsym(void *, const char *);
extern void *mmap(void *, unsigned long, int, int, int, long);
extern int open(const char *, int, ...);
extern int close(int);

#define NEXT ((void *) -1L)
#define SECOND 1000000000L
#define REALTIME 0
#define REALTIME_COARSE 5
/* Of a wait: seconds since 1970, not since the machine began. */
#define IS_WALL_TIME(time) ((time)->sec > SECOND)

typedef int (*clock_call)(int, struct timespec *);
typedef int (*wait_call)(void *, void *, const struct timespec *);

static volatile long *offset;
static clock_call real_clock;
static wait_call real_wait;

__attribute__((constructor)) static void attach(void) {
    const char *name = getenv("WRONG_CLOCK");
    int file = name ? open(name, 0) : -1;
    real_clock = (clock_call) dlsym(NEXT, "clock_gettime");
    real_wait = (wait_call) dlsym(NEXT, "pthread_cond_timedwait");
    if (file >= 0) {
        offset = mmap(0, sizeof(long), 1 /* read */, 1 /* shared */, file, 0);
        close(file);
    }
}

static void shift(struct timespec *time, long nanos) {
    long total = time->nsec + nanos % SECOND;
    time->sec += nanos / SECOND;
    if (total < 0) {
        total += SECOND;
        time->sec--;
    } else if (total >= SECOND) {
        total -= SECOND;
        time->sec++;
    }
    time->nsec = total;
}

int clock_gettime(int clock, struct timespec *time) {
    int result;
    if (!real_clock) {
        attach();
    }
    result = real_clock(clock, time);
    if (!result && offset && (clock == REALTIME || clock == REALTIME_COARSE)) {
        shift(time, *offset);
    }
    return result;
}

int gettimeofday(struct timespec *time, void *zone) {
    int result = clock_gettime(REALTIME, time);
    time->nsec /= 1000; /* Microseconds, in a structure of the same shape. */
    return result;
}

long time(long *seconds) {
    struct timespec now;
    clock_gettime(REALTIME, &now);
    if (seconds) {
        *seconds = now.sec;
    }
    return now.sec;
}

/* Waits until a time by the wrong clock: the system knows the right one only. */
int pthread_cond_timedwait(void *condition, void *mutex, const struct timespec *until) {
    struct timespec right = *until;
    if (offset && IS_WALL_TIME(until)) {
        shift(&right, -*offset);
    }
    return real_wait(condition, mutex, &right);
}
