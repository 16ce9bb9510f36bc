/** Who is compared: the command of each contender, and what a host says to it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ACP_DIALECT } from "./acp-dialect.ts";
import {
  CLAUDE_DIALECT,
  type Dialect,
  TUGTALK_DIALECT,
  TUGTALK_PROGRAM_DIALECT,
} from "./dialects.ts";

export type Contender = {
  readonly name: string;
  readonly dialect: Dialect;
  /** The command that starts it with this executable as Claude. */
  readonly command: (claude: string) => readonly string[];
  /** The file or folder that it takes on the disk. */
  readonly files?: string;
  /** All its sessions are in one process, and each line names its channel. */
  readonly isShared?: true;
  /** The same with a tool and a hook of the host. Undefined: there are none. */
  readonly program?: Pick<Contender, "dialect" | "command">;
  /** Its tool and its hook are in its own process, and no host is asked. Otherwise it is as another one. */
  readonly isAlone?: true;
};

/** The contender that the others are compared with. */
export const BASE = "floor B";

/** The folder of the repository. */
const ROOT = join(import.meta.dir, "..", "..", "..");

/** The name of a contender with all its sessions in one process. */
export function sharedName(name: string): string {
  return `${name} in one process`;
}

/** With a process for each session, and with one for all. */
function tugtalk(name: string, ...words: readonly string[]): Contender[] {
  const dialect = TUGTALK_DIALECT;
  const command = (claude: string) => [...words, `--claude=${claude}`];
  return [
    {
      name,
      dialect,
      command,
      program: { dialect: TUGTALK_PROGRAM_DIALECT, command },
      ...onDisk(words),
    },
    {
      name: sharedName(name),
      dialect,
      command: (claude) => [...command(claude), "--multiplex"],
      isShared: true,
    },
  ];
}

/** The edge for ACP, with a process for each session, and with one for all. */
function acp(source: string, ...words: readonly string[]): Contender[] {
  const [name, dialect] = [`acp ${source}`, ACP_DIALECT];
  const command = (claude: string) => [...words, "acp", `--claude=${claude}`];
  return [
    { name, dialect, command, ...onDisk(words) },
    { name: sharedName(name), dialect, command, isShared: true },
  ];
}

const [BUNDLE, BINARY] = [join(ROOT, "dist", "cli.js"), join(ROOT, "dist", "tugtalk")];

/** A built program is one file. */
function onDisk(words: readonly string[]): Pick<Contender, "files"> {
  const files = words.at(-1);
  return files === BUNDLE || files === BINARY ? { files } : {};
}

function both(name: string, ...words: readonly string[]): Contender[] {
  return [...tugtalk(name, ...words), ...acp(name, ...words)];
}

/** The floor, and the bridge and its edge for ACP from source and as what `npm run build` has made. */
export function localContenders(): Contender[] {
  const floor = {
    dialect: CLAUDE_DIALECT,
    command: (claude: string) => [process.execPath, join(import.meta.dir, "floor-b.ts"), claude],
  };
  return [
    { name: BASE, ...floor, program: floor },
    ...both("source", process.execPath, join(ROOT, "tugtalk", "cli.ts")),
    ...(existsSync(BUNDLE) ? both("bundle", process.execPath, BUNDLE) : []),
    ...(existsSync(BINARY) ? both("binary", BINARY) : []),
  ];
}
