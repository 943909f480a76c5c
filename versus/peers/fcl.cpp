// FCL: `fcl::collide` and `fcl::distance` on Convexd, Boxd and Capsuled, at default settings (libccd underneath).
#include "adapter.hpp"

#include <fcl/config.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>
#include <memory>

namespace {

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;
using Poses = std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>>;

struct Scene {
    std::vector<Geometry> shapes;
    Poses poses;
    const std::vector<versus::Pair>* pairs = nullptr;
};

Geometry make_hull(const versus::Shape& shape) {
    auto points = std::make_shared<std::vector<fcl::Vector3d>>();
    for (const auto& v : shape.vertices) points->emplace_back(v[0], v[1], v[2]);
    // FCL stores faces as a count followed by that many vertex indices.
    auto faces = std::make_shared<std::vector<int>>();
    for (const auto& t : shape.triangles) {
        faces->push_back(3);
        for (uint32_t index : t) faces->push_back(int(index));
    }
    return std::make_shared<fcl::Convexd>(points, int(shape.triangles.size()), faces);
}

Geometry make_shape(versus::Kind kind, const versus::Shape& shape) {
    switch (kind) {
    case versus::Kind::hull: return make_hull(shape);
    case versus::Kind::box:
        return std::make_shared<fcl::Boxd>(2 * shape.half[0], 2 * shape.half[1], 2 * shape.half[2]);
    default: return std::make_shared<fcl::Capsuled>(shape.radius, 2 * shape.half_height);
    }
}

Scene make_scene(const versus::Input& input) {
    Scene scene;
    scene.pairs = &input.pairs;
    for (const auto& shape : input.shapes) {
        scene.shapes.push_back(make_shape(input.kind, shape));
        scene.shapes.back()->computeLocalAABB();
    }
    for (const auto& pair : input.pairs) {
        const auto m = pair.matrix();
        fcl::Transform3d pose = fcl::Transform3d::Identity();
        pose.linear() << m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8];
        pose.translation() << pair.translation[0], pair.translation[1], pair.translation[2];
        scene.poses.push_back(pose);
    }
    return scene;
}

void overlap(const Scene& scene, double* answers) {
    const fcl::Transform3d identity = fcl::Transform3d::Identity();
    const fcl::CollisionRequestd request(1, false);
    fcl::CollisionResultd result;
    for (size_t i = 0; i < scene.poses.size(); ++i) {
        const auto& pair = (*scene.pairs)[i];
        result.clear();
        answers[i] = double(fcl::collide(scene.shapes[pair.a].get(), identity, scene.shapes[pair.b].get(),
                                         scene.poses[i], request, result) > 0);
    }
}

void distance(const Scene& scene, double* answers) {
    const fcl::Transform3d identity = fcl::Transform3d::Identity();
    const fcl::DistanceRequestd request(true, false);
    fcl::DistanceResultd result;
    for (size_t i = 0; i < scene.poses.size(); ++i) {
        const auto& pair = (*scene.pairs)[i];
        result.clear();
        const double value = fcl::distance(scene.shapes[pair.a].get(), identity, scene.shapes[pair.b].get(),
                                           scene.poses[i], request, result);
        answers[i] = value > 0 ? value : 0; // FCL says -1 for pairs that overlap
    }
}

void depth(const Scene& scene, double* answers) {
    const fcl::Transform3d identity = fcl::Transform3d::Identity();
    const fcl::CollisionRequestd request(1, true);
    fcl::CollisionResultd result;
    for (size_t i = 0; i < scene.poses.size(); ++i) {
        const auto& pair = (*scene.pairs)[i];
        result.clear();
        const bool hit = fcl::collide(scene.shapes[pair.a].get(), identity, scene.shapes[pair.b].get(),
                                      scene.poses[i], request, result) > 0;
        answers[i] = hit ? result.getContact(0).penetration_depth : 0;
    }
}

} // namespace

int main(int argc, char** argv) {
    const versus::Inputs inputs = versus::read_inputs(argc, argv);
    const Scene hull = make_scene(inputs.hull), box = make_scene(inputs.box), capsule = make_scene(inputs.capsule);
    versus::Adapter adapter("fcl", FCL_VERSION, "f64");
    adapter.add("hull overlap", hull.poses.size(), [&](double* answers) { overlap(hull, answers); });
    adapter.add("hull distance", hull.poses.size(), [&](double* answers) { distance(hull, answers); });
    adapter.add("hull depth", hull.poses.size(), [&](double* answers) { depth(hull, answers); });
    adapter.add("box overlap", box.poses.size(), [&](double* answers) { overlap(box, answers); });
    adapter.add("box distance", box.poses.size(), [&](double* answers) { distance(box, answers); });
    adapter.add("box depth", box.poses.size(), [&](double* answers) { depth(box, answers); });
    adapter.add("capsule distance", capsule.poses.size(), [&](double* answers) { distance(capsule, answers); });
    adapter.add("capsule contact", capsule.poses.size(), [&](double* answers) { depth(capsule, answers); });
    return adapter.serve();
}
