/** Checks HOST.md against the sources: routes, flags, codes, events, states, limits and the conversation. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  brokenLinks,
  codeBlocks,
  document,
  rowNames,
  section,
} from "../../__tests__/support/markdown.ts";
import { HOST_ROUTES } from "../../client/host-routes.ts";
import { SessionStateChanged } from "../../src/messages/session-messages.ts";
import { USAGE } from "../host-flags.ts";
import { NewSessionFields } from "../server/new-session-fields.ts";
import { isHostEvent } from "../sessions/session-events.ts";

const HOST = document("tugtalk/HOST.md");
const FOLDER = join(import.meta.dir, "..");

/** The sources of the host, without those of the terminal and without tests. */
const SOURCES = [...new Bun.Glob("**/*.ts").scanSync(FOLDER)]
  .filter((path) => !/__tests__|^terminal/.test(path))
  .map((path) => readFileSync(join(FOLDER, path), "utf8"))
  .join("\n");

function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].sort();
}

/** The rows of a table as their columns, in backticks or not, without head and rule. */
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
  const documented = rows(section(HOST, "## Commands")).slice(1);
  const expected = Object.entries(HOST_ROUTES).map(([name, { method, path }]) => [
    `\`${name}\``,
    `\`${method} ${path}\``,
  ]);
  expect(documented.map((columns) => columns.slice(0, 2))).toEqual(expected);
});

test("the fields of create that are documented are those that it takes", () => {
  const create = rows(section(HOST, "## Commands")).find(([name]) => name === "`create`");
  const named = [...(create?.[2] ?? "").matchAll(/`(\w+)\?`/g)].map(([, field = ""]) => field);
  expect(sorted(named)).toEqual(sorted(Object.keys(NewSessionFields.shape)));
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

test("each event of the host is documented, and no other", () => {
  const named = [...SOURCES.matchAll(/"([a-z]+-[a-z]+)"/g)].map(([, name = ""]) => name);
  const names = rowNames(section(HOST, "## Events"));
  expect(sorted(names)).toEqual(sorted(named.filter(isHostEvent)));
});

describe("the table of errors", () => {
  const documented = rows(section(HOST, "## Errors")).slice(1);
  const codes = documented.map(([code = ""]) => code.replaceAll("`", ""));

  test("has each code that the host refuses with, with its status", () => {
    const thrown = [...SOURCES.matchAll(/new ApiError\(\s*(\d{3}),\s*"(\w+)"/g)];
    expect(thrown.length).toBeGreaterThan(15);
    const rowsOf = documented.map(([code, status]) => `${status} ${code?.replaceAll("`", "")}`);
    const missing = thrown
      .map(([, status, code]) => `${status} ${code}`)
      .filter((one) => !rowsOf.includes(one));
    expect(sorted(missing)).toEqual([]);
  });

  test("has no code that the host does not know", () => {
    expect(codes.filter((code) => !SOURCES.includes(`"${code}"`))).toEqual([]);
  });
});

test("every link of HOST.md leads to a heading, and every path of its sources exists", () => {
  expect(brokenLinks(HOST)).toEqual([]);
  const paths = rowNames(section(HOST, "## Where what is"));
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
