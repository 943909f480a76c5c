// Embree: a scene of user geometry, committed anew for each frame with low build quality, and rtcCollide with itself.
#include "boxes.hpp"

#include <embree3/rtcore.h>
#include <immintrin.h>

namespace {

struct Embree {
    using Box = versus::BoxData;
    struct World {
        explicit World(const std::vector<Box>&) : device(rtcNewDevice("threads=1,set_affinity=0")) {}
        ~World() { rtcReleaseDevice(device); }
        void place(const std::vector<Box>& first) { boxes = first; }
        RTCDevice device;
        std::vector<Box> boxes;
    };

    static Box convert(const versus::BoxData& box) { return box; }

    Embree(World& world, const std::vector<Box>&) : world(world) {
        geometry = rtcNewGeometry(world.device, RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryUserPrimitiveCount(geometry, unsigned(world.boxes.size()));
        rtcSetGeometryUserData(geometry, world.boxes.data());
        rtcSetGeometryBoundsFunction(geometry, bounds, nullptr);
        rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_LOW);
        scene = rtcNewScene(world.device);
        rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_LOW);
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
        rtcAttachGeometry(scene, geometry);
        find();
    }
    ~Embree() {
        rtcReleaseGeometry(geometry);
        rtcReleaseScene(scene);
    }
    Embree(const Embree&) = delete;

    void step(const std::vector<std::pair<uint32_t, Box>>& moved) {
        for (const auto& entry : moved) world.boxes[entry.first] = entry.second;
        find();
    }

    const versus::PairList& pairs() const { return list; }

  private:
    static void bounds(const RTCBoundsFunctionArguments* arguments) {
        const Box& box = static_cast<const Box*>(arguments->geometryUserPtr)[arguments->primID];
        RTCBounds& out = *arguments->bounds_o;
        out.lower_x = box.low[0], out.lower_y = box.low[1], out.lower_z = box.low[2];
        out.upper_x = box.high[0], out.upper_y = box.high[1], out.upper_z = box.high[2];
    }

    void find() {
        rtcCommitGeometry(geometry);
        rtcCommitScene(scene);
        list.clear();
        rtcCollide(
            scene, scene,
            [](void* self, RTCCollision* found, unsigned count) {
                Embree& embree = *static_cast<Embree*>(self);
                for (unsigned i = 0; i < count; ++i) {
                    const unsigned a = found[i].primID0, b = found[i].primID1;
                    // Pairs come in both orders, and of boxes in leaves that meet.
                    if (a < b && meets(embree.world.boxes[a], embree.world.boxes[b])) embree.list.emplace_back(a, b);
                }
            },
            this);
    }

    static bool meets(const Box& a, const Box& b) {
        for (int axis = 0; axis < 3; ++axis)
            if (a.low[axis] > b.high[axis] || b.low[axis] > a.high[axis]) return false;
        return true;
    }

    World& world;
    RTCGeometry geometry;
    RTCScene scene;
    versus::PairList list;
};

} // namespace

int main(int argc, char** argv) {
    // As Embree's manual recommends.
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
    _mm_setcsr(_mm_getcsr() | 0x0040); // denormals are zero
    const versus::Recording recording = versus::read_recording(argc, argv);
    return versus::serve<Embree>(argv[1], RTC_VERSION_STRING, recording);
}
