/** The flags of a database for the sessions in place of the data folder, and its URL. */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { count, matching, present } from "../../src/base/flags.ts";

/** A database that several hosts may share. */
export type DatabaseFlags = {
  /** The URL, or the path of the file that has it. */
  readonly source: { readonly url: string } | { readonly file: string };
  /** The name of this machine among those of the database. */
  readonly machine: string;
  readonly leaseSeconds: number;
  /** After how long without a host the bridges of this machine end. */
  readonly idleExitSeconds: number;
};

const DEFAULT_LEASE_SECONDS = 30;
const DEFAULT_IDLE_SECONDS = 60;

const MACHINE = matching(
  (text) => /^[\w.-]{1,64}$/.test(text),
  "expected at most 64 letters, digits, dots, - and _",
);

export const DATABASE_OPTIONS = {
  "database-file": { type: "string", check: present },
  machine: { type: "string", check: MACHINE },
  lease: { type: "string", check: count(4) },
  "idle-exit": { type: "string", check: count(4) },
} as const;

type DatabaseFlagTexts = Readonly<Partial<Record<keyof typeof DATABASE_OPTIONS, string>>>;

/** Undefined if the sessions are kept in the data folder. */
export function databaseFlags(
  given: DatabaseFlagTexts,
  env: Readonly<Record<string, string | undefined>>,
  currentDir: string,
): DatabaseFlags | { readonly problem: string } | undefined {
  const { "database-file": file, machine = hostname(), lease, "idle-exit": idleExit } = given;
  const url = env["TUGTALK_DATABASE"];
  if (file !== undefined && url !== undefined)
    return { problem: "--database-file: contradicts the variable TUGTALK_DATABASE" };
  const source = file === undefined ? url && { url } : { file: resolve(currentDir, file) };
  if (source === undefined || source === "") return undefined;
  return {
    source,
    machine,
    leaseSeconds: Number(lease ?? DEFAULT_LEASE_SECONDS),
    idleExitSeconds: Number(idleExit ?? DEFAULT_IDLE_SECONDS),
  };
}

/** Throws an error for people if the file is empty or unreadable. */
export function databaseUrl({ source }: DatabaseFlags): string {
  if ("url" in source) return source.url;
  const url = readDatabaseFile(source.file).trim();
  if (url === "") throw new Error(`--database-file: ${source.file} has no URL of a database in it`);
  return url;
}

function readDatabaseFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`--database-file: ${error instanceof Error ? error.message : String(error)}`);
  }
}
