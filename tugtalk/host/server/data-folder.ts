/** The files of a host beside its journal, readable for their owner only. */
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { z } from "zod";
import { parseJson } from "../../src/base/json.ts";
import { newSecret } from "./secret.ts";

/** The record of a running host, for `tugtalk host url`. */
const HostRecord = z.object({
  pid: z.number(),
  port: z.number(),
  /** The origin of its links, without a path. */
  origin: z.string(),
  /** Signs the codes that the host accepts. */
  code_key: z.string(),
  /** By how much the clock for the expiry of codes is ahead of this machine's. */
  ahead_ms: z.number().default(0),
});
export type HostRecord = z.infer<typeof HostRecord>;

/** The named folder, or else the folder in the user's state folder. */
export function dataFolder(
  named: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  currentDir: string,
): string {
  if (named !== undefined) return resolve(currentDir, named);
  const base = env["XDG_STATE_HOME"];
  const isUsable = base !== undefined && isAbsolute(base);
  return join(isUsable ? base : join(homedir(), ".local", "state"), "tugtalk", "host");
}

/** Makes the folder where it is missing, and has Git ignore it. */
export function openDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(folder, ".gitignore"), "*\n", { mode: 0o600, flag: "wx" });
  } catch {
    // The file is there, or the disk is full or read-only. The host runs without it.
  }
}

export function journalFile(folder: string): string {
  return join(folder, "journal.sqlite");
}

export function tokenFile(folder: string): string {
  return join(folder, "token");
}

/** The token of the folder, made at the first start. Throws if its file has other content. */
export function readToken(folder: string): string {
  return keptText(tokenFile(folder), {
    make: newSecret,
    pattern: /^[\w-]{32,}$/,
    kind: "token of at least 32 letters and digits",
  });
}

/** Replaces the token. Readers of the file get the old token or the new one, whole. */
export function writeToken(folder: string, token: string): void {
  const next = `${tokenFile(folder)}.next`;
  rmSync(next, { force: true });
  writeFileSync(next, `${token}\n`, { mode: 0o600, flag: "wx" });
  renameSync(next, tokenFile(folder));
}

/**
 * The name of this folder's host under `.localhost`, made at the first start. It cannot be guessed, so no
 * page elsewhere leads a browser to it.
 */
export function readOwnName(folder: string): string {
  return keptText(join(folder, "name"), {
    make: () => `tugtalk-${randomBytes(16).toString("hex")}.localhost`,
    pattern: /^tugtalk-[\da-f]{32}\.localhost$/,
    kind: "name that a host has made for itself",
  });
}

type Kept = { readonly make: () => string; readonly pattern: RegExp; readonly kind: string };

function keptText(file: string, { make, pattern, kind }: Kept): string {
  try {
    writeFileSync(file, `${make()}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!isExisting(error)) throw error;
    // Somebody may have copied or written the file by hand.
    chmodSync(file, 0o600);
  }
  const text = readFileSync(file, "utf8").trim();
  if (pattern.test(text)) return text;
  throw new Error(`${file} is no ${kind}: delete it to get a new one`);
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}

/** Records that a host runs. Only the holder of the folder's lock may call it. */
export function writeHostRecord(folder: string, host: HostRecord): void {
  const file = recordFile(folder);
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(host)}\n`, { mode: 0o600, flag: "wx" });
}

/** The record of the host that runs, or that was killed. */
export function readHostRecord(folder: string): HostRecord | undefined {
  try {
    return HostRecord.safeParse(parseJson(readFileSync(recordFile(folder), "utf8"))).data;
  } catch {
    return undefined; // No host has ever run here, or the last one has ended in good order.
  }
}

export function removeHostRecord(folder: string): void {
  rmSync(recordFile(folder), { force: true });
}

function recordFile(folder: string): string {
  return join(folder, "host.json");
}
