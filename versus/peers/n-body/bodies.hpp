// What the C++ adapters of `n-body` share: reading the recording, and its case. ../../src/n_body/record.rs is the Rust twin.
//
// coal and FCL have one ancestor and nearly one interface: their adapters differ in a Library that names the types. It has:
// Object, Pose, Poses, Manager; model(mesh), pose(versus::Pose), object(model, pose), move(object, pose) and
// collide(manager, found), which calls found(a, b) with the objects whose meshes meet.
#pragma once

#include "../mesh/scene.hpp"
#include "../broad/boxes.hpp"

namespace versus {

struct BodyRecording {
    std::string name;
    Mesh mesh;
    std::vector<std::vector<Pose>> frames;
};

inline BodyRecording read_bodies(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s SYSTEM RECORDING\n", argv[0]);
        std::exit(1);
    }
    Reader reader(argv[2]);
    const auto magic = reader.value<std::array<char, 8>>();
    if (std::memcmp(magic.data(), "BODIES01", 8) != 0) {
        std::fprintf(stderr, "%s is no recording\n", argv[2]);
        std::exit(1);
    }
    BodyRecording recording;
    const uint32_t bodies = reader.value<uint32_t>();
    recording.frames.resize(reader.value<uint32_t>());
    recording.name.resize(reader.value<uint32_t>());
    for (char& letter : recording.name) letter = reader.value<char>();
    recording.mesh.vertices.resize(reader.value<uint32_t>());
    recording.mesh.triangles.resize(reader.value<uint32_t>());
    for (auto& vertex : recording.mesh.vertices) vertex = reader.value<Vector>();
    for (auto& triangle : recording.mesh.triangles) triangle = reader.value<std::array<uint32_t, 3>>();
    for (auto& frame : recording.frames) {
        frame.resize(bodies);
        for (Pose& pose : frame) {
            pose.rotation = reader.value<std::array<double, 4>>();
            pose.translation = reader.value<Vector>();
        }
    }
    return recording;
}

// Registers the case and serves it. The objects are in the manager before the clock runs; poses are converted before.
template <class Library> int serve_bodies(const char* name, const std::string& version, const BodyRecording& recording) {
    using Object = typename Library::Object;
    std::vector<typename Library::Poses> frames(recording.frames.size());
    for (size_t i = 0; i < frames.size(); ++i)
        for (const Pose& pose : recording.frames[i]) frames[i].push_back(Library::pose(pose));
    const auto model = Library::model(recording.mesh);
    std::vector<std::unique_ptr<Object>> objects;
    std::vector<Object*> pointers;
    for (size_t i = 0; i < frames[0].size(); ++i) {
        objects.push_back(Library::object(model, frames[0][i]));
        objects.back()->setUserData(reinterpret_cast<void*>(i));
        pointers.push_back(objects.back().get());
    }
    const auto index = [](const Object* object) { return uint32_t(reinterpret_cast<size_t>(object->getUserData())); };
    Adapter adapter(name, version, "f64");
    const auto loop = [&](double* answers, Stopwatch& watch) {
        for (size_t k = 0; k < objects.size(); ++k) Library::move(*objects[k], frames[0][k]);
        typename Library::Manager manager;
        manager.registerObjects(pointers);
        manager.setup();
        PairList pairs;
        for (size_t i = 0; i < frames.size(); ++i) {
            watch.start();
            pairs.clear();
            for (size_t k = 0; k < objects.size(); ++k) Library::move(*objects[k], frames[i][k]);
            manager.update();
            Library::collide(manager, [&](const Object* a, const Object* b) { pairs.emplace_back(index(a), index(b)); });
            watch.stop();
            describe(pairs, answers + 3 * i);
        }
    };
    adapter.add_watched(recording.name, 3 * frames.size(), loop, Clock::process);
    return adapter.serve();
}

} // namespace versus
