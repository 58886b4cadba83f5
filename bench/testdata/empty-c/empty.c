// An empty target in C, as AFL++'s own documentation writes the fast ones:
// persistent, with its test cases in shared memory. It never starts anew, as
// ours does not.

#include <stdlib.h>
#include <unistd.h>

__AFL_FUZZ_INIT();

// What the runtime of a newer afl-clang-fast wants of a newer libc.
long __isoc23_strtol(const char *s, char **end, int base) { return strtol(s, end, base); }
unsigned long __isoc23_strtoul(const char *s, char **end, int base) { return strtoul(s, end, base); }

int main(void) {
  __AFL_INIT();
  unsigned char *input = __AFL_FUZZ_TESTCASE_BUF;
  while (__AFL_LOOP(2000000000)) {
    int n = __AFL_FUZZ_TESTCASE_LEN;
    (void)input, (void)n;
  }
  return 0;
}
