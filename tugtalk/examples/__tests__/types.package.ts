/**
 * The page about types: its commands run as they are written, and the types read and print every message.
 * Rust is left out where cargo or the sources of serde are missing.
 */
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  expectSame,
  type Sample,
  schemaSamples,
} from "../../schema/__tests__/support/schema-samples.ts";
import { endExamples } from "./support/example-process.ts";
import { INSTALL_LIMIT_MS, Recipe } from "./support/recipe.ts";

/** Where Debian has the sources of crates. */
const CRATES = "/usr/share/cargo/registry";
const HAS_RUST = Bun.which("cargo") !== null && existsSync(CRATES);

/** cargo takes crates from Debian here, since a test does not depend on their registry. */
function cargoHome(): string {
  const folder = mkdtempSync(join(tmpdir(), "cargo-"));
  const source = `[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "${CRATES}"\n`;
  writeFileSync(join(folder, "config.toml"), `${source}[net]\noffline = true\n`);
  return folder;
}

let recipe: Recipe;
let samples: readonly Sample[];

beforeAll(async () => {
  recipe = await Recipe.open("types.md", {
    TUGTALK_SIM_SPEED: "max",
    CARGO_HOME: cargoHome(),
    CARGO_PROFILE_DEV_DEBUG: "0",
  });
  samples = await schemaSamples();
  await recipe.run(recipe.commands());
}, INSTALL_LIMIT_MS);
afterEach(endExamples);

/** Programs that read lines of `<side> <message>` and print each message again. */
const GO = `package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		side, line, _ := strings.Cut(lines.Text(), " ")
		var message any = new(OutboundMessage)
		if side == "InboundMessage" {
			message = new(InboundMessage)
		}
		if err := json.Unmarshal([]byte(line), message); err != nil {
			panic(err)
		}
		text, err := json.Marshal(message)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(text))
	}
}
`;

const PYTHON = `import json
import sys
import tugtalk

for text in sys.stdin.buffer:
    side, line = text.decode().split(" ", 1)
    message = tugtalk.from_json(getattr(tugtalk, side), json.loads(line))
    print(json.dumps(tugtalk.to_json(message)))
`;

const RUST = `fn again<T: serde::de::DeserializeOwned + serde::Serialize>(line: &str) -> String {
    let message: T = serde_json::from_str(line).unwrap();
    serde_json::to_string(&message).unwrap()
}

fn main() {
    for text in std::io::stdin().lines() {
        let text = text.unwrap();
        println!("{}", match text.split_once(' ').unwrap() {
            ("InboundMessage", line) => again::<tugtalk::InboundMessage>(line),
            (_, line) => again::<tugtalk::OutboundMessage>(line),
        });
    }
}
`;

type Language = {
  readonly isThere: boolean;
  readonly program: string;
  readonly path: string;
  /** The command that runs the program. */
  readonly command: string;
};

const LANGUAGES: Readonly<Record<string, Language>> = {
  Go: {
    isThere: true,
    program: GO,
    path: "again.go",
    command: "go vet again.go tugtalk.go && go run again.go tugtalk.go",
  },
  Python: { isThere: true, program: PYTHON, path: "again.py", command: "python3 again.py" },
  Rust: {
    isThere: HAS_RUST,
    program: RUST,
    path: "examples/again.rs",
    command: "cargo run --quiet --example again",
  },
};

/** Made-up messages that a later version might send. */
const LATER = [
  { type: "new_kind", ipc_version: 3, seq: 1, inside: { number: 1, list: [null, "<text>"] } },
  {
    ...{ type: "error", ipc_version: 2, seq: 2, code: "new_code", message: "m" },
    ...{ recoverable: true, source: "nobody" },
  },
  {
    ...{ type: "control_request_forward", ipc_version: 2, seq: 3, request_id: "r" },
    ...{ tool_name: "Write", input: { big: 9007199254740991 }, is_question: false },
    permission_suggestions: [
      { type: "newSuggestion", depth: { of: [1] } },
      { type: "setMode", destination: "newPlace", mode: "newMode" },
    ],
  },
];

/** The output of the program for lines, each with the name of its union. */
async function again(command: string, lines: readonly string[]): Promise<readonly unknown[]> {
  const shell = recipe.start(command);
  shell.type(...lines);
  shell.endInput();
  expect([await shell.ended, shell.errors()]).toEqual([0, ""]);
  const printed = shell.output.text.trimEnd().split("\n");
  return printed.map((line) => JSON.parse(line));
}

for (const [name, { isThere, program, path, command }] of Object.entries(LANGUAGES))
  describe.skipIf(!isThere)(`in ${name}`, () => {
    test("the commands make the types and run a host that talks with Claude", async () => {
      const printed = await recipe.run(recipe.commands(name));
      expect(printed).toStartWith("# Welcome to tugtalk\n\nThis is the **demonstration**");
      expect(printed).toContain("\n* Write\n");
      expect(printed).toContain("\nThank you, noted. That was the second turn");
    });

    test("every message is read and printed again, with its unknown fields unchanged", async () => {
      mkdirSync(join(recipe.folder, "examples"), { recursive: true });
      writeFileSync(join(recipe.folder, path), program);
      const known = samples.map(({ side, message }) => `${side} ${JSON.stringify(message)}`);
      const later = LATER.map((message) => `OutboundMessage ${JSON.stringify(message)}`);
      const printed = await again(command, [...known, ...later]);
      expectSame(samples, printed.slice(0, known.length));
      expect(printed.slice(known.length)).toEqual(LATER);
    });
  });
