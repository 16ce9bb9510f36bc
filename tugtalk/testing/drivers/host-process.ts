/**
 * The reference host as a process for tests: on a free loopback port, in a throw-away home, with the
 * stand-in as its Claude. `restart` keeps its folders and its port.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { HostCommand } from "../../client/host-routes.ts";
import { checkAnswer, checkSocketAnswer } from "./answer-check.ts";
import { HOST_BRIDGE, TRANSPILED, UNDER_TEST } from "./bridge-process.ts";
import { EventReader, type Fields, type SentEvent, SocketClient } from "./host-clients.ts";
import { requestOf } from "./host-request.ts";
import { type HttpAnswer, readAnswer } from "./http-answer.ts";
import { openClient } from "./openapi-clients.ts";
import { PostgresServer } from "./postgres-server.ts";
import { Printed } from "./process-output.ts";
import {
  claudeHears,
  claudesIn,
  inputIn,
  type RecordedClaude,
  setEnvironment,
} from "./recorded-claudes.ts";
import { writeConversation } from "./written-conversation.ts";

const RECORDING_CLAUDE = join(import.meta.dir, "recording-claude.ts");

/** How a host is started. */
export type HostOptions = {
  readonly hasDefaultData?: boolean;
  readonly args?: readonly string[];
  /** Added to its environment, of which only PATH is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** The path for `--claude`; with an empty one the flag is left out. */
  readonly claude?: string;
  /** The first words of its command, for example for a file system of its own. */
  readonly prefix?: readonly string[];
  /** Its sessions are in its data folder, also if other hosts of the run use a database. */
  readonly hasFile?: boolean;
};

const Started = z.object({
  url: z.string(),
  port: z.number(),
  token_file: z.string(),
  pid: z.number(),
});
type Started = z.infer<typeof Started>;

const started = new Set<TestHost>();

/** Starts a host. End it with `endHosts` in `afterAll`. */
export async function startHost(options: HostOptions = {}): Promise<TestHost> {
  const host = new TestHost(options);
  started.add(host);
  await host.start();
  return host;
}

/** Ends every host that this file has started. */
export async function endHosts(): Promise<void> {
  for (const host of started) await host.kill();
  started.clear();
  await (await postgres)?.stop();
  postgres = undefined;
}

let postgres: Promise<PostgresServer> | undefined;

/** A database of its own for each host, where the tests run on PostgreSQL. */
async function databaseEnvironment(): Promise<Readonly<Record<string, string>>> {
  if (process.env["TUGTALK_TEST_DATABASE"] !== "postgres") return {};
  postgres ??= PostgresServer.start();
  return { TUGTALK_DATABASE: await (await postgres).newDatabase() };
}

/** The fields of a new session, and the conversation of its Claude. */
export type NewTestSession = Fields & {
  /** A conversation for the stand-in, which may name the session's folder; without one it echoes. */
  readonly conversation?: readonly object[] | ((dir: string) => readonly object[]);
  /** Further variables for the stand-in. */
  readonly claudeEnv?: Readonly<Record<string, string>>;
};

export class TestHost {
  /** Everything that belongs to it is in here. */
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "host-")));
  readonly dataDir: string = join(this.root, "data");
  /** Its `--dir`. */
  readonly projectDir = join(this.root, "project");
  readonly home = join(this.root, "home");
  readonly #options: HostOptions;
  #child: Bun.Subprocess<"ignore", "pipe", "pipe"> | undefined;
  #started: Started | undefined;
  #stderr: Promise<string> = Promise.resolve("");
  #folders = 0;
  #database: Readonly<Record<string, string>> | undefined;

  constructor(options: HostOptions) {
    this.#options = options;
    if (options.hasDefaultData) this.dataDir = join(this.root, "state/tugtalk/host");
    for (const dir of [this.projectDir, this.home, join(this.root, "tmp")]) mkdirSync(dir);
  }

  /** Starts it, on the same port as before. Resolves when it serves. */
  async start(): Promise<void> {
    this.#database ??= this.#options.hasFile === true ? {} : await databaseEnvironment();
    const child = Bun.spawn(this.#command(), {
      stdio: ["ignore", "pipe", "pipe"],
      env: this.#environment(),
    });
    this.#child = child;
    this.#stderr = new Response(child.stderr).text();
    const line = await new Printed(child.stdout).waitFor(/\n/).catch(() => undefined);
    if (line === undefined) throw new Error(`the host did not start: ${await this.#stderr}`);
    this.#started = Started.parse(JSON.parse(line));
  }

  /** The URL of the start, with a code that works once. */
  get signInUrl(): string {
    return this.#running.url;
  }

  get port(): number {
    return this.#running.port;
  }

  /** The origin of its page, as its links have it. */
  get pageUrl(): string {
    return new URL(this.signInUrl).origin;
  }

  /** For scripts, which have the token. Without a `/` at its end. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#running.pid;
  }

  get token(): string {
    const { token_file, pid } = this.#running;
    const root = this.#options.prefix === undefined ? "" : `/proc/${pid}/root`;
    return readFileSync(root + token_file, "utf8").trim();
  }

  /** Its log; resolves when it has ended. */
  get stderr(): Promise<string> {
    return this.#stderr;
  }

  /** Asks it to end as Ctrl-C does; resolves with the exit code. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number> {
    this.#child?.kill(signal);
    return (await this.#child?.exited) ?? 0;
  }

  async kill(): Promise<void> {
    await this.stop("SIGKILL");
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** A request with the token. A body is sent as JSON. Throws where the answer is not as documented. */
  async request(method: string, path: string, body?: unknown): Promise<HttpAnswer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...this.authorization,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await readAnswer(response);
    checkAnswer(method, path, answer);
    return answer;
  }

  /** Gives a command by its route, or by the client that `TUGTALK_TEST_CLIENT` names. */
  async run(command: HostCommand, fields: Fields = {}): Promise<HttpAnswer> {
    const { method, path, body } = requestOf(command, fields);
    const client = process.env["TUGTALK_TEST_CLIENT"];
    if (client === undefined) return this.request(method, path, body);
    const give = await openClient(client, this);
    const answer = await give(command, fields);
    checkAnswer(method, path, answer);
    return answer;
  }

  get authorization(): { readonly authorization: string } {
    return { authorization: `Bearer ${this.token}` };
  }

  /** Server-sent events of a path. */
  events(path: string, headers: Readonly<Record<string, string>> = {}): Promise<EventReader> {
    return EventReader.open(this.url + path, { ...this.authorization, ...headers });
  }

  socket(): Promise<SocketClient> {
    return SocketClient.open(`${this.url}/ws`, this.authorization, checkSocketAnswer);
  }

  /** A new folder, trusted by nobody yet. */
  newFolder(): string {
    const dir = join(this.root, `folder-${this.#folders++}`);
    mkdirSync(dir);
    return dir;
  }

  /** Creates a session in a folder of its own. Throws if that is refused. */
  async createSession(session: NewTestSession = {}): Promise<TestHostSession> {
    const { conversation, claudeEnv = {}, ...fields } = session;
    const dir = this.newFolder();
    const lines = typeof conversation === "function" ? conversation(dir) : conversation;
    const played = lines === undefined ? {} : writeConversation(lines);
    setEnvironment(dir, { ...claudeEnv, ...played });
    const { status, body } = await this.run("create", { dir, trust: true, ...fields });
    if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return new TestHostSession(this, String(body["id"]), dir);
  }

  /** Its process runs. */
  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && !this.#child.killed;
  }

  get #running(): Started {
    if (this.#started === undefined) throw new Error("the host has not started");
    return this.#started;
  }

  #command(): string[] {
    const { args = [], claude = RECORDING_CLAUDE, prefix = [] } = this.#options;
    const named = claude === "" ? [] : [`--claude=${claude}`];
    const own = [`--port=${this.#started?.port ?? 0}`, `--data=${this.dataDir}`];
    const words = ["host", "--json", ...own, `--dir=${this.projectDir}`, ...named, ...args];
    return [...prefix, ...UNDER_TEST, ...words];
  }

  #environment(): Record<string, string> {
    return {
      PATH: process.env["PATH"] ?? "",
      HOME: this.home,
      CLAUDE_CONFIG_DIR: join(this.home, ".claude"),
      XDG_STATE_HOME: join(this.root, "state"),
      TMPDIR: join(this.root, "tmp"),
      TUGTALK_SIM_SPEED: "max",
      ...HOST_BRIDGE,
      ...TRANSPILED,
      ...this.#database,
      ...this.#options.env,
    };
  }
}

/** One session of a host, with the folder in which its Claudes are recorded. */
export class TestHostSession {
  readonly host: TestHost;
  readonly id: string;
  readonly dir: string;

  constructor(host: TestHost, id: string, dir: string) {
    this.host = host;
    this.id = id;
    this.dir = dir;
  }

  run(command: HostCommand, fields: Fields = {}): Promise<HttpAnswer> {
    return this.host.run(command, { id: this.id, ...fields });
  }

  message(message: string, fields: Fields = {}): Promise<HttpAnswer> {
    return this.run("message", { message, ...fields });
  }

  /** Its events; from the beginning of its journal unless `after` says otherwise. */
  events(after = "0"): Promise<EventReader> {
    return this.host.events(`/api/sessions/${this.id}/events?after=${after}`);
  }

  /** Sends a message, and resolves with the event that ends its turn. */
  async finishTurn(message = "Tell me something"): Promise<SentEvent> {
    const events = await this.events();
    const { body } = await this.message(message);
    const end = await events.next(
      ({ type, data }) =>
        type === "turn_complete" && Object(data["message_ids"]).includes(body["message_id"]),
    );
    events.close();
    return end;
  }

  /** The Claudes that were started for it, oldest first. */
  get claudes(): readonly RecordedClaude[] {
    return claudesIn(this.dir);
  }

  /** All lines that its Claudes have read from their stdin. */
  get claudeInput(): readonly Fields[] {
    return inputIn(this.dir);
  }

  /** Resolves with the first line that fits, of the lines that its Claudes have read. */
  claudeHears(fits: (line: Fields) => boolean): Promise<Fields> {
    return claudeHears(this.dir, fits);
  }

  /** The next Claude plays this conversation. */
  play(conversation: readonly object[]): void {
    setEnvironment(this.dir, writeConversation(conversation));
  }
}
