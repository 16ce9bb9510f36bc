/**
 * The floor for the host: the least that journals a bridge's messages and sends them to clients. Each
 * session is a bridge process; a batch of lines is parsed, written to SQLite in one transaction, and
 * sent to each client. No reduced state, no prompts, no resume, no check of who asks. Takes the paths of
 * a folder and of a bridge, and tells the process that started it where it listens.
 */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { z } from "zod";
import { LineSplitter } from "../src/base/lines.ts";

const [folder = "", bridge = ""] = process.argv.slice(2);

type Client = Bun.ServerWebSocket<undefined>;
type Session = { readonly clients: Set<Client>; readonly send: (message: object) => void };

const Message = z.object({ message: z.string() });
const Subscription = z.object({ id: z.unknown(), s: z.string() });

const database = new Database(join(folder, "relay.db"), { create: true });
database.run("PRAGMA journal_mode=WAL");
database.run("PRAGMA synchronous=NORMAL");
database.run("CREATE TABLE entries (s TEXT, q INTEGER, t TEXT, d TEXT, PRIMARY KEY (s, q))");
const insert = database.query("INSERT INTO entries VALUES (?, ?, ?, ?)");
const sessions = new Map<string, Session>();

function startSession(): { readonly id: string } {
  const id = crypto.randomUUID();
  const child = Bun.spawn([process.execPath, bridge], { stdio: ["pipe", "pipe", "inherit"] });
  const send = (message: object) => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    void child.stdin.flush();
  };
  const clients = new Set<Client>();
  sessions.set(id, { clients, send });
  void pass(id, child.stdout, clients);
  send({ type: "protocol_init", version: 2 });
  return { id };
}

async function pass(id: string, lines: ReadableStream<Uint8Array>, clients: Set<Client>) {
  const splitter = new LineSplitter();
  const decoder = new TextDecoder();
  const batch: string[] = [];
  let q = 0;
  const commit = database.transaction((texts: readonly string[]) => {
    for (const text of texts) {
      const { type: t, ...data } = JSON.parse(text);
      const d = JSON.stringify(data);
      q += 1;
      insert.run(id, q, t, d);
      batch.push(`{"s":"${id}","e":1,"q":${q},"t":"${t}","d":${d}}`);
    }
  });
  for await (const chunk of lines) {
    commit([...splitter.feed(chunk)].map((line) => decoder.decode(line as Uint8Array)));
    for (const frame of batch.splice(0)) for (const client of clients) client.send(frame);
  }
}

function takeMessage(id: string, { message }: z.infer<typeof Message>): object {
  const message_id = crypto.randomUUID();
  sessions.get(id)?.send({ type: "user_message", text: message, message_id });
  return { status: "sent", message_id };
}

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request, self) {
    const { pathname } = new URL(request.url);
    if (pathname === "/ws")
      return self.upgrade(request) ? undefined : new Response("", { status: 400 });
    const id = /^\/api\/sessions\/([^/]+)\/message$/.exec(pathname)?.[1];
    if (id === undefined) return Response.json(startSession(), { status: 201 });
    return Response.json(takeMessage(id, Message.parse(await request.json())));
  },
  websocket: {
    message(client, text) {
      const { id, s } = Subscription.parse(JSON.parse(String(text)));
      sessions.get(s)?.clients.add(client);
      client.send(JSON.stringify({ id, ok: true }));
    },
  },
});
process.send?.(server.url.href);
