// coal and FCL have one ancestor and nearly one interface: their adapters differ in a `Library` that names the types.
//
// A Library has: Model (a mesh with its tree), Pose, CollisionRequest, CollisionResult, DistanceRequest, DistanceResult;
// pose(versus::Pose), build(const Mesh&) giving a shared pointer to a Model, tree_bytes(Model), all_pairs(), first_pair(),
// nearest(), collide(...) and distance(...); `collides` and `measures`, what its volume is asked for.
#pragma once

#include "scene.hpp"

#include <memory>

namespace versus {

template <class Library> class Hierarchies {
  public:
    Hierarchies(const Scene& scene, const MeshCase& entry)
        : a(Library::build(scene.meshes[entry.a])), b(Library::build(scene.meshes[entry.b])) {
        for (const Pose& pose : entry.poses) poses.push_back(Library::pose(pose));
    }

    void meet(double* answers) const {
        const auto request = Library::first_pair();
        typename Library::CollisionResult result;
        for (size_t i = 0; i < poses.size(); ++i) {
            result.clear();
            answers[i] = double(Library::collide(*a, identity, *b, poses[i], request, result) > 0);
        }
    }

    void pairs(double* answers) const {
        const auto request = Library::all_pairs();
        typename Library::CollisionResult result;
        for (size_t i = 0; i < poses.size(); ++i) {
            result.clear();
            Library::collide(*a, identity, *b, poses[i], request, result);
            Fingerprint fingerprint;
            for (size_t k = 0; k < result.numContacts(); ++k) {
                const auto& contact = result.getContact(k);
                fingerprint.add(uint32_t(contact.b1), uint32_t(contact.b2));
            }
            answers[2 * i] = double(result.numContacts());
            answers[2 * i + 1] = fingerprint.value();
        }
    }

    void distance(double* answers) const {
        const auto request = Library::nearest();
        typename Library::DistanceResult result;
        for (size_t i = 0; i < poses.size(); ++i) {
            result.clear();
            const double value = Library::distance(*a, identity, *b, poses[i], request, result);
            answers[i] = value > 0 ? value : 0;
        }
    }

  private:
    std::shared_ptr<typename Library::Model> a, b;
    typename Library::Pose identity = Library::pose({{1, 0, 0, 0}, {0, 0, 0}});
    typename Library::Poses poses;
};

// Registers the cases that the library answers and serves them.
template <class Library> int serve(const char* name, const std::string& version, const Scene& scene) {
    Adapter adapter(name, version, "f64");
    for (const MeshCase& entry : scene.cases) {
        if (entry.threads > 1 || entry.question == Question::ray || entry.question == Question::ray_tree) continue;
        if (entry.question == Question::distance ? !Library::measures : !Library::collides) continue;
        if (entry.question == Question::collision_tree) {
            adapter.add(entry.name, 1, [&scene, &entry](double* answers) {
                answers[0] = Library::tree_bytes(*Library::build(scene.meshes[entry.a]));
            }, entry.clock());
            continue;
        }
        const auto trees = std::make_shared<Hierarchies<Library>>(scene, entry);
        const size_t count = entry.poses.size();
        if (entry.question == Question::meet) {
            adapter.add(entry.name, count, [trees](double* answers) { trees->meet(answers); });
        } else if (entry.question == Question::pairs) {
            adapter.add(entry.name, 2 * count, [trees](double* answers) { trees->pairs(answers); });
        } else {
            adapter.add(entry.name, count, [trees](double* answers) { trees->distance(answers); });
        }
    }
    return adapter.serve();
}

} // namespace versus
