/** Which room of `src`, and which folder beside it, may import which. The table is the architecture. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  FILES,
  IMPORTS,
  type Import,
  ROOT,
  roomOf,
  specifiersOf,
} from "../testing/drivers/import-graph.ts";

/** The rooms of `src` from the lowest to the highest, each with the lower rooms that it may import. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  messages: ["base"],
  claude: ["base", "messages"],
  routing: ["messages"],
  process: ["base", "messages", "claude"],
  conversation: ["base", "messages", "claude", "routing"],
  history: ["base", "messages", "claude", "routing"],
  run: ["base", "messages", "claude", "conversation"],
  session: ["base", "messages", "claude", "conversation", "run"],
  edge: ["base", "messages", "process", "history", "session"],
  recording: ["base", "messages", "claude", "edge"],
  main: ["base", "edge", "recording"],
};

/** The imports that the folders beside `src` may have from it and from each other. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  cli: [
    ...["base", "process", "history", "edge", "main"],
    ...["acp", "spawn", "doctor", "host", "replay", "schema", "simulator"],
  ],
  client: ["messages", "host/fields"],
  acp: ["base", "messages", "history", "process", "edge", "client", "spawn"],
  spawn: ["messages", "client"],
  "host/journal": ["base", "messages", "client"],
  "host/answers": ["messages", "client"],
  "host/api": ["messages", "client", "host/journal"],
  "host/fields": ["base", "messages", "client"],
  "host/prompts": ["messages", "client", "host/api"],
  "host/bridges": ["base", "messages", "client", "spawn", "host/api"],
  "host/sessions": [
    ...["base", "messages", "client", "spawn"],
    ...["host/journal", "host/api", "host/prompts", "host/bridges"],
  ],
  "host/stream": ["base", "client", "host/api", "host/prompts"],
  "host/files": ["base", "client", "host/api"],
  "host/export": ["client", "host/api"],
  "host/page": [],
  "host/server": [
    ...["base", "messages", "client"],
    ...[
      "host/journal",
      "host/api",
      "host/fields",
      "host/prompts",
      "host/bridges",
      "host/stream",
      "host/files",
      "host/export",
    ],
    "host/page",
  ],
  "host/openapi": [
    ...["base", "client", "schema"],
    ...["host/answers", "host/api", "host/fields", "host/export", "host/page", "host/server"],
  ],
  "host/stored-sessions": [
    ...["base", "client", "host/journal", "host/api"],
    ...["host/sessions", "host/export", "host/server"],
  ],
  "host/shared": [
    ...["base", "messages", "client"],
    ...["host/journal", "host/api", "host/bridges", "host/sessions", "host/server"],
  ],
  host: [
    ...["base", "client", "host/journal", "host/api", "host/bridges", "host/sessions"],
    ...[
      "host/stream",
      "host/files",
      "host/page",
      "host/server",
      "host/openapi",
      "host/stored-sessions",
      "host/shared",
    ],
  ],
  "web/store": ["messages", "client"],
  "web/elements": ["host/page", "web/store"],
  "web/markdown": ["client", "web/elements"],
  "web/tools": ["client", "host/page", "web/store", "web/elements", "web/markdown"],
  "web/transcript": ["client", "web/store", "web/elements", "web/markdown", "web/tools"],
  "web/prompts": ["client", "web/store", "web/elements", "web/markdown", "web/tools"],
  "web/composer": ["messages", "client", "web/store", "web/elements"],
  "web/board": ["client", "host/page", "web/store", "web/elements"],
  "web/panels": ["client", "web/store", "web/elements", "web/tools", "web/board"],
  "web/search": ["client", "web/store", "web/elements"],
  "web/shell": [
    ...["client", "host/page", "web/store", "web/elements"],
    ...["web/transcript", "web/prompts", "web/composer", "web/board", "web/panels", "web/search"],
  ],
  web: ["web/store", "web/shell"],
  simulator: ["base", "recording"],
  // A project of its own, which has the package.
  examples: [],
  schema: ["base", "messages", "acp"],
  replay: ["base", "messages", "claude", "edge", "recording"],
  doctor: ["base", "messages", "claude", "process", "simulator", "spawn"],
  bench: ["base", "messages", "edge", "client", "host/journal", "simulator", "testing"],
};

const ALLOWED = { ...ROOMS, ...FOLDERS };

/** The imports that leave their room. */
const ACROSS = IMPORTS.filter(({ from, to }) => roomOf(from) !== roomOf(to));

function nameOf({ from, to }: { readonly from: string; readonly to: string }): string {
  return `${from} -> ${to}`;
}

test("every source file is in a room or folder of the table, and each of these has files", () => {
  const found = new Set(FILES.map(roomOf));
  expect([...found].sort()).toEqual(Object.keys(ALLOWED).sort());
});

test("the table of rooms itself points down only", () => {
  const rooms = Object.entries(ALLOWED).filter(
    ([room]) => room in ROOMS || /^(?:host|web)/.test(room),
  );
  const order = rooms.map(([room]) => room);
  const upward = rooms.flatMap(([room, allowed]) =>
    allowed.filter((other) => order.indexOf(other) >= order.indexOf(room)),
  );
  expect(upward).toEqual([]);
});

test("the import graph contains imports of values, of types and at run time", () => {
  const names = IMPORTS.map(nameOf);
  expect(names).toContain("src/edge/bridge.ts -> src/session.ts");
  expect(names).toContain("src/session.ts -> src/types.ts");
  expect(names).toContain("src/history/past-conversations.ts -> src/history/transcript-folder.ts");
});

test("no file imports against the table", () => {
  const wrong = ACROSS.filter(({ from, to }) => !ALLOWED[roomOf(from)]?.includes(roomOf(to)));
  expect(wrong.map(nameOf)).toEqual([]);
});

test("every import that the table allows is used by some file", () => {
  const used = new Set(ACROSS.map(({ from, to }) => `${roomOf(from)} -> ${roomOf(to)}`));
  const allowed = Object.entries(ALLOWED).flatMap(([room, others]) =>
    others.map((other) => `${room} -> ${other}`),
  );
  expect(allowed.filter((edge) => !used.has(edge))).toEqual([]);
});

test("no imports form a cycle", () => {
  const targets = Map.groupBy(IMPORTS, ({ from }) => from);
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string[] => {
    if (trail.includes(path)) return [[...trail.slice(trail.indexOf(path)), path].join(" -> ")];
    if (done.has(path)) return [];
    const cycles = (targets.get(path) ?? []).flatMap(({ to }) => visit(to, [...trail, path]));
    done.add(path);
    return cycles;
  };
  expect(FILES.flatMap((path) => visit(path, []))).toEqual([]);
});

test("client and spawn know bridge and host as processes: they import only the types of their inputs", () => {
  for (const folder of ["client", "spawn"]) {
    const used = ACROSS.filter(
      ({ from, to }) => roomOf(from) === folder && /^(?:src|host)\//.test(to),
    );
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter(({ isType }) => !isType).map(nameOf)).toEqual([]);
  }
});

test("the client imports no package and nothing of Node or Bun, so that it runs in a browser", () => {
  const named = FILES.filter((path) => path.startsWith("client/")).flatMap(specifiersOf);
  expect(named.filter(({ to }) => !to.startsWith(".")).map(({ to }) => to)).toEqual([]);
});

test("the page imports values from the client and types of the bridge, and of packages only its view libraries", () => {
  const files = FILES.filter((path) => path.startsWith("web/"));
  const used = IMPORTS.filter(({ from, to }) => from.startsWith("web/") && to.startsWith("src/"));
  expect(used.filter(({ isType }) => !isType).map(nameOf)).toEqual([]);
  const packages = files.flatMap(specifiersOf).filter(({ to }) => !to.startsWith("."));
  const names = new Set(packages.map(({ to }) => to.replace(/\/(?:hooks|lib\/.*)$/, "")));
  expect([...names].sort()).toEqual(["@preact/signals", "highlight.js", "marked", "preact"]);
});

test("the spawn kit imports no package, and only modules of the runtime that Node has too", () => {
  const named = FILES.filter((path) => path.startsWith("spawn/")).flatMap(specifiersOf);
  expect(named.map(({ to }) => to).filter((to) => !/^(\.|node:)/.test(to))).toEqual([]);
});

test("the bridge imports no package but zod: no SDK stands between it and Claude", () => {
  const named = FILES.filter((path) => path.startsWith("src/")).flatMap(specifiersOf);
  const packages = named.map(({ to }) => to).filter((to) => !/^(\.|node:|bun(:|$))/.test(to));
  expect([...new Set(packages)]).toEqual(["zod"]);
});

/** The files that a file loads, directly or not. */
function loadedBy(file: string, isLoading: (specifier: Import) => boolean): ReadonlySet<string> {
  const loaded = new Set([file]);
  for (const path of loaded)
    for (const found of IMPORTS)
      if (found.from === path && !found.isType && isLoading(found)) loaded.add(found.to);
  return loaded;
}

test("the program starts itself by its own command: it does not look for the package that it is in", () => {
  const loaded = loadedBy("cli.ts", () => true);
  expect(loaded).toContain("spawn/own-command.ts");
  expect(loaded).not.toContain("spawn/program.ts");
});

test("the program loads nothing of the bridge before it knows that it is to be one", () => {
  const loaded = [...loadedBy("cli.ts", ({ isCall }) => !isCall)];
  expect(loaded).toEqual(["cli.ts", "spawn/start-mark.ts"]);
});

test.each([
  ["the bridge", "src/main.ts", "src/run/run.ts"],
  ["the edge for ACP", "acp/acp.ts", "acp/acp-session.ts"],
])("%s loads no schema and no reducer when it starts", (_name, start, known) => {
  const loaded = [...loadedBy(start, ({ isCall }) => !isCall)];
  expect(loaded).toContain(known);
  const withSchemas = loaded.filter((path) =>
    specifiersOf(path).some(({ to, isType }) => to === "zod" && !isType),
  );
  expect(withSchemas).toEqual([]);
  expect(loaded).not.toContain("client/reduce-session.ts");
});

test.each([
  ["the bridge", "src/main.ts"],
  ["the edge for ACP", "acp/acp.ts"],
])("of the runtime's own modules %s loads node:path alone when it starts", (_name, start) => {
  const loaded = [...loadedBy(start, ({ isCall }) => !isCall)];
  const named = loaded.flatMap(specifiersOf).filter(({ isType, isCall }) => !isType && !isCall);
  const modules = named.map(({ to }) => to).filter((to) => to.startsWith("node:"));
  expect([...new Set(modules)]).toEqual(["node:path"]);
});

test("the edge for ACP loads the words for tool calls, notices and questions later than its first text", () => {
  const loaded = [...loadedBy("acp/acp.ts", ({ isCall }) => !isCall)];
  const views = loaded.filter((path) => path.startsWith("client/views/"));
  expect(views).toEqual(["client/views/permission-modes.ts"]);
  expect(loaded).not.toContain("acp/updates/tool-updates.ts");
});

/** bun test preloads it, so its hooks belong to every file. */
const PRELOADED = "testing/drivers/isolate.ts";

test("no module that test files share registers a hook while it is loaded: the hook would belong to the first file only", () => {
  const shared = [...new Bun.Glob("**/*.ts").scanSync(ROOT)].filter(
    (path) =>
      /\/support\/|^testing\//.test(path) && !path.endsWith(".test.ts") && path !== PRELOADED,
  );
  expect(shared).toContain("examples/__tests__/support/example-process.ts");
  const registering = shared.filter((path) =>
    /^(?:before|after)(?:Each|All)\(/m.test(readFileSync(join(ROOT, path), "utf8")),
  );
  expect(registering).toEqual([]);
});
