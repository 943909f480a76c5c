// Bullet: btSubsimplexConvexCast (that of its convexSweepTest) on hulls, btContinuousConvexCollision on hulls and boxes that
// turn. Margins are 0.
#include "motion.hpp"

#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btSubSimplexConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>
#include <deque>
#include <memory>

namespace {

btVector3 vec3(const double* n) { return btVector3(btScalar(n[0]), btScalar(n[1]), btScalar(n[2])); }

btQuaternion quat(const double* n) { return btQuaternion(btScalar(n[1]), btScalar(n[2]), btScalar(n[3]), btScalar(n[0])); }

struct Cast {
    const btConvexShape *a, *b;
    btTransform from, to;
};

template <class Ask> double fraction(const Cast& cast, Ask ask) {
    const btTransform rest = btTransform::getIdentity();
    btConvexCast::CastResult result;
    result.m_fraction = 1;
    return ask.calcTimeOfImpact(rest, rest, cast.from, cast.to, result) ? double(result.m_fraction) : -1.0;
}

void run(const std::vector<Cast>& casts, bool turns, double* answers) {
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    for (size_t i = 0; i < casts.size(); ++i) {
        const Cast& cast = casts[i];
        answers[i] = turns ? fraction(cast, btContinuousConvexCollision(cast.a, cast.b, &simplex, &depth))
                           : fraction(cast, btSubsimplexConvexCast(cast.a, cast.b, &simplex));
    }
}

std::unique_ptr<btConvexShape> make(const versus::Hull& hull, bool is_box) {
    if (is_box) {
        auto box = std::make_unique<btBoxShape>(vec3(hull.vertices[7].data()));
        box->setMargin(0);
        return box;
    }
    auto shape = std::make_unique<btConvexHullShape>();
    for (const auto& v : hull.vertices) shape->addPoint(vec3(v.data()), false);
    shape->recalcLocalAabb();
    shape->setMargin(0);
    return shape;
}

} // namespace

int main(int argc, char** argv) {
    versus::Adapter adapter("bullet", std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100), "f32");
    std::deque<std::vector<std::unique_ptr<btConvexShape>>> shapes;
    std::deque<std::vector<Cast>> all;
    for (int file = 2; file < argc; ++file) {
        const versus::Motions motions = versus::read_motions(argv[file]);
        const bool turns = motions.name == "hull rotating" || motions.name == "box rotating";
        if (!turns && motions.name != "hull linear") continue;
        auto& own = shapes.emplace_back();
        for (const auto& hull : motions.hulls) own.push_back(make(hull, motions.name == "box rotating"));
        auto& casts = all.emplace_back();
        for (size_t i = 0; i < motions.pairs.size(); ++i) {
            const auto& n = motions.numbers[i];
            const btTransform from(quat(n.data()), vec3(&n[4]));
            btTransform to(from.getBasis(), from.getOrigin() + vec3(&n[7]));
            if (turns) to.setRotation(quat(versus::turned(n).data()));
            casts.push_back({own[motions.pairs[i][0]].get(), own[motions.pairs[i][1]].get(), from, to});
        }
        adapter.add(motions.name, casts.size(), [&casts, turns](double* answers) { run(casts, turns, answers); });
    }
    return adapter.serve();
}
