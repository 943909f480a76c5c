import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** The licence of three.js, which wants to be in every copy. */
const licence: Plugin = {
  name: "licence",
  generateBundle(_, bundle) {
    const text = readFileSync(new URL("node_modules/three/LICENSE", import.meta.url), "utf8");
    for (const made of Object.values(bundle)) {
      if (made.type === "chunk") made.code = `/* Holds three.js:\n\n${text}*/\n${made.code}`;
    }
  },
};

// One classic script and one style sheet, which `impinge` puts into each report.
export default defineConfig({
  plugins: [licence],
  build: {
    lib: {
      entry: "src/main.ts",
      name: "impingeViewer",
      formats: ["iife"],
      fileName: () => "report.js",
      cssFileName: "report",
    },
    target: "es2022",
    minify: true,
    reportCompressedSize: false,
  },
});
