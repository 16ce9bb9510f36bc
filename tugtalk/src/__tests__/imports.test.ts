/**
 * The import graph: edges → state → pure → vocabulary, and nothing upwards. Read from the source
 * text, so that imports of types count too. Where a module belongs is the table below.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");

/** The layers from the lowest to the highest. A module imports from its own layer and from lower ones. */
const LAYERS = {
  /** Schemas, types and constants: what the others talk about. */
  vocabulary: [
    "asking",
    "block-messages",
    "clock",
    "control-subtypes",
    "envelope",
    "errors",
    "history-messages",
    "hook-types",
    "json",
    "meaningless",
    "news",
    "news-schema",
    "news-session",
    "news-tasks",
    "news-turn",
    "options",
    "protocol-types",
    "recording",
    "session-messages",
    "turn-messages",
    "types",
    "versions",
    "web-components",
  ],
  /** Functions of their arguments, and one splitter that holds bytes. */
  pure: [
    "capabilities",
    "claude-args",
    "claude-line",
    "control",
    "delta-text",
    "folder-name",
    "inbound-line",
    "lines",
    "nesting",
    "other-blocks",
    "process-handle",
    "refusal",
    "results",
    "router",
    "secret-patterns",
    "session-choice",
    "session-search",
    "start-failure",
    "stream-events",
    "task-notification-text",
    "tool-results",
    "transcript-line",
    "transcript-order",
    "transcript-page",
    "user-message",
  ],
  /** What changes while a session runs. Is given pipes and clocks, and opens none. */
  state: [
    "askers",
    "blocks",
    "changes",
    "claude-requests",
    "conversation",
    "cost",
    "handed-over",
    "held-model",
    "history-requests",
    "host-requests",
    "insistence",
    "late-interrupt",
    "lifecycle",
    "live-settings",
    "mask-json",
    "mask-text",
    "message-blocks",
    "message-queue",
    "news-place",
    "next-trigger",
    "patience",
    "pending",
    "permissions",
    "person-request",
    "prompts",
    "recent-ids",
    "recorded-clock",
    "recorded-line",
    "recording-notes",
    "restart-budget",
    "run",
    "run-state",
    "session",
    "session-deps",
    "session-identity",
    "silence",
    "streamed-text",
    "streamed-texts",
    "supervisor",
    "take-up",
    "tasks",
    "told-blocks",
    "tool-calls",
    "turns",
  ],
  /** Pipes, processes, files, the command line. */
  edge: [
    "arguments",
    "claude-command",
    "claude-process",
    "flags",
    "ipc",
    "last-session",
    "log",
    "private-files",
    "process-signals",
    "recording-file",
    "transcript-dates",
    "transcript-file",
    "transcript-history",
    "transcript-list",
    "transcript-place",
    "transcript-reader",
    "transcripts",
  ],
  /** The one place where edges and state meet, what stands around it, and the process that it runs in. */
  entry: ["bridge", "main", "recorder"],
} as const;

type Layer = keyof typeof LAYERS;

type Import = { readonly from: string; readonly to: string; readonly isType: boolean };

const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[^;"]*?\sfrom\s+)?"([^"]+)"/gm;
const CALL = /\bimport\("([^"]+)"\)/g;

const FILES = [...new Bun.Glob("**/*.ts").scanSync(ROOT)].filter(
  (path) => !path.includes("__tests__/"),
);
const IMPORTS = FILES.flatMap(importsOf);

/** The imports of one file that stay inside the folder `tugtalk`, as paths from there. */
function importsOf(path: string): Import[] {
  const text = readFileSync(join(ROOT, path), "utf8");
  const statements = [...text.matchAll(STATEMENT)].map(([, type, to = ""]) => ({
    to,
    isType: type !== undefined,
  }));
  const calls = [...text.matchAll(CALL)].map(([, to = ""]) => ({ to, isType: false }));
  return [...statements, ...calls]
    .filter(({ to }) => to.startsWith(".") && to.endsWith(".ts"))
    .map(({ to, isType }) => ({ from: path, to: normalize(join(dirname(path), to)), isType }));
}

/** `src/run.ts` is `run`; nothing for a file outside `src`. */
function moduleOf(path: string): string | undefined {
  return /^src\/([^/]+)\.ts$/.exec(path)?.[1];
}

function layerOf(module: string): Layer | undefined {
  const found = Object.entries(LAYERS).find(([, modules]) =>
    (modules as readonly string[]).includes(module),
  );
  return found?.[0] as Layer | undefined;
}

/** The imports between modules of `src`, with their layers. */
const EDGES = IMPORTS.flatMap(({ from, to }) => {
  const [importer, imported] = [moduleOf(from), moduleOf(to)];
  if (importer === undefined || imported === undefined) return [];
  const [upper, lower] = [layerOf(importer), layerOf(imported)];
  if (upper === undefined || lower === undefined) return [];
  return [{ name: `${importer} -> ${imported}`, upper, lower }];
});

test("every module of src has its layer, and every layer only modules that exist", () => {
  const modules = FILES.flatMap((path) => moduleOf(path) ?? []);
  const placed: string[] = Object.values(LAYERS).flat();
  expect(modules.sort()).toEqual(placed.sort());
});

test("the imports of src are found", () => {
  const names = EDGES.map(({ name }) => name);
  expect(names).toContain("bridge -> session");
  expect(names).toContain("main -> transcripts");
  expect(names).toContain("session -> router");
});

test("imports of src point down", () => {
  const order = Object.keys(LAYERS);
  const upward = EDGES.filter(({ upper, lower }) => order.indexOf(lower) > order.indexOf(upper));
  expect(upward.map(({ name }) => name)).toEqual([]);
});

test("only the entry knows both an edge and the state", () => {
  const across = EDGES.filter(
    ({ upper, lower }) =>
      (upper === "edge" && lower === "state") || (upper === "state" && lower === "edge"),
  );
  expect(across.map(({ name }) => name)).toEqual([]);
});

test("no imports go round in a circle", () => {
  const targets = Map.groupBy(IMPORTS, ({ from }) => from);
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string[] => {
    if (trail.includes(path)) return [[...trail.slice(trail.indexOf(path)), path].join(" -> ")];
    if (done.has(path)) return [];
    const circles = (targets.get(path) ?? []).flatMap(({ to }) => visit(to, [...trail, path]));
    done.add(path);
    return circles;
  };
  expect(FILES.flatMap((path) => visit(path, []))).toEqual([]);
});

test("the host knows the bridge as a process: it imports types of its vocabulary only", () => {
  const used = IMPORTS.filter(({ from, to }) => from.startsWith("host/") && to.startsWith("src/"));
  expect(used.length).toBeGreaterThan(0);
  const wrong = used.filter(({ to, isType }) => !isType || layerOfPath(to) !== "vocabulary");
  expect(wrong).toEqual([]);
});

test("the simulator imports nothing of the bridge but vocabulary", () => {
  const used = IMPORTS.filter(
    ({ from, to }) => from.startsWith("simulator/") && !to.startsWith("simulator/"),
  );
  expect(used.filter(({ to }) => layerOfPath(to) !== "vocabulary")).toEqual([]);
});

test("the bridge imports nothing that is built on it", () => {
  const outward = IMPORTS.filter(
    ({ from, to }) => from.startsWith("src/") && !to.startsWith("src/"),
  );
  expect(outward).toEqual([]);
});

test("the bridge takes in no package but zod: no SDK stands between it and Claude", () => {
  const texts = FILES.filter((path) => path.startsWith("src/")).map((path) =>
    readFileSync(join(ROOT, path), "utf8"),
  );
  const named = texts.flatMap((text) =>
    [...text.matchAll(STATEMENT), ...text.matchAll(CALL)].map((match) => match.at(-1) ?? ""),
  );
  const packages = named.filter((name) => !/^(\.|node:|bun(:|$))/.test(name));
  expect([...new Set(packages)]).toEqual(["zod"]);
});

function layerOfPath(path: string): Layer | undefined {
  const module = moduleOf(path);
  return module === undefined ? undefined : layerOf(module);
}
