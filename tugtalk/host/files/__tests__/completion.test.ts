import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { completeFiles } from "../completion.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "completion-"));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

const ROOT = join(FOLDER, "project");

function write(path: string): void {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true });
  writeFileSync(join(ROOT, path), "");
}

for (const path of [
  "README.md",
  "src/main.ts",
  "src/domain.ts",
  "src/main/index.ts",
  "docs/Main.md",
  "node_modules/main/main.js",
  ".git/main",
]) {
  write(path);
}
mkdirSync(join(FOLDER, "project-secrets"));
writeFileSync(join(FOLDER, "project-secrets", "main-secret.ts"), "");
symlinkSync(join(FOLDER, "project-secrets"), join(ROOT, "escape"));
symlinkSync(join(FOLDER, "project-secrets", "main-secret.ts"), join(ROOT, "main-link.ts"));
symlinkSync(join(ROOT, "src"), join(ROOT, "alias"));
symlinkSync("..", join(ROOT, "src", "up"));

async function complete(query: string): Promise<string[]> {
  return (await completeFiles(ROOT, query)).map(({ path }) => path);
}

describe("a completion", () => {
  test("offers names before paths, the shorter ones first, and matches of scattered letters last", async () => {
    expect(await complete("main")).toEqual([
      "src/main",
      "src/main.ts",
      "docs/Main.md",
      "src/main/index.ts",
      "src/domain.ts",
    ]);
    const loose = ["src/main.ts", "src/domain.ts", "src/main/index.ts"];
    expect(await complete("smts")).toEqual(loose);
  });

  test("says which is a folder", async () => {
    expect(await completeFiles(ROOT, "docs")).toEqual([
      { path: "docs", kind: "folder" },
      { path: "docs/Main.md", kind: "file" },
    ]);
  });

  test("without a query offers the content of the folder itself", async () => {
    expect(await complete("")).toEqual(["src", "docs", "alias", "README.md"]);
  });

  test("looks in the folder that was typed, which may be one that is ignored otherwise", async () => {
    expect(await complete("src/")).toEqual(["src/up", "src/main", "src/main.ts", "src/domain.ts"]);
    expect(await complete("./src/main/in")).toEqual(["src/main/index.ts"]);
    expect(await complete("alias/do")).toEqual(["alias/domain.ts"]);
    expect(await complete("node_modules/main/")).toEqual(["node_modules/main/main.js"]);
    expect(await complete(`${ROOT}/doc`)).toEqual(["docs", "docs/Main.md"]);
  });

  test("finds a query with a slash in a path that does not begin with it", async () => {
    expect(await complete("main/index")).toEqual(["src/main/index.ts"]);
  });

  test.each([
    "../",
    "../project-secrets/main",
    "src/../../project-secrets/",
    "escape/",
    "escape/main",
    "src/up/../project-secrets/",
    "/etc/pass",
    `${FOLDER}/project-secrets/`,
  ])("names nothing outside of the folder for %p", async (query) => {
    const found = await complete(query);
    expect(found.filter((path) => /secret|^\.\.|^\/|passwd/.test(path))).toEqual([]);
  });

  test("does not name links that lead out, and does not run in circles", async () => {
    expect(await complete("secret")).toEqual([]);
    expect(await complete("escape")).toEqual([]);
    expect(await complete("up")).toEqual(["src/up"]);
  });

  test.each([
    "",
    "to",
    "docs/",
    "docs",
    "aliased-docs/",
    "aliased-docs/Ma",
    "Main.md",
    "docs/Main.md",
  ])("names nothing of a hidden folder for %p, through a link neither", async (query) => {
    const all = await completeFiles(ROOT, query);
    const shown = await completeFiles(ROOT, query, { hidden: join(ROOT, "docs") });
    const isHidden = ({ path }: { readonly path: string }) => path.includes("docs");
    expect(shown).toEqual(all.filter((match) => !isHidden(match)));
  });

  test("offers at most fifty", async () => {
    for (let index = 0; index < 60; index += 1) write(`many/file-${index}`);
    expect(await complete("file-")).toHaveLength(50);
  });

  test("walks a tree no further than its limit, the upper folders first", async () => {
    write("a/b/c/d/e/f/deep-file");
    const limits = { entries: 30, ms: 60_000 };
    expect(await completeFiles(ROOT, "deep-file", { limits })).toEqual([]);
    expect(await completeFiles(ROOT, "README", { limits })).toHaveLength(1);
    expect(await complete("deep-file")).toHaveLength(1);
  });

  test("of a folder that is gone is refused", async () => {
    const gone = completeFiles(join(FOLDER, "gone"), "");
    expect(await gone.catch((error: unknown) => error)).toMatchObject({ code: "no_such_dir" });
  });
});
