// coal: `coal::collide` and `coal::distance` on Convex<Triangle>, Box and Capsule, at default settings.
#include "adapter.hpp"

#include <coal/collision.h>
#include <coal/config.hh>
#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>
#include <memory>

namespace {

using Geometry = std::shared_ptr<coal::CollisionGeometry>;

struct Scene {
    std::vector<Geometry> shapes;
    std::vector<coal::Transform3s> poses;
    const std::vector<versus::Pair>* pairs = nullptr;
};

Geometry make_hull(const versus::Shape& shape) {
    auto points = std::make_shared<std::vector<coal::Vec3s>>();
    for (const auto& v : shape.vertices) points->emplace_back(v[0], v[1], v[2]);
    auto triangles = std::make_shared<std::vector<coal::Triangle>>();
    for (const auto& t : shape.triangles) triangles->emplace_back(t[0], t[1], t[2]);
    return std::make_shared<coal::Convex<coal::Triangle>>(points, unsigned(points->size()), triangles,
                                                          unsigned(triangles->size()));
}

Geometry make_shape(versus::Kind kind, const versus::Shape& shape) {
    switch (kind) {
    case versus::Kind::hull: return make_hull(shape);
    case versus::Kind::box:
        return std::make_shared<coal::Box>(2 * shape.half[0], 2 * shape.half[1], 2 * shape.half[2]);
    default: return std::make_shared<coal::Capsule>(shape.radius, 2 * shape.half_height);
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
        coal::Matrix3s rotation;
        rotation << m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8];
        scene.poses.emplace_back(rotation,
                                 coal::Vec3s(pair.translation[0], pair.translation[1], pair.translation[2]));
    }
    return scene;
}

void overlap(const Scene& scene, double* answers) {
    const coal::Transform3s identity;
    const coal::CollisionRequest request(coal::NO_REQUEST, 1);
    coal::CollisionResult result;
    for (size_t i = 0; i < scene.poses.size(); ++i) {
        const auto& pair = (*scene.pairs)[i];
        result.clear();
        answers[i] = double(coal::collide(scene.shapes[pair.a].get(), identity, scene.shapes[pair.b].get(),
                                          scene.poses[i], request, result) > 0);
    }
}

void distance(const Scene& scene, double* answers) {
    const coal::Transform3s identity;
    const coal::DistanceRequest request(true, false);
    coal::DistanceResult result;
    for (size_t i = 0; i < scene.poses.size(); ++i) {
        const auto& pair = (*scene.pairs)[i];
        result.clear();
        const double value = coal::distance(scene.shapes[pair.a].get(), identity, scene.shapes[pair.b].get(),
                                            scene.poses[i], request, result);
        answers[i] = value > 0 ? value : 0;
    }
}

void depth(const Scene& scene, double* answers) {
    const coal::Transform3s identity;
    const coal::CollisionRequest request(coal::CONTACT, 1);
    coal::CollisionResult result;
    for (size_t i = 0; i < scene.poses.size(); ++i) {
        const auto& pair = (*scene.pairs)[i];
        result.clear();
        const bool hit = coal::collide(scene.shapes[pair.a].get(), identity, scene.shapes[pair.b].get(),
                                       scene.poses[i], request, result) > 0;
        // coal writes the depth as a negative distance.
        answers[i] = hit ? -result.getContact(0).penetration_depth : 0;
    }
}

} // namespace

int main(int argc, char** argv) {
    const versus::Inputs inputs = versus::read_inputs(argc, argv);
    const Scene hull = make_scene(inputs.hull), box = make_scene(inputs.box), capsule = make_scene(inputs.capsule);
    versus::Adapter adapter("coal", COAL_VERSION, "f64");
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
