// What the C++ adapters of `broad` share: reading the recording, and its two cases. ../../src/broad/{record,serve}.rs are the
// Rust twins.
//
// A Finder is a broad phase with boxes in it and the list of all pairs of those that meet. It has: Box, the system's own type,
// with convert(const BoxData&); World, what exists before a broad phase does (bodies, a device), made of the first boxes, with
// place(boxes), which puts the bodies there; a constructor of a World and boxes, which builds from nothing and lists the pairs;
// step(moved), which takes in the boxes that moved and completes the list again; pairs().
#pragma once

#include "../adapter.hpp"

#include <memory>
#include <utility>

namespace versus {

struct BoxData {
    std::array<float, 3> low, high;

    float centre(int axis) const { return 0.5f * (low[axis] + high[axis]); } // exact, by how the boxes are made
    float half(int axis) const { return 0.5f * (high[axis] - low[axis]); }
};

struct MovedBox {
    uint32_t index;
    BoxData box;
};

struct Recording {
    std::string name;
    std::vector<BoxData> first;
    std::vector<std::vector<MovedBox>> frames;
};

using PairList = std::vector<std::pair<uint32_t, uint32_t>>;

inline Recording read_recording(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s SYSTEM RECORDING\n", argv[0]);
        std::exit(1);
    }
    Reader reader(argv[2]);
    const auto magic = reader.value<std::array<char, 8>>();
    if (std::memcmp(magic.data(), "BOXES001", 8) != 0) {
        std::fprintf(stderr, "%s is no recording\n", argv[2]);
        std::exit(1);
    }
    Recording recording;
    recording.first.resize(reader.value<uint32_t>());
    recording.frames.resize(reader.value<uint32_t>());
    recording.name.resize(reader.value<uint32_t>());
    for (char& letter : recording.name) letter = reader.value<char>();
    for (BoxData& box : recording.first) box = reader.value<BoxData>();
    for (auto& frame : recording.frames) {
        frame.resize(reader.value<uint32_t>());
        for (MovedBox& moved : frame) moved = reader.value<MovedBox>();
    }
    return recording;
}

// Tells sets of pairs apart, whatever the order of the pairs and within them.
inline void describe(const PairList& pairs, double* answer) {
    uint64_t sum = 0;
    for (auto [a, b] : pairs) {
        if (a > b) std::swap(a, b);
        const uint64_t mixed = (uint64_t(a) << 32 | b) * 0x9e3779b97f4a7c15u;
        sum += (mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9u;
    }
    answer[0] = double(pairs.size());
    answer[1] = double(sum >> 32);
    answer[2] = double(sum & 0xffffffffu);
}

// A list of pairs for systems that look for the pairs of what moved: the pairs of what rests are kept.
class KeptPairs {
  public:
    explicit KeptPairs(size_t count) : moves(count, false) {}

    // Forgets all pairs of which one box moved.
    template <class Moved> void forget(const std::vector<Moved>& moved) {
        for (const auto& entry : moved) moves[entry.first] = true;
        if (moved.size() == moves.size()) {
            list.clear();
            return;
        }
        size_t kept = 0;
        for (const auto& pair : list)
            if (!moves[pair.first] && !moves[pair.second]) list[kept++] = pair;
        list.resize(kept);
    }

    template <class Moved> void settle(const std::vector<Moved>& moved) {
        for (const auto& entry : moved) moves[entry.first] = false;
    }

    std::vector<char> moves;
    PairList list;
};

// Registers both cases and serves them.
template <class Finder> int serve(const char* name, const std::string& version, const Recording& recording) {
    using Box = typename Finder::Box;
    std::vector<Box> first;
    std::vector<std::vector<std::pair<uint32_t, Box>>> frames;
    for (const BoxData& box : recording.first) first.push_back(Finder::convert(box));
    for (const auto& frame : recording.frames) {
        frames.emplace_back();
        for (const MovedBox& moved : frame) frames.back().emplace_back(moved.index, Finder::convert(moved.box));
    }
    typename Finder::World world(first);
    Adapter adapter(name, version, "f32");
    const auto frame_loop = [&](double* answers, Stopwatch& watch) {
        world.place(first);
        Finder finder(world, first);
        for (size_t i = 0; i < frames.size(); ++i) {
            watch.start();
            finder.step(frames[i]);
            watch.stop();
            describe(finder.pairs(), answers + 3 * i);
        }
    };
    adapter.add_watched(recording.name + " frame", 3 * frames.size(), frame_loop, Clock::process);
    const auto scratch_loop = [&](double* answers, Stopwatch& watch) {
        world.place(first);
        watch.start();
        Finder finder(world, first);
        watch.stop();
        describe(finder.pairs(), answers);
    };
    adapter.add_watched(recording.name + " scratch", 3, scratch_loop, Clock::process);
    return adapter.serve();
}

} // namespace versus
