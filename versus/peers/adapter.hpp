// What every C++ adapter shares: reading the input files and answering the driver.
//
// An adapter registers one loop per case and hands over to `serve`. The file format and the line protocol are
// described in ../README.md; ../src/format.rs and ../src/serve.rs are their Rust twins.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <sched.h>
#include <string>
#include <vector>

namespace versus {

using Vector = std::array<double, 3>;

// One shape of an input file; which fields hold something depends on the kind of the file.
struct Shape {
    std::vector<Vector> vertices;                  // hull
    std::vector<std::array<uint32_t, 3>> triangles; // hull, counter-clockwise from outside
    Vector half{};                                  // box
    double radius = 0, half_height = 0;             // capsule, along z
};

// Pose of B in the frame of A.
struct Pose {
    std::array<double, 4> rotation; // unit quaternion w, x, y, z
    Vector translation;

    // Row-major rotation matrix of the quaternion.
    std::array<double, 9> matrix() const {
        const double w = rotation[0], x = rotation[1], y = rotation[2], z = rotation[3];
        return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    }
};

struct Pair : Pose {
    uint32_t a, b;
};

enum class Kind : uint32_t { hull = 0, box = 1, capsule = 2 };

struct Input {
    Kind kind;
    std::vector<Shape> shapes;
    std::vector<Pair> pairs;
};

// Reads plain little-endian values; the hosts this runs on are little-endian.
class Reader {
  public:
    explicit Reader(const char* path) : stream(path, std::ios::binary) {}
    template <class T> T value() {
        T result{};
        stream.read(reinterpret_cast<char*>(&result), sizeof result);
        if (!stream) {
            std::fprintf(stderr, "input file ends early\n");
            std::exit(1);
        }
        return result;
    }

  private:
    std::ifstream stream;
};

inline Input read_input(const char* path) {
    Reader reader(path);
    const auto magic = reader.value<std::array<char, 8>>();
    if (std::memcmp(magic.data(), "PAIRS001", 8) != 0) {
        std::fprintf(stderr, "%s is no pair file\n", path);
        std::exit(1);
    }
    Input input;
    input.kind = static_cast<Kind>(reader.value<uint32_t>());
    input.shapes.resize(reader.value<uint32_t>());
    input.pairs.resize(reader.value<uint32_t>());
    reader.value<uint32_t>();
    for (Shape& shape : input.shapes) {
        if (input.kind == Kind::hull) {
            shape.vertices.resize(reader.value<uint32_t>());
            shape.triangles.resize(reader.value<uint32_t>());
            for (auto& vertex : shape.vertices) vertex = reader.value<Vector>();
            for (auto& triangle : shape.triangles) triangle = reader.value<std::array<uint32_t, 3>>();
        } else if (input.kind == Kind::box) {
            shape.half = reader.value<Vector>();
        } else {
            shape.radius = reader.value<double>();
            shape.half_height = reader.value<double>();
        }
    }
    for (Pair& pair : input.pairs) {
        pair.a = reader.value<uint32_t>();
        pair.b = reader.value<uint32_t>();
        pair.rotation = reader.value<std::array<double, 4>>();
        pair.translation = reader.value<Vector>();
    }
    return input;
}

// The three input files, in the order of the command line.
struct Inputs {
    Input hull, box, capsule;
};

inline Inputs read_inputs(int argc, char** argv) {
    if (argc != 5) {
        std::fprintf(stderr, "usage: %s SYSTEM HULL_FILE BOX_FILE CAPSULE_FILE\n", argv[0]);
        std::exit(1);
    }
    return {read_input(argv[2]), read_input(argv[3]), read_input(argv[4])};
}

inline uint64_t nanoseconds(clockid_t clock) {
    timespec now;
    clock_gettime(clock, &now);
    return uint64_t(now.tv_sec) * 1000000000u + uint64_t(now.tv_nsec);
}

// What a round is measured by: processor time of its thread, that of all threads (for work that a library may hand to a
// thread of its own) or, for cases that use several threads, time on the wall.
enum class Clock { thread, process, wall };

// Runs while something is to be measured; what is done between `stop` and `start` costs nothing.
class Stopwatch {
  public:
    explicit Stopwatch(clockid_t clock) : clock(clock) {}
    void start() { since = nanoseconds(clock); }
    void stop() { total += nanoseconds(clock) - since; }
    uint64_t elapsed() const { return total; }

  private:
    clockid_t clock;
    uint64_t since = 0, total = 0;
};

class Adapter {
  public:
    Adapter(std::string name, std::string version, std::string precision) {
        std::cout << "system " << name << "\nversion " << version << "\nprecision " << precision << "\n";
    }

    // `loop` stores `count` numbers; what they mean is in ../README.md.
    void add(const std::string& name, size_t count, std::function<void(double*)> loop, Clock clock = Clock::thread) {
        const auto timed = [loop = std::move(loop)](double* answers, Stopwatch& watch) {
            watch.start();
            loop(answers);
            watch.stop();
        };
        add_watched(name, count, timed, clock);
    }

    // `loop` says itself what is measured.
    void add_watched(const std::string& name, size_t count, std::function<void(double*, Stopwatch&)> loop, Clock clock) {
        cases[name] = {std::vector<double>(count), std::move(loop), clock};
        std::cout << "case " << name << "\n";
    }

    int serve() {
        std::cout << "ready" << std::endl;
        std::string line;
        while (std::getline(std::cin, line)) {
            if (line == "quit") return 0;
            if (line.rfind("round ", 0) == 0) {
                std::cout << "nanoseconds " << round(find(line.substr(6))) << std::endl;
            } else if (line.rfind("answers ", 0) == 0) {
                const size_t tab = line.find('\t');
                const Case& entry = find(line.substr(8, tab - 8));
                std::ofstream file(line.substr(tab + 1), std::ios::binary);
                file.write(reinterpret_cast<const char*>(entry.answers.data()),
                           std::streamsize(entry.answers.size() * sizeof(double)));
                file.close(); // the driver reads it as soon as it is told
                std::cout << "written " << entry.answers.size() << std::endl;
            } else {
                std::cout << "error unknown command" << std::endl;
            }
        }
        return 0;
    }

  private:
    struct Case {
        std::vector<double> answers;
        std::function<void(double*, Stopwatch&)> loop;
        Clock clock = Clock::thread;
    };
    std::map<std::string, Case> cases;

    static uint64_t timed(Case& entry, clockid_t clock) {
        Stopwatch watch(clock);
        entry.loop(entry.answers.data(), watch);
        return watch.elapsed();
    }

    static uint64_t round(Case& entry) {
        if (entry.clock == Clock::thread) return timed(entry, CLOCK_THREAD_CPUTIME_ID);
        if (entry.clock == Clock::process) return timed(entry, CLOCK_PROCESS_CPUTIME_ID);
        // The driver keeps this process on one processor. Threads started here inherit what is allowed now.
        cpu_set_t one, all;
        sched_getaffinity(0, sizeof one, &one);
        std::memset(&all, 0xff, sizeof all);
        sched_setaffinity(0, sizeof all, &all);
        const uint64_t time = timed(entry, CLOCK_MONOTONIC);
        sched_setaffinity(0, sizeof one, &one);
        return time;
    }

    Case& find(const std::string& name) {
        auto entry = cases.find(name);
        if (entry == cases.end()) {
            std::cout << "error no case " << name << std::endl;
            std::exit(1);
        }
        return entry->second;
    }
};

} // namespace versus
