// Embree: `rtcIntersect1` on a scene of medium quality, the default, with default flags (`embree`) or with
// RTC_SCENE_FLAG_ROBUST (`embree-robust`); `rtcIntersect1M`, many rays in one call (`embree-many`).
#include "scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <embree3/rtcore.h>
#include <immintrin.h>
#include <limits>
#include <memory>

namespace {

// The device counts the memory that it holds.
class Device {
  public:
    explicit Device(uint32_t threads)
        : handle(rtcNewDevice(("threads=" + std::to_string(threads) + ",set_affinity=0").c_str())) {
        rtcSetDeviceMemoryMonitorFunction(
            handle,
            [](void* self, ssize_t change, bool) {
                static_cast<Device*>(self)->bytes += change;
                return true;
            },
            this);
    }
    ~Device() { rtcReleaseDevice(handle); }
    Device(const Device&) = delete;

    RTCDevice handle;
    ssize_t bytes = 0; // one thread at a time reports more than a few blocks, and only the sum is shown
};

// Vertices and indices as Embree reads them: shared with it, so that no time is spent on copies.
struct Buffers {
    explicit Buffers(const versus::Mesh& mesh) : triangles(mesh.triangles) {
        for (const auto& v : mesh.vertices) vertices.push_back({float(v[0]), float(v[1]), float(v[2])});
        vertices.push_back({0, 0, 0}); // Embree may read 16 bytes at the last vertex
    }
    std::vector<std::array<float, 3>> vertices;
    std::vector<std::array<uint32_t, 3>> triangles;
};

RTCScene build(const Device& device, const Buffers& buffers, RTCSceneFlags flags) {
    RTCGeometry geometry = rtcNewGeometry(device.handle, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, buffers.vertices.data(), 0,
                               12, buffers.vertices.size() - 1);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, buffers.triangles.data(), 0, 12,
                               buffers.triangles.size());
    rtcCommitGeometry(geometry);
    RTCScene scene = rtcNewScene(device.handle);
    rtcSetSceneFlags(scene, flags);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    return scene;
}

RTCRayHit question(const versus::Ray& ray) {
    RTCRayHit query{};
    query.ray.org_x = float(ray.origin[0]);
    query.ray.org_y = float(ray.origin[1]);
    query.ray.org_z = float(ray.origin[2]);
    query.ray.dir_x = float(ray.direction[0]);
    query.ray.dir_y = float(ray.direction[1]);
    query.ray.dir_z = float(ray.direction[2]);
    query.ray.tfar = std::numeric_limits<float>::infinity();
    query.ray.mask = unsigned(-1);
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    return query;
}

double answer(const RTCRayHit& query) {
    return query.hit.geomID == RTC_INVALID_GEOMETRY_ID ? std::numeric_limits<double>::infinity()
                                                       : double(query.ray.tfar);
}

void cast(RTCScene scene, const std::vector<versus::Ray>& rays, double* answers) {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (size_t i = 0; i < rays.size(); ++i) {
        RTCRayHit query = question(rays[i]);
        rtcIntersect1(scene, &context, &query);
        answers[i] = answer(query);
    }
}

// So many in one call stay in the nearest cache.
constexpr size_t many = 64;

void cast_many(RTCScene scene, const std::vector<versus::Ray>& rays, double* answers) {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    std::array<RTCRayHit, many> queries;
    for (size_t i = 0; i < rays.size(); i += many) {
        const size_t count = std::min(many, rays.size() - i);
        for (size_t j = 0; j < count; ++j) queries[j] = question(rays[i + j]);
        rtcIntersect1M(scene, &context, queries.data(), unsigned(count), sizeof(RTCRayHit));
        for (size_t j = 0; j < count; ++j) answers[i + j] = answer(queries[j]);
    }
}

} // namespace

int main(int argc, char** argv) {
    // As Embree's manual recommends.
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
    _mm_setcsr(_mm_getcsr() | 0x0040); // denormals are zero
    const versus::Scene scene = versus::read_scene(argc, argv);
    const bool robust = std::string(argv[1]) == "embree-robust";
    const auto casts = std::string(argv[1]) == "embree-many" ? cast_many : cast;
    const RTCSceneFlags flags = robust ? RTC_SCENE_FLAG_ROBUST : RTC_SCENE_FLAG_NONE;
    versus::Adapter adapter(argv[1], RTC_VERSION_STRING, "f32");
    for (const auto& entry : scene.cases) {
        const versus::Mesh& mesh = scene.meshes[entry.a];
        if (entry.question == versus::Question::ray) {
            const auto device = std::make_shared<Device>(1);
            const auto buffers = std::make_shared<Buffers>(mesh);
            RTCScene tree = build(*device, *buffers, flags);
            adapter.add(entry.name, entry.rays.size(),
                        [device, buffers, tree, casts, &entry](double* answers) { casts(tree, entry.rays, answers); });
        } else if (entry.question == versus::Question::ray_tree && casts == cast) {
            const auto buffers = std::make_shared<Buffers>(mesh);
            // The device starts its threads in the first round, where the processors of that case are allowed.
            auto device = std::make_shared<std::unique_ptr<Device>>();
            const auto loop = [device, buffers, flags, &entry](double* answers) {
                if (!*device) *device = std::make_unique<Device>(entry.threads);
                const ssize_t before = (*device)->bytes;
                RTCScene tree = build(**device, *buffers, flags);
                answers[0] = double((*device)->bytes - before);
                rtcReleaseScene(tree);
            };
            adapter.add(entry.name, 1, loop, entry.clock());
        }
    }
    return adapter.serve();
}
