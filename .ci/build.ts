/**
 * The builds behind `npm run build`, both with bytecode for a quick start: `dist/tugtalk.js` (and its
 * `.jsc`) runs with Bun, the binary `dist/tugtalk` runs without it.
 */

const shared = { entrypoints: ["tugtalk/cli.ts"], minify: true, bytecode: true } as const;

// Bun writes bytecode beside a bundle only for CommonJS; a binary may also hold that of a module.
await Bun.build({
  ...shared,
  target: "bun",
  format: "cjs",
  outdir: "dist",
  naming: "tugtalk.js",
});
await Bun.build({ ...shared, format: "esm", compile: { outfile: "dist/tugtalk" } });
