// Jolt: BroadPhaseQuadTree with a BodyManager. Bodies that moved are given to the broad phase, its trees are updated as in a step of
// the physics system, and FindCollidingPairs is asked about the bodies that moved.
#include <Jolt/Jolt.h>

#include "boxes.hpp"

#include <Jolt/Core/Factory.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Body/BodyManager.h>
#include <Jolt/Physics/Body/BodyPair.h>
#include <Jolt/Physics/Collision/BroadPhase/BroadPhaseQuadTree.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/RegisterTypes.h>

namespace {

// One layer for all.
struct Layers final : JPH::BroadPhaseLayerInterface {
    JPH::uint GetNumBroadPhaseLayers() const override { return 1; }
    JPH::BroadPhaseLayer GetBroadPhaseLayer(JPH::ObjectLayer) const override { return JPH::BroadPhaseLayer(0); }
#if defined(JPH_EXTERNAL_PROFILE) || defined(JPH_PROFILE_ENABLED)
    const char* GetBroadPhaseLayerName(JPH::BroadPhaseLayer) const override { return "all"; }
#endif
};

struct Jolt {
    struct Box {
        JPH::Vec3 centre, half;
    };
    struct World {
        explicit World(const std::vector<Box>& boxes) {
            manager.Init(JPH::uint(boxes.size()), 0, layers);
            for (const Box& box : boxes) {
                JPH::BodyCreationSettings settings(new JPH::BoxShape(box.half, 0.0f), box.centre, JPH::Quat::sIdentity(),
                                                   JPH::EMotionType::Dynamic, 0);
                settings.mOverrideMassProperties = JPH::EOverrideMassProperties::MassAndInertiaProvided;
                settings.mMassPropertiesOverride.mMass = 1;
                settings.mMassPropertiesOverride.mInertia = JPH::Mat44::sIdentity();
                JPH::Body* body = manager.AllocateBody(settings);
                manager.AddBody(body);
                bodies.push_back(body);
            }
        }
        void place(const std::vector<Box>& boxes) {
            for (size_t i = 0; i < boxes.size(); ++i)
                bodies[i]->SetPositionAndRotationInternal(boxes[i].centre, JPH::Quat::sIdentity());
        }
        Layers layers;
        JPH::BodyManager manager;
        std::vector<JPH::Body*> bodies; // their index is that of the box, since none was removed before
    };

    static Box convert(const versus::BoxData& box) {
        return {JPH::Vec3(box.centre(0), box.centre(1), box.centre(2)), JPH::Vec3(box.half(0), box.half(1), box.half(2))};
    }

    Jolt(World& world, const std::vector<Box>& boxes) : world(world), kept(boxes.size()) {
        broad.Init(&world.manager, world.layers);
        for (const JPH::Body* body : world.bodies) ids.push_back(body->GetID());
        const int count = int(ids.size());
        const auto state = broad.AddBodiesPrepare(ids.data(), count);
        broad.AddBodiesFinalize(ids.data(), count, state);
        world.manager.ActivateBodies(ids.data(), count);
        active = ids;
        find();
    }
    ~Jolt() {
        ids.clear();
        for (const JPH::Body* body : world.bodies) ids.push_back(body->GetID());
        world.manager.DeactivateBodies(active.data(), int(active.size()));
        broad.RemoveBodies(ids.data(), int(ids.size()));
    }
    Jolt(const Jolt&) = delete;

    void step(const std::vector<std::pair<uint32_t, Box>>& moved) {
        ids.clear();
        for (const auto& entry : moved) {
            JPH::Body* body = world.bodies[entry.first];
            body->SetPositionAndRotationInternal(entry.second.centre, JPH::Quat::sIdentity());
            ids.push_back(body->GetID());
        }
        // A pair of an active body and one at rest is found from the active one, so bodies at rest must not be active.
        if (ids != active) {
            world.manager.DeactivateBodies(active.data(), int(active.size()));
            world.manager.ActivateBodies(ids.data(), int(ids.size()));
            active = ids;
        }
        broad.NotifyBodiesAABBChanged(ids.data(), int(ids.size()), true);
        broad.FrameSync();
        broad.LockModifications();
        const auto state = broad.UpdatePrepare();
        broad.UpdateFinalize(state);
        broad.UnlockModifications();
        kept.forget(moved);
        find();
        kept.settle(moved);
    }

    const versus::PairList& pairs() const { return kept.list; }

  private:
    struct Collector final : JPH::BodyPairCollector {
        explicit Collector(Jolt& self) : self(self) {}
        void AddHit(const JPH::BodyPair& pair) override {
            const uint32_t a = pair.mBodyA.GetIndex(), b = pair.mBodyB.GetIndex();
            self.kept.list.emplace_back(a, b);
        }
        Jolt& self;
    };

    void find() {
        Collector collector(*this);
        broad.FindCollidingPairs(ids.data(), int(ids.size()), 0.0f, JPH::ObjectVsBroadPhaseLayerFilter(),
                                 JPH::ObjectLayerPairFilter(), collector);
    }

    World& world;
    versus::KeptPairs kept;
    JPH::BroadPhaseQuadTree broad;
    std::vector<JPH::BodyID> ids, active;
};

} // namespace

int main(int argc, char** argv) {
    JPH::RegisterDefaultAllocator();
    JPH::Factory::sInstance = new JPH::Factory();
    JPH::RegisterTypes();
    const versus::Recording recording = versus::read_recording(argc, argv);
    return versus::serve<Jolt>(argv[1],
                               std::to_string(JPH_VERSION_MAJOR) + "." + std::to_string(JPH_VERSION_MINOR) + "." +
                                   std::to_string(JPH_VERSION_PATCH),
                               recording);
}
