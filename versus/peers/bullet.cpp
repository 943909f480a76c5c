// Bullet: btGjkPairDetector (distance without, depth with btGjkEpaPenetrationDepthSolver) on btConvexHullShape,
// btBoxShape and btCapsuleShapeZ; btBoxBoxDetector for the depth of boxes. Bullet has no plain yes/no query.
#include "adapter.hpp"

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>
#include <algorithm>
#include <memory>

namespace {

struct Scene {
    std::vector<std::unique_ptr<btConvexShape>> shapes;
    std::vector<btTransform> poses;
    const std::vector<versus::Pair>* pairs = nullptr;
};

std::unique_ptr<btConvexShape> make_shape(versus::Kind kind, const versus::Shape& shape) {
    if (kind == versus::Kind::hull) {
        auto hull = std::make_unique<btConvexHullShape>();
        for (const auto& v : shape.vertices)
            hull->addPoint(btVector3(btScalar(v[0]), btScalar(v[1]), btScalar(v[2])), false);
        hull->recalcLocalAabb();
        hull->setMargin(0); // the default margin would enlarge the hull
        return hull;
    }
    if (kind == versus::Kind::box) {
        auto box = std::make_unique<btBoxShape>(
            btVector3(btScalar(shape.half[0]), btScalar(shape.half[1]), btScalar(shape.half[2])));
        box->setMargin(0); // the default margin would round its edges
        return box;
    }
    return std::make_unique<btCapsuleShapeZ>(btScalar(shape.radius), btScalar(2 * shape.half_height));
}

Scene make_scene(const versus::Input& input) {
    Scene scene;
    scene.pairs = &input.pairs;
    for (const auto& shape : input.shapes) scene.shapes.push_back(make_shape(input.kind, shape));
    for (const auto& pair : input.pairs) {
        const auto& q = pair.rotation;
        const auto& t = pair.translation;
        scene.poses.emplace_back(btQuaternion(btScalar(q[1]), btScalar(q[2]), btScalar(q[3]), btScalar(q[0])),
                                 btVector3(btScalar(t[0]), btScalar(t[1]), btScalar(t[2])));
    }
    return scene;
}

// Signed distance as Bullet's pair detector reports it; BT_LARGE_FLOAT where it reports nothing.
void detect(const Scene& scene, btConvexPenetrationDepthSolver* solver, double* answers) {
    btVoronoiSimplexSolver simplex;
    for (size_t i = 0; i < scene.poses.size(); ++i) {
        const auto& pair = (*scene.pairs)[i];
        btGjkPairDetector detector(scene.shapes[pair.a].get(), scene.shapes[pair.b].get(), &simplex, solver);
        btDiscreteCollisionDetectorInterface::ClosestPointInput input;
        input.m_transformA.setIdentity();
        input.m_transformB = scene.poses[i];
        btPointCollector result;
        detector.getClosestPoints(input, result, nullptr);
        answers[i] = result.m_hasResult ? double(result.m_distance) : double(BT_LARGE_FLOAT);
    }
}

void distance(const Scene& scene, double* answers) {
    detect(scene, nullptr, answers);
    // Without a depth solver a pair that overlaps has no result.
    for (size_t i = 0; i < scene.poses.size(); ++i)
        answers[i] = answers[i] == double(BT_LARGE_FLOAT) ? 0 : std::max(answers[i], 0.0);
}

void depth(const Scene& scene, double* answers) {
    btGjkEpaPenetrationDepthSolver solver;
    detect(scene, &solver, answers);
    for (size_t i = 0; i < scene.poses.size(); ++i) answers[i] = std::max(-answers[i], 0.0);
}

// Keeps the deepest of the contact points of btBoxBoxDetector.
struct Deepest : btDiscreteCollisionDetectorInterface::Result {
    btScalar depth = 0;
    void setShapeIdentifiersA(int, int) override {}
    void setShapeIdentifiersB(int, int) override {}
    void addContactPoint(const btVector3&, const btVector3&, btScalar distance) override {
        depth = std::max(depth, -distance);
    }
};

void box_depth(const Scene& scene, double* answers) {
    for (size_t i = 0; i < scene.poses.size(); ++i) {
        const auto& pair = (*scene.pairs)[i];
        btBoxBoxDetector detector(static_cast<const btBoxShape*>(scene.shapes[pair.a].get()),
                                  static_cast<const btBoxShape*>(scene.shapes[pair.b].get()));
        btDiscreteCollisionDetectorInterface::ClosestPointInput input;
        input.m_transformA.setIdentity();
        input.m_transformB = scene.poses[i];
        Deepest result;
        detector.getClosestPoints(input, result, nullptr);
        answers[i] = double(result.depth);
    }
}

} // namespace

int main(int argc, char** argv) {
    const versus::Inputs inputs = versus::read_inputs(argc, argv);
    const Scene hull = make_scene(inputs.hull), box = make_scene(inputs.box), capsule = make_scene(inputs.capsule);
    versus::Adapter adapter("bullet", std::to_string(btGetVersion()), sizeof(btScalar) == 8 ? "f64" : "f32");
    adapter.add("hull distance", hull.poses.size(), [&](double* answers) { distance(hull, answers); });
    adapter.add("hull depth", hull.poses.size(), [&](double* answers) { depth(hull, answers); });
    adapter.add("box distance", box.poses.size(), [&](double* answers) { distance(box, answers); });
    adapter.add("box depth", box.poses.size(), [&](double* answers) { box_depth(box, answers); });
    adapter.add("capsule distance", capsule.poses.size(), [&](double* answers) { distance(capsule, answers); });
    adapter.add("capsule contact", capsule.poses.size(), [&](double* answers) { depth(capsule, answers); });
    return adapter.serve();
}
