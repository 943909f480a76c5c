// FCL: continuousCollide with CCDC_CONSERVATIVE_ADVANCEMENT on BVHModel<OBBRSS>, motions interpolated as InterpMotion does
// (CCDM_LINEAR), other settings as they are by default. It is slow: the first few queries only.
#include "motion.hpp"

#include <deque>
#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/motion/interp_motion.h>
#include <fcl/narrowphase/continuous_collision.h>
#include <memory>

namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;
using Poses = std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>>;

constexpr size_t few = 20;

std::shared_ptr<Model> build(const versus::Hull& mesh) {
    std::vector<fcl::Vector3d> points;
    for (const auto& v : mesh.vertices) points.emplace_back(v[0], v[1], v[2]);
    std::vector<fcl::Triangle> triangles;
    for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    auto model = std::make_shared<Model>();
    model->beginModel(int(triangles.size()), int(points.size()));
    model->addSubModel(points, triangles);
    model->endModel();
    model->computeLocalAABB();
    return model;
}

fcl::Transform3d pose(const std::array<double, 4>& q, double x, double y, double z) {
    fcl::Transform3d result = fcl::Transform3d::Identity();
    result.linear() = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
    result.translation() << x, y, z;
    return result;
}

} // namespace

int main(int argc, char** argv) {
    versus::Adapter adapter("fcl", FCL_VERSION, "f64");
    std::deque<std::shared_ptr<Model>> models;
    std::deque<Poses> starts, ends;
    for (int file = 2; file < argc; ++file) {
        const versus::Motions motions = versus::read_motions(argv[file]);
        if (motions.name.rfind("mesh ", 0) != 0) continue;
        auto& model = models.emplace_back(build(motions.hulls[0]));
        auto &from = starts.emplace_back(), &to = ends.emplace_back();
        for (size_t i = 0; i < std::min(few, motions.numbers.size()); ++i) {
            const auto& n = motions.numbers[i];
            const std::array<double, 4> q = {n[0], n[1], n[2], n[3]};
            from.push_back(pose(q, n[4], n[5], n[6]));
            to.push_back(pose(n.size() > 10 ? versus::turned(n) : q, n[4] + n[7], n[5] + n[8], n[6] + n[9]));
        }
        adapter.add(motions.name, from.size(), [&model, &from, &to](double* answers) {
            const fcl::Transform3d rest = fcl::Transform3d::Identity();
            fcl::ContinuousCollisionRequestd request;
            request.ccd_motion_type = fcl::CCDM_LINEAR;
            request.ccd_solver_type = fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
            for (size_t i = 0; i < from.size(); ++i) {
                fcl::ContinuousCollisionResultd result;
                fcl::continuousCollide(model.get(), rest, rest, model.get(), from[i], to[i], request, result);
                answers[i] = result.is_collide ? result.time_of_contact : -1.0;
            }
        });
    }
    return adapter.serve();
}
