/** Checks HOST.md against the sources: routes, flags, codes, events, states, limits and the conversation. */
import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeBlocks, document, rowNames, section } from "../../__tests__/support/markdown.ts";
import { HOST_ROUTES } from "../../client/host-routes.ts";
import { fieldsOf } from "../../src/base/json.ts";
import { MAX_LINE_BYTES } from "../../src/base/lines.ts";
import { SessionStateChanged } from "../../src/messages/session-messages.ts";
import { askingTurn } from "../../testing/drivers/host-conversations.ts";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";
import { setEnvironment } from "../../testing/drivers/recorded-claudes.ts";
import { writeConversation } from "../../testing/drivers/written-conversation.ts";
import { ALIAS_ROUTES } from "../api/alias-routes.ts";
import { MAX_MESSAGE_BYTES, MIB } from "../api/command-limits.ts";
import { USAGE } from "../host-flags.ts";
import { METRICS } from "../host-metrics.ts";
import { documentSchemas } from "../openapi/document-schemas.ts";
import { isHostEvent } from "../sessions/session-events.ts";

const HOST = document("tugtalk/HOST.md");
const FOLDER = join(import.meta.dir, "..");

/** The sources of the host, without tests. */
const SOURCES = [...new Bun.Glob("**/*.ts").scanSync(FOLDER)]
  .filter((path) => !path.includes("__tests__"))
  .map((path) => readFileSync(join(FOLDER, path), "utf8"))
  .join("\n");

function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].sort();
}

/** The columns of a table's rows, in backticks or not, without head and rule. */
function rows(text: string): string[][] {
  const lines = text.split("\n").filter((line) => /^\| [^-]/.test(line));
  return lines.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((column) => column.trim()),
  );
}

test("the table of commands has each command with its route, and no other", () => {
  const [table = ""] = section(HOST, "## Commands").split("\n### Aliases\n");
  const documented = rows(table).slice(1);
  const expected = Object.entries(HOST_ROUTES).map(([name, { method, path }]) => [
    `\`${name}\``,
    `\`${method} ${path}\``,
  ]);
  expect(documented.map((columns) => columns.slice(0, 2))).toEqual(expected);
});

test("the routes of the aliases are documented, and no others", () => {
  const documented = rowNames(section(HOST, "### Aliases")).filter((name) =>
    name.startsWith("POST"),
  );
  const routes = Object.values(ALIAS_ROUTES).map(({ method, path }) => `${method} ${path}`);
  expect(sorted(documented)).toEqual(sorted(routes));
});

/** The names in a cell, without those of links and those of values. */
function fieldsIn(cell: string): string[] {
  const text = cell.replaceAll(/\[[^\]]*\]\([^)]*\)|: `md` or `json`/g, "");
  return [...text.matchAll(/`(\w+)\??`/g)].map(([, field = ""]) => field);
}

test("the fields of each command that are documented are those that it takes", () => {
  const { fields } = documentSchemas("open");
  const wrong = rows(section(HOST, "## Commands")).filter(([name = "", route = "", cell = ""]) => {
    const own = fields[name.replaceAll("`", "")];
    if (own === undefined) return false;
    const taken = Object.keys(fieldsOf(own["properties"]));
    const inBody = taken.filter((field) => !route.split(/[/`]/).includes(`:${field}`));
    return !Bun.deepEquals(sorted(fieldsIn(cell)), sorted(inBody));
  });
  expect(wrong).toEqual([]);
});

test("the flags and sub-commands that are documented are those of the usage text", () => {
  const flagsOf = (text: string) => sorted(text.match(/--[a-z][a-z-]*/g) ?? []);
  const names = rowNames(section(HOST, "## Start"));
  expect(flagsOf(names.join(" "))).toEqual(flagsOf(USAGE));
  const subCommands = (text: string) => sorted(text.match(/(?<=tugtalk host )[a-z]+\b/g) ?? []);
  expect(subCommands(names.join("\n"))).toEqual(subCommands(USAGE));
});

test("each state of a session is documented, and no other", () => {
  const [, states = ""] = section(HOST, "## Sessions").split("\n| state ");
  const known = [...SessionStateChanged.shape.state.options, "disconnected", "failed"];
  expect(sorted(rowNames(states))).toEqual(sorted(known));
});

test("each field of a session is documented, and no other", () => {
  const [, type = ""] = document("tugtalk/client/host-api.ts").split("export type SessionInfo = {");
  const fields = [...(type.split("\n};")[0] ?? "").matchAll(/^ {2}readonly (\w+)\??:/gm)];
  const [documented = ""] = section(HOST, "## Sessions").split("\n| state ");
  expect(sorted(rowNames(documented))).toEqual(sorted(fields.map(([, name = ""]) => name)));
});

test.each([
  ["client.session(id)", "session-store.ts", "FollowedSession"],
  ["client.sessions", "all-sessions.ts", "AllSessions"],
])("each field of the store %s is documented, and no other", (row, file, type) => {
  const [, text = ""] = document(`tugtalk/client/stores/${file}`).split(`export type ${type} = {`);
  const fields = [...(text.split("\n};")[0] ?? "").matchAll(/^ {2}readonly (\w+\??):/gm)];
  const [, cell = ""] =
    rows(section(HOST, "## A client in JavaScript")).find(([name]) => name === `\`${row}\``) ?? [];
  const [, documented = ""] = /`\{(.*?)\}`/.exec(cell) ?? [];
  expect(sorted(documented.split(", "))).toEqual(sorted(fields.map(([, name = ""]) => name)));
});

test("each event of the host is documented, and no other", () => {
  const named = [...SOURCES.matchAll(/"([a-z]+_[a-z]+)"/g)].map(([, name = ""]) => name);
  const [names = "", board = ""] = section(HOST, "## Events").split("\n| on all sessions");
  expect(sorted(rowNames(names))).toEqual(sorted(named.filter(isHostEvent)));
  const requested = ["approval", "question", "elicitation", "dialog"].map(
    (kind) => `${kind}-requested`,
  );
  const others = ["approval-resolved", "approval-cancelled", "message-queued", "message-sent"];
  expect(sorted(rowNames(board))).toEqual(sorted([...requested, ...others]));
});

test("the table of errors has each code that the host refuses with, with its status, and no other", () => {
  const documented = rows(section(HOST, "## Errors")).slice(1);
  const codes = documented.map(([code = "", status]) => [status, code.replaceAll("`", "")]);
  const known = new Set(codes.map((row) => row.join(" ")));
  const thrown = [...SOURCES.matchAll(/new ApiError\(\s*(\d{3}),\s*"(\w+)"/g)];
  expect(thrown.length).toBeGreaterThan(15);
  const named = thrown.map(([, status, code]) => `${status} ${code}`);
  expect(sorted(named.filter((one) => !known.has(one)))).toEqual([]);
  expect(codes.filter(([, code]) => !SOURCES.includes(`"${code}"`))).toEqual([]);
});

/** The place of each limit in the sources, by the beginning of its row in HOST.md. */
const LIMITS: readonly (readonly [row: string, limit: string, source: RegExp])[] = [
  ["body or command", "63 MiB", /MAX_MESSAGE_BYTES = 63 \* MIB/],
  ["any other body", "1 MiB", /MAX_BODY_BYTES = MIB/],
  ["head of a request", "1 MiB", /MAX_HEAD_BYTES = 1024 \* 1024/],
  ["requests, streams", "1,000", /MAX_CONNECTIONS = 1_000/],
  ["subscriptions", "256", /MAX_SUBSCRIPTIONS = 256/],
  ["commands", "64", /MAX_COMMANDS_UNDER_WAY = 64/],
  ["sessions", "10,000", /MAX_SESSIONS = 10_000/],
  ["messages that wait", "100", /MAX_QUEUED = 100/],
  ["characters that wait", "64 Mi", /MAX_QUEUED_CHARS = 64 \* 1024 \* 1024/],
  ["attachments", "100", /z\.array\(z\.strictObject\(Attachment\.shape\)\)\.max\(100\)/],
  ["open prompts", "200", /MAX_PROMPTS = 200/],
  ["journal", "256 MiB", /MAX_SESSION_BYTES = 256 \* 1024 \* 1024/],
  ["unread by a client", "8 Mi", /MAX_UNREAD_CHARS = 8 \* 1024 \* 1024/],
  ["a client takes nothing", "60 s", /MAX_STUCK_MS = 60_000/],
  ["a connection on which", "11 minutes", /MAX_IDLE_MS = 11 \* 60_000/],
  [
    "files for those not signed in",
    "512 or a quarter of all, 10 s",
    /MAX_UNAUTHENTICATED_FILES = 512;[\s\S]*?UNAUTHENTICATED_MS = 10_000/,
  ],
  ["waiting in the process", "256 KiB", /MAX_WAITING_BYTES = 256 \* 1024/],
  ["turns in memory", "100", /MAX_ENTRIES = 100/],
  ["turns of a snapshot", "50", /LATEST_TURNS = 50/],
  ["a snapshot on a stream", "128 Ki", /MAX_WHOLE_CHARS = 128 \* 1024/],
  ["turns of a page", "200, by default 50", /countUpTo\(200\)\.default\(50\)/],
  ["turns from before", "5,000", /MAX_TURNS = 5_000/],
  ["files of a completion", "50", /MAX_MATCHES = 50/],
  ["folders of", "1,000", /MAX_DIRS = 1_000/],
  ["what is searched for", "500", /q: z\.string\(\)\.max\(500\)/],
  ["time for a search", "20 s", /MAX_SEARCH_MS = 20_000/],
  ["hits of a search", "100, by default 20", /countUpTo\(100\)\.default\(20\)/],
  ["name of a client", "100", /MAX_CLIENT_NAME_CHARS = 100/],
  ["code of a link", "10 minutes", /CODE_LIFE_MS = 10 \* 60_000/],
  ["ping", "15 s", /PING_MS = 15_000/],
  ["restarts of Claude", "3 in a minute", /MAX_RESTARTS = 3;\nconst RESTART_WINDOW_MS = 60_000/],
  ["wait for the bridge", "20 s", /MAX_WAIT_MS = 20_000/],
  ["connection with a place", "60 s", /CONNECT_LIMIT_MS = 60_000/],
  ["`shutdown_grace_ms`", "4,000", /MAX_SHUTDOWN_GRACE_MS = 4_000/],
  ["end of the host", "10 s", /MAX_CLOSE_MS = 9_000/],
];

test("each limit is documented with the number that it has in the sources", () => {
  const documented = rows(section(HOST, "## Limits")).slice(1);
  const wrong = LIMITS.filter(([row, limit, source]) => {
    const found = documented.find(([what]) => what?.startsWith(row));
    return found?.[1]?.includes(limit) !== true || !source.test(SOURCES);
  });
  expect(wrong).toEqual([]);
  const known = (what = "") => LIMITS.some(([row]) => what.startsWith(row));
  expect(documented.filter(([what]) => !known(what))).toEqual([]);
});

test("each metric is documented with its type, and no other, in the order of the text", () => {
  const documented = rows(section(HOST, "## To watch it")).filter(([name]) => name !== "metric");
  const expected = Object.entries(METRICS).map(([name, { type }]) => [`\`${name}\``, type]);
  expect(documented.map((columns) => columns.slice(0, 2))).toEqual(expected);
});

test("the longest message fits in a line of the bridge with all other fields of that line", () => {
  expect(MAX_MESSAGE_BYTES + MIB).toBeLessThanOrEqual(MAX_LINE_BYTES);
});

test("the table of names in other hosts leads to commands, events, frames and messages that exist", () => {
  const documented = rows(document("tugtalk/OTHER-HOSTS.md")).slice(1);
  const frames = [section(HOST, "## The stream"), section(HOST, "## Events")].flatMap(rowNames);
  const { $defs }: { readonly $defs: object } = JSON.parse(document("tugtalk/schema.json"));
  const types = new Set(JSON.stringify($defs).match(/(?<="const":")\w+/g));
  const isKnown = (name: string) =>
    Object.hasOwn(HOST_ROUTES, name) ||
    isHostEvent(name) ||
    [...frames, "subscribe", "sessionId"].includes(name) ||
    types.has(name);
  const first = documented.map(([, here = ""]) => /`([\w-]+)/.exec(here)?.[1] ?? "");
  expect(first.filter((name) => !isKnown(name))).toEqual([]);
});

test("every path of the sources that HOST.md names exists", () => {
  const paths = rowNames(section(HOST, "## The sources"));
  expect(paths.length).toBeGreaterThan(5);
  for (const path of paths)
    expect(
      [...new Bun.Glob(`${path}${path.endsWith("/") ? "**" : ""}`).scanSync(join(FOLDER, ".."))]
        .length,
    ).toBeGreaterThan(0);
});

test("the places of HOST.md are a file of places", () => {
  const [json = ""] = codeBlocks(section(HOST, "## Places"), "json");
  expect(JSON.parse(json)).toMatchObject({ places: [{}, {}, {}] });
});

afterAll(endHosts);

/** A conversation without its ids, which differ from the documented ones. */
function withoutIds(text: string): string {
  return text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>");
}

test("the conversation with curl runs as it is documented", async () => {
  const host = await startHost();
  setEnvironment(host.projectDir, writeConversation(askingTurn({ id: "note" })));
  const [console = ""] = codeBlocks(section(HOST, "## A conversation with curl"), "console");
  const lines = console.trimEnd().split("\n");
  const typed = lines.flatMap((line) => /^\$ (.*)/.exec(line)?.[1] ?? []);
  const [address, ...commands] = typed;
  expect(address).toStartWith("URL=");
  const shell = Bun.spawn(["bash", "-c", commands.join("\n")], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"] ?? "", URL: host.url, TOKEN: host.token },
  });
  const printed = withoutIds(await new Response(shell.stdout).text());
  const documented = lines.filter((line) => !line.startsWith("$ "));
  expect(printed.trimEnd().split("\n")).toEqual(documented.map(withoutIds));
});

test("the client in JavaScript runs as it is documented", async () => {
  const host = await startHost();
  setEnvironment(host.projectDir, writeConversation(askingTurn({ id: "note" })));
  const [program = ""] = codeBlocks(section(HOST, "## A client in JavaScript"), "js");
  const client = join(FOLDER, "..", "client", "client.ts");
  const file = join(host.projectDir, "client.mjs");
  writeFileSync(file, program.replace('"tugtalk/client"', JSON.stringify(client)));
  const script = Bun.spawn([process.execPath, file], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { URL: host.url, TOKEN: host.token },
  });
  expect(await new Response(script.stdout).text()).toBe("script: allow\nsuccess\n");
  expect(await script.exited).toBe(0);
});
