/** The command line of `tugtalk host`. Pure. */
import { isIP } from "node:net";
import { resolve } from "node:path";
import { matching, present, readFlags } from "../src/base/flags.ts";
import { parsePublicUrl } from "./public-url.ts";
import { dataFolder } from "./server/data-folder.ts";
import { DATABASE_OPTIONS, type DatabaseFlags, databaseFlags } from "./server/database-flags.ts";
import type { PublicUrl } from "./server/sites.ts";

/** The user's choices. Paths are absolute. */
export type HostFlags = {
  /** 0: a free port. Undefined: the default one, or a free one if that is in use. */
  readonly port: number | undefined;
  readonly dir: string;
  readonly data: string;
  /** `data` is the default folder. */
  readonly hasDefaultData: boolean;
  readonly claude: string | undefined;
  readonly listen: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly publicUrls: readonly PublicUrl[];
  readonly places: string | undefined;
  /** Each session has a bridge process of its own. */
  readonly isIsolated: boolean;
  /** Browsers sign in by a name of its own instead of the names of loopback. */
  readonly hasOwnName: boolean;
  readonly isJson: boolean;
  /** The database of the sessions, if they are not in the data folder. */
  readonly database: DatabaseFlags | undefined;
};

/** The flags, or the text to print instead of a start. */
export type ParsedHostFlags =
  | { readonly flags: HostFlags }
  | { readonly help: true }
  | { readonly problem: string };

/** Fixed, so that a browser finds the host again after a restart. */
export const DEFAULT_PORT = 7717;

export const USAGE = `tugtalk host: runs sessions of Claude Code and serves them over HTTP and WebSocket

usage: tugtalk host [options]
       tugtalk host url [--data path]        prints a new link to the running host
       tugtalk host revoke [--data path]     makes every token, cookie and link void
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
  --database-file <path>  keep the sessions in the PostgreSQL database whose URL this file has, as
                        the variable TUGTALK_DATABASE does; any number of hosts may share one
  --machine <name>      the name of this machine among theirs (default: its host name)
  --lease <seconds>     for how long a host that is lost keeps its sessions (default: 30)
  --idle-exit <seconds> when bridges of this machine end without a host that runs (default: 60)
  --json                print one line of JSON: url, port, token_file, pid, place
  --help                print this text and exit
`;

const HOST_NAME = /^([a-z\d]([a-z\d.-]{0,252})|\[[\da-f:.]+\])$/i;

const OPTIONS = {
  port: { type: "string", check: matching(isPort, "expected 0 to 65535") },
  dir: { type: "string", check: present },
  data: { type: "string", check: present },
  claude: { type: "string", check: present },
  isolate: { type: "boolean" },
  listen: { type: "string", check: matching((text) => isIP(text) !== 0, "expected an IP address") },
  "allow-host": {
    type: "string",
    multiple: true,
    check: (text: string) => (HOST_NAME.test(text) ? undefined : "expected a name without a port"),
  },
  places: { type: "string", check: present },
  "public-url": { type: "string", multiple: true, check: publicUrlProblem },
  "no-own-name": { type: "boolean" },
  "own-name": { type: "boolean" },
  ...DATABASE_OPTIONS,
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the arguments after `host`. */
export function parseHostFlags(
  words: readonly string[],
  env: Environment,
  currentDir: string,
): ParsedHostFlags {
  const parsed = readFlags(words, OPTIONS);
  if ("problem" in parsed) return parsed;
  const { flags } = parsed;
  const { port, claude, listen, places, "allow-host": allowedHosts = [] } = flags;
  if (!isLoopback(listen) && allowedHosts.length === 0)
    return { problem: "--listen: needs --allow-host with the name that browsers use" };
  if (flags["own-name"] === true && flags["no-own-name"] === true)
    return { problem: "--no-own-name: contradicts --own-name" };
  if (flags.help === true) return { help: true };
  const database = databaseFlags(flags, env, currentDir);
  if (database !== undefined && "problem" in database) return database;
  const data = dataFolder(flags.data, env, currentDir);
  return {
    flags: {
      port: port === undefined ? undefined : Number(port),
      claude,
      listen,
      dir: resolve(currentDir, flags.dir ?? "."),
      data,
      hasDefaultData: data === dataFolder(undefined, env, currentDir),
      allowedHosts,
      places: places === undefined ? undefined : resolve(currentDir, places),
      isIsolated: flags.isolate === true,
      publicUrls: (flags["public-url"] ?? []).flatMap((text) => {
        const url = parsePublicUrl(text);
        return "problem" in url ? [] : [url];
      }),
      hasOwnName: flags["no-own-name"] !== true,
      isJson: flags.json === true,
      database,
    },
  };
}

function isLoopback(address: string | undefined): boolean {
  return address === undefined || address === "::1" || address.startsWith("127.");
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
}

function publicUrlProblem(text: string): string | undefined {
  const parsed = parsePublicUrl(text);
  return "problem" in parsed ? parsed.problem : undefined;
}
