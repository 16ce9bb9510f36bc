/** A page of recipes as its reader has it: its commands, as they are written, where the package is installed. */
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { codeBlocks, document, section } from "../../../__tests__/support/markdown.ts";
import { NodeOnlyMachine } from "../../../__tests__/support/node-only.ts";
import { type Example, startExample } from "./example-process.ts";

/** Packing builds everything, and installing needs the registry. */
export const INSTALL_LIMIT_MS = 300_000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * This environment without the additions of a developer: tools of this project, a Claude, settings of npm.
 */
export function readersEnvironment(home: string): Environment {
  const isOwn = (name: string) => /^(npm_|TUGTALK_|ANTHROPIC_|CLAUDE)/.test(name);
  const hidden = Object.keys(process.env).filter(isOwn);
  const path = (process.env["PATH"] ?? "").split(":");
  return {
    ...Object.fromEntries(hidden.map((name) => [name, undefined])),
    HOME: home,
    PATH: path.filter((entry) => !/node_modules|bun|claude/.test(entry)).join(":"),
    // Where the packages are looked for, and where Rust is, stays as this machine has it.
    npm_config_userconfig: join(homedir(), ".npmrc"),
    npm_config_cache: join(homedir(), ".npm"),
    npm_config_prefer_offline: "true",
    RUSTUP_HOME: process.env["RUSTUP_HOME"] ?? join(homedir(), ".rustup"),
  };
}

export class Recipe {
  /** The folder in which the package is installed, and then the one in which the commands have ended. */
  folder: string;
  readonly #page: string;
  readonly #env: Environment;

  private constructor(page: string, folder: string, env: Environment) {
    this.#page = document(`tugtalk/examples/${page}`);
    this.folder = folder;
    this.#env = env;
  }

  /** Packs and installs the package for a page. `env` is added to the environment of its reader. */
  static async open(page: string, env: Environment = {}): Promise<Recipe> {
    const machine = new NodeOnlyMachine();
    const folder = await machine.install(await machine.pack(), page.replace(".md", ""), true);
    const { HOME = folder } = machine.env;
    return new Recipe(page, folder, { ...readersEnvironment(HOME), ...env });
  }

  /** The only block of commands under a heading, or before the first one. */
  commands(heading?: string): string {
    const [intro = ""] = this.#page.split("\n## ");
    const text = heading === undefined ? intro : section(this.#page, `## ${heading}`);
    const [commands = "", ...others] = codeBlocks(text, "sh");
    expect({ heading, commands, others: others.length }).toMatchObject({ others: 0 });
    expect(commands).not.toBe("");
    return commands;
  }

  /** Starts commands in a shell, which an error ends. */
  start(commands: string): Example {
    return startExample(["bash", "-e", "-c", commands], this.#env, this.folder);
  }

  /**
   * Runs commands to their end; resolves with their output. The next commands run in the folder where these
   * end.
   */
  async run(commands: string): Promise<string> {
    const place = join(this.folder, ".place");
    const { output, cwd } = await runToEnd(commands, place, (whole) => this.start(whole));
    this.folder = cwd;
    return output;
  }
}

/**
 * Runs commands in the shell that `start` opens. Resolves with their output and the folder where they end,
 * which the shell writes to `place`.
 */
export async function runToEnd(
  commands: string,
  place: string,
  start: (commands: string) => Example,
): Promise<{ readonly output: string; readonly cwd: string }> {
  const shell = start(`${commands}\npwd >"${place}"`);
  shell.endInput();
  const exitCode = await shell.ended;
  expect({ commands, exitCode, errors: exitCode === 0 ? "" : shell.errors() }).toEqual({
    commands,
    exitCode: 0,
    errors: "",
  });
  return { output: shell.output.text, cwd: readFileSync(place, "utf8").trim() };
}
