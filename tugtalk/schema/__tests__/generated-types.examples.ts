/**
 * Types that quicktype generates from `schema.json` for Go and Python: they compile, and what they
 * read from real messages and print again is the same in every declared field.
 */
import { beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from "quicktype-core";
import SCHEMA from "../../schema.json";
import { type Fields, fieldsOf, isJsonObject } from "../../src/base/json.ts";
import { KIND_FIXTURES } from "../../testing/captures/kind-fixtures.ts";
import { emittedFor } from "../../testing/captures/kind-session.ts";
import { EXAMPLES } from "../../testing/drivers/bad-host-lines.ts";
import { definitionName } from "../../testing/drivers/schema-check.ts";

const RECORDINGS = join(import.meta.dir, "..", "..", "replay", "__tests__", "recordings");
const folder = mkdtempSync(join(tmpdir(), "generated-types-"));

/** A message with the name of its definition. */
type Sample = { readonly name: string; readonly message: Fields };

const samples: Sample[] = [];

beforeAll(async () => {
  const add = (side: "InboundMessage" | "OutboundMessage", message: Fields): void => {
    samples.push({ name: definitionName(side, message) ?? "", message });
  };
  for (const example of EXAMPLES) add("InboundMessage", example);
  for (const message of recordedMessages()) add("OutboundMessage", message);
  for (const { line } of KIND_FIXTURES)
    for (const message of await emittedFor(line)) add("OutboundMessage", fieldsOf(message));
});

/** What the bridge sent in the recorded sessions of real CLIs. */
function recordedMessages(): Fields[] {
  return readdirSync(RECORDINGS)
    .filter((name) => name.startsWith("claude-"))
    .flatMap((name) => readFileSync(join(RECORDINGS, name), "utf8").split("\n"))
    .filter((line) => line.includes('"dir":"emit"'))
    .map((line) => fieldsOf(JSON.parse(line).msg));
}

async function generate(lang: "go" | "python", options: Record<string, string>): Promise<string> {
  const input = new JSONSchemaInput(new FetchingJSONSchemaStore());
  await input.addSource({ name: "wire", schema: JSON.stringify(SCHEMA), uris: ["#/$defs/"] });
  const inputData = new InputData();
  inputData.addInput(input);
  const { lines } = await quicktype({ inputData, lang, rendererOptions: options });
  return lines.join("\n");
}

/** The names of the generated functions for each definition that a sample has. */
function functionsFor(text: string, pattern: RegExp): readonly (readonly [string, string])[] {
  const keyOf = (name: string): string => name.replaceAll("_", "").toLowerCase();
  const found = [...text.matchAll(pattern)].map(([, name = ""]) => [keyOf(name), name] as const);
  const functions = new Map(found);
  const names = [...new Set(samples.map(({ name }) => name))];
  return names.map((name) => [name, functions.get(keyOf(name)) ?? `no_${name}`]);
}

async function run(command: readonly string[], input = ""): Promise<string> {
  const env = { ...process.env, GOCACHE: join(folder, "cache") };
  const child = Bun.spawn([...command], {
    stdio: [new Blob([input]), "pipe", "pipe"],
    cwd: folder,
    env,
  });
  const [output, problems] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([await child.exited, problems]).toEqual([0, ""]);
  return output;
}

/** What a program prints for the samples, which it gets as lines of `<definition> <message>`. */
async function printedBy(command: readonly string[]): Promise<readonly unknown[]> {
  const lines = samples.map(({ name, message }) => `${name} ${JSON.stringify(message)}\n`);
  const output = await run(command, lines.join(""));
  return output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** What a schema, its reference and its alternatives say of the inside of a value. */
type Shape = {
  readonly properties: Fields;
  readonly items: unknown;
  readonly values: unknown;
};

function shapeOf(schema: unknown): Shape {
  const { $ref, oneOf, anyOf, properties, items, additionalProperties } = fieldsOf(schema);
  const referred = typeof $ref === "string" ? [definitionOf($ref)] : [];
  const parts = [...referred, ...[oneOf ?? anyOf ?? []].flat()].map(shapeOf);
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties), fieldsOf(properties)),
    items: items ?? parts.find((part) => part.items !== undefined)?.items,
    values: additionalProperties ?? parts.find((part) => part.values !== undefined)?.values,
  };
}

function definitionOf(reference: string): unknown {
  return fieldsOf(SCHEMA.$defs)[reference.replace("#/$defs/", "")];
}

/** Nulls, and optional arrays and objects that are empty, are left out by some types. */
function isEmpty(value: unknown): boolean {
  return typeof value === "object" && Object.keys(value ?? {}).length === 0;
}

/** The part of a value that a schema declares, without what is empty. */
function declared(schema: unknown, value: unknown): unknown {
  const { properties, items, values } = shapeOf(schema);
  if (Array.isArray(value))
    return items === undefined ? value : value.map((item) => declared(items, item));
  const isOpen = Object.keys(properties).length === 0 && !isJsonObject(values);
  if (!isJsonObject(value) || isOpen) return value;
  const known = Object.entries(value)
    .filter(([key, inner]) => !isEmpty(inner) && (isJsonObject(values) || key in properties))
    .map(([key, inner]) => [key, declared(properties[key] ?? values, inner)]);
  return Object.fromEntries(known);
}

function expectSame(printed: readonly unknown[]): void {
  expect(printed.length).toBe(samples.length);
  samples.forEach(({ name, message }, index) => {
    const expected = { name, message: declared(definitionOf(`#/$defs/${name}`), message) };
    expect({ name, message: printed[index] }).toMatchObject(expected as never);
  });
}

test("the samples are messages of most definitions, of captures and of recordings", () => {
  expect(samples.length).toBeGreaterThan(900);
  expect(new Set(samples.map(({ name }) => name)).size).toBeGreaterThan(80);
});

test("Go types are generated, pass go vet, and read and print every message", async () => {
  const text = await generate("go", { package: "main" });
  const cases = functionsFor(text, /^func Unmarshal(\w+)\(/gm).map(
    ([name, go]) =>
      `\t\tcase "${name}":\n\t\t\tvalue, problem := Unmarshal${go}(line)\n\t\t\tprint(value.Marshal, problem)\n`,
  );
  await Bun.write(join(folder, "wire.go"), text);
  await Bun.write(join(folder, "main.go"), goProgram(cases.join("")));
  await Bun.write(join(folder, "go.mod"), "module wire\n\ngo 1.19\n");
  await run(["go", "vet", "."]);
  await run(["go", "build", "-o", "wire", "."]);
  expectSame(await printedBy([join(folder, "wire")]));
});

function goProgram(cases: string): string {
  return `package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func print(marshal func() ([]byte, error), problem error) {
	if problem != nil {
		panic(problem)
	}
	text, problem := marshal()
	if problem != nil {
		panic(problem)
	}
	fmt.Println(string(text))
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		name, rest, _ := strings.Cut(lines.Text(), " ")
		line := []byte(rest)
		switch name {
${cases}		default:
			panic(name)
		}
	}
}
`;
}

test("Python types are generated, compile, and read and print every message", async () => {
  const text = await generate("python", { "python-version": "3.7" });
  const entries = functionsFor(text, /^def (\w+)_from_dict\(/gm).map(
    ([name, python]) => `    "${name}": (wire.${python}_from_dict, wire.${python}_to_dict),\n`,
  );
  await Bun.write(join(folder, "wire.py"), text);
  await Bun.write(join(folder, "main.py"), pythonProgram(entries.join("")));
  await run(["python3", "-m", "py_compile", "wire.py"]);
  expectSame(await printedBy(["python3", "main.py"]));
});

function pythonProgram(entries: string): string {
  return `import json
import sys
import wire

TYPES = {
${entries}}

for line in sys.stdin.buffer:
    name, text = line.decode().split(" ", 1)
    read, to_dict = TYPES[name]
    print(json.dumps(to_dict(read(json.loads(text)))))
`;
}
