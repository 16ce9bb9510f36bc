/**
 * The builds behind `npm run build`, both of the bridge, both with bytecode for a quick start:
 * `dist/tugtalk.js` (and its `.jsc`) for who has Bun, `dist/tugtalk` for who has not.
 */

const shared = { entrypoints: ["tugtalk/cli.ts"], minify: true, bytecode: true } as const;

// Bytecode beside a bundle is for CommonJS only; inside a binary a module may have it.
await Bun.build({
  ...shared,
  target: "bun",
  format: "cjs",
  outdir: "dist",
  naming: "tugtalk.js",
});
await Bun.build({ ...shared, format: "esm", compile: { outfile: "dist/tugtalk" } });
