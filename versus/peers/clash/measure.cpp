// Runs a command and tells what it took, as the kernel counts it: measure OUTPUT COMMAND ARGUMENT...
//
// The command's standard output goes to the file OUTPUT, its error output to OUTPUT.errors. Printed are wall and processor time in
// nanoseconds (all threads, user and system), the peak resident memory in kilobytes, and the exit code.
// This is a program of its own because the kernel counts the memory of the process that starts another one for that one as well,
// up to the moment it becomes the command; the driver may have large models in memory, this has nothing.

#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void redirect(const std::string& path, int to) {
    int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || dup2(file, to) < 0) _exit(126);
    close(file);
}

static long long nanoseconds(const timeval& time) { return time.tv_sec * 1000000000LL + time.tv_usec * 1000LL; }

int main(int count, char** arguments) {
    if (count < 3) {
        std::fprintf(stderr, "expected a file and a command\n");
        return 2;
    }
    auto start = std::chrono::steady_clock::now();
    pid_t child = fork();
    if (child < 0) {
        std::perror("fork");
        return 2;
    }
    if (child == 0) {
        redirect(arguments[1], 1);
        redirect(std::string(arguments[1]) + ".errors", 2);
        execv(arguments[2], arguments + 2);
        std::perror(arguments[2]);
        _exit(127);
    }
    int status = 0;
    rusage used{};
    if (wait4(child, &status, 0, &used) < 0) {
        std::perror("wait4");
        return 2;
    }
    std::chrono::nanoseconds wall = std::chrono::steady_clock::now() - start;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    std::printf("%lld %lld %ld %d\n", static_cast<long long>(wall.count()),
                nanoseconds(used.ru_utime) + nanoseconds(used.ru_stime), used.ru_maxrss, code);
    return 0;
}
