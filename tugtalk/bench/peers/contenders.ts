/** The contenders: the command of each, and the messages of its host. */
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
  /** The file or folder of its size on disk. */
  readonly files?: string;
  /** All its sessions are in one process, and each line names its channel. */
  readonly isShared?: true;
  /** The contender with a tool and a hook of the host. Undefined: it has none. */
  readonly program?: Pick<Contender, "dialect" | "command">;
  /**
   * The contender has tool and hook in its own process, and asks no host. Otherwise it equals another one.
   */
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

/** The bridge with a process for each session, and with one for all. */
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

/** The file of a built program. */
function onDisk(words: readonly string[]): Pick<Contender, "files"> {
  const files = words.at(-1);
  return files === BUNDLE || files === BINARY ? { files } : {};
}

function both(name: string, ...words: readonly string[]): Contender[] {
  return [...tugtalk(name, ...words), ...acp(name, ...words)];
}

/** The floor, and the bridge and its edge for ACP, from source and from the products of `npm run build`. */
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
