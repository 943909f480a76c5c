// box3d: b3ShapeDistance on point clouds with a radius; b3CollideHulls and b3CollideCapsules for depth.
// Its yes/no query b3OverlapHull counts pairs up to 0.5 mm apart as overlapping, so it is not among the cases.
#include "adapter.hpp"

#include <box3d/box3d.h>
#include <box3d/collision.h>
#include <algorithm>
#include <memory>

namespace {

struct Body {
    const b3HullData* hull = nullptr;
    b3BoxHull box;
    b3Capsule capsule;
    std::vector<b3Vec3> points; // what b3ShapeDistance sees
    float radius = 0;
};

struct Scene {
    std::vector<std::unique_ptr<Body>> bodies;
    std::vector<b3Transform> poses;
    const std::vector<versus::Pair>* pairs = nullptr;
};

b3Vec3 vec3(const versus::Vector& v) { return {float(v[0]), float(v[1]), float(v[2])}; }

std::unique_ptr<Body> make_body(versus::Kind kind, const versus::Shape& shape) {
    auto body = std::make_unique<Body>();
    if (kind == versus::Kind::hull) {
        for (const auto& v : shape.vertices) body->points.push_back(vec3(v));
        body->hull = b3CreateHull(body->points.data(), int(body->points.size()), int(body->points.size()));
        if (body->hull == nullptr || body->hull->vertexCount != int(body->points.size())) {
            std::fprintf(stderr, "box3d does not keep all vertices of a hull\n");
            std::exit(1);
        }
    } else if (kind == versus::Kind::box) {
        body->box = b3MakeBoxHull(float(shape.half[0]), float(shape.half[1]), float(shape.half[2]));
        body->hull = &body->box.base;
        for (int i = 0; i < 8; ++i) body->points.push_back(body->box.boxPoints[i]);
    } else {
        const float height = float(shape.half_height);
        body->radius = float(shape.radius);
        body->capsule = {{0, 0, -height}, {0, 0, height}, body->radius};
        body->points = {body->capsule.center1, body->capsule.center2};
    }
    return body;
}

Scene make_scene(const versus::Input& input) {
    Scene scene;
    scene.pairs = &input.pairs;
    for (const auto& shape : input.shapes) scene.bodies.push_back(make_body(input.kind, shape));
    for (const auto& pair : input.pairs) {
        const auto& q = pair.rotation;
        scene.poses.push_back({vec3(pair.translation), {{float(q[1]), float(q[2]), float(q[3])}, float(q[0])}});
    }
    return scene;
}

void distance(const Scene& scene, double* answers) {
    for (size_t i = 0; i < scene.poses.size(); ++i) {
        const auto& pair = (*scene.pairs)[i];
        const Body& a = *scene.bodies[pair.a];
        const Body& b = *scene.bodies[pair.b];
        b3DistanceInput input;
        input.proxyA = {a.points.data(), int(a.points.size()), a.radius};
        input.proxyB = {b.points.data(), int(b.points.size()), b.radius};
        input.transform = scene.poses[i];
        input.useRadii = true;
        b3SimplexCache cache{};
        answers[i] = double(b3ShapeDistance(&input, &cache, nullptr, 0).distance);
    }
}

// Depth of the deepest manifold point. Points may have a positive separation (speculative contact).
double deepest(const b3LocalManifold& manifold) {
    float depth = 0;
    for (int i = 0; i < manifold.pointCount; ++i) depth = std::max(depth, -manifold.points[i].separation);
    return double(depth);
}

void hull_depth(const Scene& scene, double* answers) {
    constexpr int capacity = 32;
    b3LocalManifoldPoint points[capacity];
    for (size_t i = 0; i < scene.poses.size(); ++i) {
        const auto& pair = (*scene.pairs)[i];
        b3LocalManifold manifold{};
        manifold.points = points;
        b3SATCache cache{};
        b3CollideHulls(&manifold, capacity, scene.bodies[pair.a]->hull, scene.bodies[pair.b]->hull, scene.poses[i], &cache);
        answers[i] = deepest(manifold);
    }
}

void capsule_depth(const Scene& scene, double* answers) {
    constexpr int capacity = 4;
    b3LocalManifoldPoint points[capacity];
    for (size_t i = 0; i < scene.poses.size(); ++i) {
        const auto& pair = (*scene.pairs)[i];
        b3LocalManifold manifold{};
        manifold.points = points;
        b3CollideCapsules(&manifold, capacity, &scene.bodies[pair.a]->capsule, &scene.bodies[pair.b]->capsule,
                          scene.poses[i]);
        answers[i] = deepest(manifold);
    }
}

} // namespace

int main(int argc, char** argv) {
    const versus::Inputs inputs = versus::read_inputs(argc, argv);
    const Scene hull = make_scene(inputs.hull), box = make_scene(inputs.box), capsule = make_scene(inputs.capsule);
    const b3Version version = b3GetVersion();
    versus::Adapter adapter("box3d",
                            std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
                                std::to_string(version.revision),
                            "f32");
    adapter.add("hull distance", hull.poses.size(), [&](double* answers) { distance(hull, answers); });
    adapter.add("hull depth", hull.poses.size(), [&](double* answers) { hull_depth(hull, answers); });
    adapter.add("box distance", box.poses.size(), [&](double* answers) { distance(box, answers); });
    adapter.add("box depth", box.poses.size(), [&](double* answers) { hull_depth(box, answers); });
    adapter.add("capsule distance", capsule.poses.size(), [&](double* answers) { distance(capsule, answers); });
    adapter.add("capsule contact", capsule.poses.size(), [&](double* answers) { capsule_depth(capsule, answers); });
    return adapter.serve();
}
