// coal: DynamicAABBTreeCollisionManager with a callback that asks `coal::collide` for one contact of two BVHModel<OBB>.
#include "bodies.hpp"

#include <coal/BVH/BVH_model.h>
#include <coal/broadphase/broadphase_callbacks.h>
#include <coal/broadphase/broadphase_dynamic_AABB_tree.h>
#include <coal/collision.h>
#include <coal/config.hh>

namespace {

struct Coal {
    using Object = coal::CollisionObject;
    using Pose = coal::Transform3s;
    using Poses = std::vector<Pose>;
    using Manager = coal::DynamicAABBTreeCollisionManager;
    using Model = coal::BVHModel<coal::OBB>;

    static Pose pose(const versus::Pose& pose) {
        const auto m = pose.matrix();
        coal::Matrix3s rotation;
        rotation << m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8];
        return Pose(rotation, coal::Vec3s(pose.translation[0], pose.translation[1], pose.translation[2]));
    }

    static std::shared_ptr<Model> model(const versus::Mesh& mesh) {
        std::vector<coal::Vec3s> points;
        for (const auto& v : mesh.vertices) points.emplace_back(v[0], v[1], v[2]);
        std::vector<coal::Triangle> triangles;
        for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
        auto model = std::make_shared<Model>();
        model->beginModel(unsigned(triangles.size()), unsigned(points.size()));
        model->addSubModel(points, triangles);
        model->endModel();
        model->computeLocalAABB();
        return model;
    }

    static std::unique_ptr<Object> object(const std::shared_ptr<Model>& model, const Pose& pose) {
        return std::make_unique<Object>(model, pose);
    }

    static void move(Object& object, const Pose& pose) {
        object.setTransform(pose);
        object.computeAABB();
    }

    template <class Found> struct CallBack final : coal::CollisionCallBackBase {
        explicit CallBack(Found& found) : found(found), request(coal::NO_REQUEST, 1) {}
        bool collide(Object* a, Object* b) override {
            result.clear();
            if (coal::collide(a, b, request, result) > 0) found(a, b);
            return false;
        }
        Found& found;
        coal::CollisionRequest request;
        coal::CollisionResult result;
    };

    template <class Found> static void collide(Manager& manager, Found found) {
        CallBack<Found> callback(found);
        manager.collide(&callback);
    }
};

} // namespace

int main(int argc, char** argv) {
    const versus::BodyRecording recording = versus::read_bodies(argc, argv);
    return versus::serve_bodies<Coal>(argv[1], COAL_VERSION, recording);
}
