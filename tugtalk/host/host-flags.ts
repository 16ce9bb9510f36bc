/** The command line of `tugtalk host`. Pure. */
import { isIP } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import { flagValue, readFlags } from "../src/base/flag-schemas.ts";
import { unknownWord } from "../src/base/unknown-word.ts";
import { parsePublicUrl } from "./public-url.ts";
import { dataFolder } from "./server/data-folder.ts";
import type { PublicUrl } from "./server/sites.ts";

/** What the user chose. Paths are absolute. */
export type HostFlags = {
  /** 0: a free one. Undefined: the usual one, or a free one where that is in use. */
  readonly port: number | undefined;
  readonly dir: string;
  readonly data: string;
  /** `data` is the folder that is used where none is named. */
  readonly hasDefaultData: boolean;
  readonly claude: string | undefined;
  readonly listen: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly publicUrls: readonly PublicUrl[];
  readonly places: string | undefined;
  /** Each session has a bridge process of its own. */
  readonly isIsolated: boolean;
  /** Browsers sign in by a name of its own, and not by those of loopback. */
  readonly hasOwnName: boolean;
  readonly isJson: boolean;
};

/** The flags, or what is to be printed instead of a start. */
export type ParsedHostFlags =
  | { readonly flags: HostFlags }
  | { readonly help: true }
  | { readonly problem: string };

/** Fixed, so that a browser finds the host again after a restart. */
export const DEFAULT_PORT = 7717;

export const USAGE = `tugtalk host: runs sessions of Claude Code and serves them over HTTP and WebSocket

usage: tugtalk host [options]
       tugtalk host url [--data path]        prints a new link to the running host
       tugtalk host sessions [--data path]   lists, deletes, exports and backs up what is kept

  --port <n>            the port; 0 takes a free one (default: ${DEFAULT_PORT}, or a
                        free one where that is in use)
  --dir <path>          the folder of new sessions, which is trusted (default: the current one)
  --data <path>         where sessions and the token are kept (default: tugtalk/host in
                        $XDG_STATE_HOME, else in ~/.local/state)
  --claude <command>    the Claude Code executable (default: where the bridge finds one)
  --isolate             one bridge process for each session; otherwise those of a place
                        share one, and end with it
  --listen <address>    listen on this IP address too; needs --allow-host
  --allow-host <name>   a name by which browsers may call this host; may be repeated
  --places <file>       other machines that sessions may run on, as JSON
  --public-url <url>    where a proxy serves this host over TLS: https://name or
                        https://name:port; may be repeated, the first one is in the link
  --no-own-name         browsers sign in by 127.0.0.1, for those that do not find the name of
                        its own under .localhost; other servers of this machine see the cookie
  --own-name            the default: the link has a name of its own
  --json                print one line of JSON: url, port, token_file, pid, place
  --help                print this text and exit
`;

const OPTIONS = {
  port: { type: "string" },
  dir: { type: "string" },
  data: { type: "string" },
  claude: { type: "string" },
  isolate: { type: "boolean" },
  listen: { type: "string" },
  "allow-host": { type: "string", multiple: true },
  places: { type: "string" },
  "public-url": { type: "string", multiple: true },
  "no-own-name": { type: "boolean" },
  "own-name": { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const HOST_NAME = /^([a-z\d]([a-z\d.-]{0,252})|\[[\da-f:.]+\])$/i;

const Flags = z
  .object({
    port: flagValue
      .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, "expected 0 to 65535")
      .transform(Number)
      .optional(),
    dir: flagValue.optional(),
    data: flagValue.optional(),
    claude: flagValue.optional(),
    listen: flagValue.refine((text) => isIP(text) !== 0, "expected an IP address").optional(),
    "allow-host": z
      .array(z.string().regex(HOST_NAME, "expected a name without a port"))
      .default([]),
    places: flagValue.optional(),
    isolate: z.boolean().default(false),
    "public-url": z.array(z.string().transform(checkedPublicUrl)).default([]),
    "no-own-name": z.boolean().default(false),
    "own-name": z.boolean().default(false),
    json: z.boolean().default(false),
    help: z.boolean().default(false),
  })
  .refine((flags) => isLoopback(flags.listen) || flags["allow-host"].length > 0, {
    path: ["listen"],
    message: "needs --allow-host with the name that browsers use",
  })
  .refine((flags) => !(flags["own-name"] && flags["no-own-name"]), {
    path: ["no-own-name"],
    message: "contradicts --own-name",
  });

function checkedPublicUrl(text: string, context: z.RefinementCtx): PublicUrl {
  const parsed = parsePublicUrl(text);
  if (!("problem" in parsed)) return parsed;
  context.addIssue({ code: "custom", message: parsed.problem });
  return z.NEVER;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the words after `host`. */
export function parseHostFlags(
  words: readonly string[],
  env: Environment,
  currentDir: string,
): ParsedHostFlags {
  const [word] = words;
  if (word !== undefined && !word.startsWith("-"))
    return { problem: unknownWord(word, ["url", "sessions"]) };
  const parsed = readFlags(words, OPTIONS, Flags);
  if ("problem" in parsed) return parsed;
  const { flags } = parsed;
  if (flags.help) return { help: true };
  const { port, claude, listen, places } = flags;
  const data = dataFolder(flags.data, env, currentDir);
  return {
    flags: {
      port,
      claude,
      listen,
      dir: resolve(currentDir, flags.dir ?? "."),
      data,
      hasDefaultData: data === dataFolder(undefined, env, currentDir),
      allowedHosts: flags["allow-host"],
      places: places === undefined ? undefined : resolve(currentDir, places),
      isIsolated: flags.isolate,
      publicUrls: flags["public-url"],
      hasOwnName: !flags["no-own-name"],
      isJson: flags.json,
    },
  };
}

function isLoopback(address: string | undefined): boolean {
  return address === undefined || address === "::1" || address.startsWith("127.");
}
