/**
 * Types that quicktype generates from `schema.json` for Go and Python: they compile, and a real message
 * that they read and print again keeps every declared field.
 */
import { beforeAll, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from "quicktype-core";
import SCHEMA from "../../schema.json";
import { expectSame, type Sample, schemaSamples } from "./support/schema-samples.ts";

const folder = mkdtempSync(join(tmpdir(), "generated-types-"));

let samples: readonly Sample[] = [];

beforeAll(async () => {
  samples = await schemaSamples();
});

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

/** The output of a program for the samples, which it gets as lines of `<definition> <message>`. */
async function printedBy(command: readonly string[]): Promise<readonly unknown[]> {
  const lines = samples.map(({ name, message }) => `${name} ${JSON.stringify(message)}\n`);
  const output = await run(command, lines.join(""));
  return output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
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
  expectSame(samples, await printedBy([join(folder, "wire")]));
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
  expectSame(samples, await printedBy(["python3", "main.py"]));
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
