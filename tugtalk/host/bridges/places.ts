/** The places of the host's configuration file. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Place } from "./bridge.ts";

/** The places that every host has. */
export const LOCAL = "local";
export const SIMULATOR = "simulator";

/** Whether the bridges of the place are processes of the host's machine. */
export function isOnMachine(place: string): boolean {
  return place === LOCAL || place === SIMULATOR;
}

const DEFAULT_IDLE_EXIT_SECONDS = 60;

const PlaceName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "expected 1 to 64 letters, digits, '.', '_' or '-'")
  .refine((name) => name !== LOCAL && name !== SIMULATOR, "is the name of a built-in place");

const PlaceEntry = z.strictObject({
  name: PlaceName,
  /** A prefix for commands, such as `["ssh", "build-box"]`. */
  command: z.array(z.string().min(1)).min(1),
  /** Seconds, see `--idle-exit` of the bridge. */
  idle_exit: z.int().min(1).max(3600).default(DEFAULT_IDLE_EXIT_SECONDS),
});

const PlacesFile = z.strictObject({
  places: z.array(PlaceEntry).refine(haveOwnNames, "two places have the same name"),
});

function haveOwnNames(places: readonly { readonly name: string }[]): boolean {
  return new Set(places.map(({ name }) => name)).size === places.length;
}

/**
 * Reads `{"places": [{"name", "command", "idle_exit"?}]}`. Throws an error of one line that names the file.
 */
export function readPlaces(file: string): readonly Place[] {
  const parsed = PlacesFile.safeParse(readJson(file));
  if (!parsed.success) throw new Error(`${file}: ${summaryOf(parsed.error)}`);
  return parsed.data.places.map(({ name, command, idle_exit }) => ({
    name,
    command,
    idleExitSeconds: idle_exit,
  }));
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? "is not JSON" : "cannot be read";
    throw new Error(`${file}: ${reason}`, { cause });
  }
}

function summaryOf({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => [...path, message].join(": ")).join("; ");
}
