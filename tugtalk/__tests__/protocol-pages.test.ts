/** Checks the pages about the wire, the guide and the reference, against the schemas and the usage text. */
import { expect, test } from "bun:test";
import { z } from "zod";
import { PROTOCOL_PAGES, readSources } from "../../.ci/protocol-pages.ts";
import { withTables } from "../../.ci/protocol-tables.ts";
import { DoctorReport } from "../doctor/report.ts";
import { isJsonObject } from "../src/base/json.ts";
import { USAGE } from "../src/edge/arguments.ts";
import { INBOUND_TYPES } from "../src/edge/plain-checks.generated.ts";
import { ErrorCode, ErrorReason } from "../src/messages/error-message.ts";
import { OutboundMessage } from "../src/types.ts";
import { document, headedNames, referencePage, rowNames, section } from "./support/markdown.ts";
import { typesIn } from "./support/message-types.ts";

const OVERVIEW = referencePage("README");
const INBOUND = headedNames(referencePage("messages-to-tugtalk"));
const OWN = headedNames(referencePage("messages-to-the-host"));
const NOTICES = headedNames(referencePage("notifications"));

function sorted(names: Iterable<string>): string[] {
  return [...names].sort();
}

test("each inbound message has one heading in its page, and no heading names another", () => {
  expect(sorted(INBOUND)).toEqual(sorted(INBOUND_TYPES));
});

test("each outbound message has one heading in the two pages, and no heading names another", () => {
  expect(sorted([...OWN, ...NOTICES])).toEqual(sorted(new Set(typesIn(OutboundMessage))));
});

test.each([...PROTOCOL_PAGES])(
  "the generated parts of %s are up to date; npm run protocol makes them anew",
  async (path) => {
    const page = document(path);
    expect(withTables(page, await readSources())).toBe(page);
  },
);

test("each message has its generated part, and each further part is in one page", () => {
  const marked = PROTOCOL_PAGES.flatMap((path) =>
    [...document(path).matchAll(/^<!-- generated: (\w+) -->$/gm)].map(([, name = ""]) => name),
  );
  const others = ["common", "control_requests", "shapes", "options", "kinds", "ignored_kinds"];
  const figures = ["peers", "comparison"];
  expect(sorted(marked)).toEqual(sorted([...INBOUND, ...OWN, ...NOTICES, ...others, ...figures]));
});

test("control_result names every message that it answers", () => {
  const page = referencePage("messages-to-tugtalk");
  const answered = INBOUND.filter((name) =>
    section(page, `## \`${name}\``).includes("Answered by `control_result`"),
  );
  const own = section(referencePage("messages-to-the-host"), "## `control_result`");
  const [, named = ""] = own.match(/The one answer to (.*)\./) ?? [];
  expect(answered.length).toBeGreaterThan(5);
  expect(sorted([...named.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name))).toEqual(
    sorted(answered),
  );
});

test("the overview links to every page, and to every message but the notifications", () => {
  const links = new Set([...OVERVIEW.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target));
  const pages = PROTOCOL_PAGES.map((path) =>
    path.replace("tugtalk/protocol/", "").replace("tugtalk/", "../"),
  );
  const wanted = [
    ...pages.filter((page) => page !== "README.md"),
    ...INBOUND.map((name) => `messages-to-tugtalk.md#${name}`),
    ...OWN.map((name) => `messages-to-the-host.md#${name}`),
  ];
  expect(wanted.filter((target) => !links.has(target))).toEqual([]);
});

test("every figure of the overview is a number", () => {
  const [, figures = ""] = OVERVIEW.split("<!-- generated: peers -->");
  const cells = figures.split("<!-- end -->")[0]?.match(/\| [^|]+(?= \|)/g) ?? [];
  expect(cells.length).toBeGreaterThan(40);
  // No agent of ACP serves the sessions of several clients from one process.
  expect(cells.filter((cell) => /none/.test(cell))).toHaveLength(2);
  expect(figures).not.toContain("undefined");
});

test("the tables of errors name every code and every reason", () => {
  const errors = referencePage("errors");
  expect(sorted(rowNames(section(errors, "## Codes")))).toEqual(sorted(ErrorCode.options));
  expect(sorted(rowNames(section(errors, "## Reasons")))).toEqual(sorted(ErrorReason.options));
});

const COMMAND_LINE = rowNames(referencePage("command-line"));

test("the flags that are documented are those of the usage text", () => {
  const flagsOf = (text: string) => new Set(text.match(/--[a-z][a-z-]*/g));
  const documented = COMMAND_LINE.filter((name) => name.startsWith("--")).join(" ");
  expect(sorted(flagsOf(documented))).toEqual(sorted(flagsOf(USAGE)));
});

test("the sub-commands that are documented are those of the usage text", () => {
  const subCommands = (text: string) => new Set(text.match(/(?<=\btugtalk )[a-z]+\b/g));
  const [, usage = ""] = USAGE.split("\nusage: ");
  const known = subCommands(usage.split("\n\n")[0] ?? "");
  expect(sorted(subCommands(COMMAND_LINE.join(" ")))).toEqual(sorted(known));
});

/** The names in a schema, at any depth, and the values of its enums. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isJsonObject(value)) return [];
  const { properties, enum: values, items } = value;
  const own = isJsonObject(properties) ? Object.entries(properties) : [];
  const inner = own.flatMap(([name, schema]) => [name, ...namesIn(schema)]);
  return [...inner, ...(Array.isArray(values) ? values.map(String) : []), ...namesIn(items)];
}

test("each field of the report of the doctor is documented with its parts, and no other", () => {
  const { properties = {} } = z.toJSONSchema(DoctorReport);
  const rows = referencePage("doctor").match(/^\| `.*/gm) ?? [];
  const documented = rows.map((row) =>
    [...row.matchAll(/`(\w+)\??`/g)].map(([, name = ""]) => name),
  );
  expect(documented.map(([name = ""]) => name)).toEqual(Object.keys(properties));
  const missing = documented.flatMap(([name = "", ...parts]) =>
    name === "login_variables"
      ? []
      : namesIn(properties[name]).filter((part) => !parts.includes(part)),
  );
  expect(missing).toEqual([]);
});
