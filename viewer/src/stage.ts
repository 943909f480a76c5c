// The model in 3D: the whole of it, the parts of the selected finding, its marks, volumes of hierarchies.
//
// A frame has three passes. First what was chosen, with its volumes. Then, if the rest is ghosted, its depth alone and after that its colour: of many
// surfaces behind each other only the front one is seen, however deep the model is. Marks come last, over everything.

import {
  AmbientLight, BatchedMesh, BufferGeometry, Color, DirectionalLight, EdgesGeometry, FrontSide, DoubleSide, Group, HemisphereLight,
  LineBasicMaterial, LineSegments, Material, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, PerspectiveCamera,
  Raycaster, Scene, Sphere, Vector2, Vector3, WebGLRenderer,
} from "three";
import { Camera } from "./camera";
import { COLOURS, marksOf, releaseMarks } from "./marks";
import type { Motion } from "./motion";
import type { Finding, Point } from "./report";
import type { SceneData } from "./scene";
import { shaded } from "./shading";
import { drawLevel, release } from "./volumes";

export type Context = "ghost" | "hide" | "show";

/** Parts with more triangles are drawn without edges: these would take long to find. */
const MOST_EDGES = 120_000;

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly view: Camera;
  context: Context = "ghost";
  seeThrough = false;
  /** True if the point of the finding is behind one of its own parts: that one is then looked through. */
  buried = false;
  chosen: number[] = [];
  /** How many frames were drawn. */
  frames = 0;
  onFrame: () => void = () => {};
  /** Told when parts moved that have volumes drawn. */
  onMove: () => void = () => {};
  private readonly rest = new Scene();
  private readonly front = new Scene();
  private readonly over = new Scene();
  private readonly batch: BatchedMesh;
  private readonly geometries: BufferGeometry[];
  private readonly pair = new Group();
  private readonly volumes = new Group();
  private marks = { seen: new Group(), over: new Group() };
  private readonly materials: { solid: Material; depth: Material; ghost: Material };
  private readonly headlights: DirectionalLight[] = [];
  private readonly spheres: Sphere[];
  /** The same where the page was made. */
  private readonly rests: Sphere[];
  /** Where parts are now. */
  private readonly places: Matrix4[];
  private asked = false;
  private margin = 0;
  private dark = false;

  constructor(
    readonly canvas: HTMLCanvasElement, readonly data: SceneData, private readonly hues: Color[], private readonly motion: Motion | null,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.autoClear = false;
    this.materials = contextMaterials();
    this.geometries = data.meshes.map(shaded);
    this.batch = this.makeBatch();
    this.rest.add(this.batch);
    this.front.add(this.pair, this.volumes);
    for (const scene of [this.rest, this.front]) this.addLights(scene);
    this.spheres = data.parts.map(({ mesh, matrix }) => {
      const geometry = this.geometries[mesh];
      if (!geometry.boundingSphere) geometry.computeBoundingSphere();
      return (geometry.boundingSphere ?? new Sphere()).clone().applyMatrix4(matrix);
    });
    this.rests = this.spheres.map((sphere) => sphere.clone());
    this.places = data.parts.map(({ matrix }) => matrix.clone());
    this.view = new Camera(canvas, data.up, () => this.draw());
    this.view.whole(this.around(data.parts.map((_, k) => k)));
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  private makeBatch(): BatchedMesh {
    const { parts } = this.data;
    const sum = (count: (geometry: BufferGeometry) => number) =>
      this.geometries.reduce((total, geometry) => total + count(geometry), 0);
    const vertices = sum((geometry) => geometry.getAttribute("position").count);
    const indices = sum((geometry) => geometry.getIndex()?.count ?? 0);
    const batch = new BatchedMesh(parts.length, vertices, indices, this.materials.solid);
    const ids = this.geometries.map((geometry) => batch.addGeometry(geometry));
    parts.forEach(({ mesh, matrix }, k) => {
      const instance = batch.addInstance(ids[mesh]);
      batch.setMatrixAt(instance, matrix);
      batch.setColorAt(instance, this.hues[k]);
    });
    batch.frustumCulled = false;
    // Front to back: hidden surfaces cost little then.
    batch.sortObjects = true;
    return batch;
  }

  private addLights(scene: Scene) {
    const sky = new HemisphereLight(0xffffff, 0x8d94a3, 1.5);
    sky.position.set(0, this.data.up === "y" ? 1 : 0, this.data.up === "z" ? 1 : 0);
    const key = new DirectionalLight(0xffffff, 1.9);
    this.headlights.push(key);
    scene.add(sky, new AmbientLight(0xffffff, 0.25), key);
  }

  /** The ball around some parts. */
  around(parts: number[]): Sphere {
    const ball = new Sphere(new Vector3(), -1);
    for (const part of parts) if (this.spheres[part]) ball.union(this.spheres[part]);
    return ball.isEmpty() ? new Sphere(new Vector3(), 1) : ball;
  }

  /** Puts the parts where they are with the axes of the motion at these shares. */
  move(shares: number[]) {
    const { motion } = this;
    if (!motion) return;
    this.data.parts.forEach(({ matrix }, part) => {
      if (!motion.moves(part)) return;
      const moved = motion.at(part, shares);
      this.spheres[part].copy(this.rests[part]).applyMatrix4(moved);
      this.places[part].multiplyMatrices(moved, matrix);
      this.batch.setMatrixAt(part, this.places[part]);
    });
    for (const group of this.pair.children) {
      const part = group.userData.part as number;
      this.places[part].decompose(group.position, group.quaternion, group.scale);
    }
    // Volumes are drawn in the scene.
    if (this.volumes.children.length > 0) this.onMove();
    this.draw();
  }

  /** Where the middle of a part is. */
  middle(part: number): Vector3 {
    return this.spheres[part].center.clone().add(this.data.origin);
  }

  /** Isolates the parts of a finding, or shows everything. */
  choose(finding: Finding | null) {
    for (const part of this.chosen) this.batch.setVisibleAt(part, true);
    this.pair.clear();
    this.buried = false;
    releaseMarks(this.marks.seen);
    releaseMarks(this.marks.over);
    this.chosen = finding ? finding.parts.filter((part) => this.data.parts[part]) : [];
    this.chosen.forEach((part, k) => {
      this.batch.setVisibleAt(part, false);
      this.pair.add(this.part(part, colourOf(k)));
    });
    this.marks = finding ? marksOf(finding, this.data.origin, this.size()) : { seen: new Group(), over: new Group() };
    this.front.add(this.marks.seen);
    this.over.add(this.marks.over);
    this.applySeeThrough(finding);
    this.draw();
  }

  private part(part: number, colour: string): Group {
    const { mesh } = this.data.parts[part];
    const matrix = this.places[part];
    const geometry = this.geometries[mesh];
    const group = new Group();
    // Open meshes are seen from both sides. Edges lie in the surface: it is moved back a little.
    const body = new Mesh(
      geometry,
      new MeshLambertMaterial({ color: colour, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }),
    );
    body.name = "body";
    group.add(body);
    if ((geometry.getIndex()?.count ?? 0) / 3 <= MOST_EDGES) {
      geometry.userData.edges ??= new EdgesGeometry(geometry, 30);
      const twin = part !== this.chosen[0] && this.spheres[part].equals(this.spheres[this.chosen[0]]);
      const material = new LineBasicMaterial({ color: new Color(colour).multiplyScalar(twin ? 1 : 0.35), transparent: true, opacity: twin ? 1 : 0.75 });
      group.add(new LineSegments(geometry.userData.edges as BufferGeometry, material));
    }
    group.applyMatrix4(matrix);
    group.userData.part = part;
    return group;
  }

  /** What holds the other has to be looked through; the rest only if that is wanted. */
  applySeeThrough(finding: Finding | null) {
    const size = (part: number) => this.spheres[part]?.radius ?? 0;
    const [a, b] = this.chosen;
    const outer = finding?.kind === "contained" || this.buried ? (size(a) > size(b) ? a : b) : -1;
    for (const group of this.pair.children) {
      const body = group.getObjectByName("body") as Mesh;
      const material = body.material as MeshLambertMaterial;
      const through = this.seeThrough || group.userData.part === outer;
      material.transparent = through;
      material.opacity = through ? 0.24 : 1;
      material.side = through ? FrontSide : DoubleSide;
      material.depthWrite = !through;
      material.needsUpdate = true;
      body.renderOrder = through ? 2 : 0;
      // Of parts that coincide the first is seen as a body, the others as their edges.
      body.visible = finding?.kind !== "duplicate" || group.userData.part === a;
    }
    this.draw();
  }

  /** Shows one level of the hierarchies of the chosen parts; returns how many volumes there are, and how many levels. */
  showVolumes(name: string | null, level: number): { levels: number; shown: number } {
    for (const group of [...this.volumes.children]) release(group as Group);
    let [levels, shown] = [0, 0];
    this.chosen.forEach((part, k) => {
      const { mesh } = this.data.parts[part];
      const matrix = this.places[part];
      const hierarchy = this.data.hierarchies.get(mesh);
      const volume = hierarchy?.volumes.find((volume) => volume.name === name);
      if (!hierarchy || !volume || volume.levels.length === 0) return;
      levels = Math.max(levels, volume.levels.length);
      // A part whose hierarchy is shallower shows its leaves.
      const own = Math.min(level, volume.levels.length - 1);
      shown += volume.levels[own];
      this.volumes.add(drawLevel(hierarchy, volume, own, this.data.meshes[mesh], matrix, new Color(colourOf(k)).lerp(new Color(this.dark ? 0xffffff : 0x000000), 0.25)));
    });
    this.draw();
    return { levels, shown };
  }

  /** The volume kinds that there are for the chosen parts. */
  volumeNames(): string[] {
    const names = new Set<string>();
    for (const part of this.chosen) {
      const hierarchy = this.data.hierarchies.get(this.data.parts[part].mesh);
      hierarchy?.volumes.forEach((volume) => names.add(volume.name));
    }
    return [...names];
  }

  setDark(dark: boolean) {
    this.dark = dark;
    const ghost = this.materials.ghost as MeshLambertMaterial;
    ghost.color.set(dark ? 0xb9c6d8 : 0x5f6b7c);
    ghost.opacity = dark ? 0.24 : 0.2;
    this.draw();
  }

  /** A point of the scene on the canvas: in pixels from the upper left corner, whether it is in the picture. */
  project(point: Point): { x: number; y: number; inside: boolean } {
    const { width, height } = this.canvas.getBoundingClientRect();
    const p = this.local(point).project(this.view.camera);
    const inside = Math.abs(p.x) <= 1 && Math.abs(p.y) <= 1 && Math.abs(p.z) <= 1;
    return { x: ((p.x + 1) / 2) * width, y: ((1 - p.y) / 2) * height, inside };
  }

  local([x, y, z]: Point): Vector3 {
    return new Vector3(x, y, z).sub(this.data.origin);
  }

  /** How many surfaces of the chosen parts are between an eye and a point. */
  covered(eye: Vector3, point: Vector3): number {
    const way = point.clone().sub(eye);
    const far = way.length() * (1 - 1e-3);
    const caster = new Raycaster(eye, way.normalize(), 0, far);
    this.pair.updateMatrixWorld(true);
    return this.pair.children.reduce((sum, group) => {
      const body = group.getObjectByName("body");
      return sum + (body ? caster.intersectObject(body, false).length : 0);
    }, 0);
  }

  /** The part under a place on the canvas. */
  pick(x: number, y: number): number | null {
    const { width, height } = this.canvas.getBoundingClientRect();
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2((x / width) * 2 - 1, 1 - (y / height) * 2), this.view.camera);
    this.pair.updateMatrixWorld(true);
    for (const hit of caster.intersectObjects(this.pair.children, true)) {
      const part: unknown = hit.object.parent?.userData.part;
      if (hit.object instanceof Mesh && typeof part === "number") return part;
    }
    if (this.context === "hide" && this.chosen.length > 0) return null;
    const hits = caster.intersectObject(this.batch, false);
    const first = hits.find((hit) => hit.batchId !== undefined && this.batch.getVisibleAt(hit.batchId));
    return first?.batchId ?? null;
  }

  /** Leaves room at the left, say for words over the picture: its middle moves to the right. In pixels. */
  setMargin(left: number) {
    this.margin = left;
    this.resize();
  }

  private size(): Vector2 {
    return new Vector2(this.canvas.clientWidth || 1, this.canvas.clientHeight || 1);
  }

  private resize() {
    const size = this.size();
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(size.x, size.y, false);
    this.view.resize(size.x, size.y, size.x - this.margin > 300 ? this.margin : 0);
    for (const marks of [this.marks.seen, this.marks.over]) {
      marks.traverse((object) => {
        const material = (object as Mesh).material as { resolution?: Vector2 } | undefined;
        material?.resolution?.copy(size);
      });
    }
    this.draw();
  }

  /** Draws with the next frame. */
  draw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      const again = this.view.update();
      this.render();
      if (again) this.draw();
    });
  }

  render() {
    const { renderer, batch, materials } = this;
    const camera: PerspectiveCamera = this.view.camera;
    for (const light of this.headlights) {
      // Over the left shoulder of who looks.
      light.position.set(-0.45, 0.6, 1).applyQuaternion(camera.quaternion);
      light.target.position.set(0, 0, 0);
    }
    const alone = this.chosen.length === 0;
    renderer.clear();
    if (alone || this.context === "show") {
      batch.material = materials.solid;
      renderer.render(this.rest, camera);
      renderer.render(this.front, camera);
    } else {
      renderer.render(this.front, camera);
      if (this.context === "ghost") {
        batch.material = materials.depth;
        renderer.render(this.rest, camera);
        batch.material = materials.ghost;
        renderer.render(this.rest, camera);
      }
    }
    renderer.render(this.over, camera);
    this.frames++;
    this.onFrame();
  }
}

export function colourOf(k: number): string {
  return [COLOURS.a, COLOURS.b][k] ?? COLOURS.more;
}

function contextMaterials() {
  const solid = new MeshLambertMaterial({ side: DoubleSide });
  const depth = new MeshBasicMaterial({ colorWrite: false, side: DoubleSide });
  const ghost = new MeshLambertMaterial({ side: DoubleSide, transparent: true, opacity: 0.28, depthWrite: false });
  // Like glass: clear where it is looked through straight, visible at its rims.
  ghost.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      "#include <opaque_fragment>",
      `float facing = abs(dot(normalize(normal), normalize(vViewPosition)));
       diffuseColor.a *= mix(1.7, 0.3, facing);
       #include <opaque_fragment>`,
    );
  };
  return { solid, depth, ghost };
}

