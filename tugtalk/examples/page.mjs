/**
 * A chat in the browser: this server starts the bridge, sends its messages to page.html as
 * server-sent events, and passes on what the page posts. Plain Node, without any package.
 *
 *     node page.mjs                 talks to the simulator, which needs no account
 *     node page.mjs npx tugtalk     talks to Claude, in the current folder
 *
 * Who reaches the server can run commands as you. So it listens on this machine only, its address
 * holds a secret, and it refuses requests under other names and from other pages. Ctrl-C ends it.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const given = process.argv.slice(2);
const [command = "", ...args] = given.length > 0 ? given : ["npx", "tugtalk", "simulate"];
const page = readFileSync(new URL("page.html", import.meta.url));
/** The path of the page, which nobody can guess. */
const base = `/${randomUUID()}/`;
/** The lines of the bridge, so that a page that comes later, or comes back, gets what it missed. */
const lines = [];
const pages = new Set();

const bridge = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], detached: true });
bridge.stdin.on("error", () => {}); // The bridge has ended. Its last messages say why.
bridge.stdin.write(`${JSON.stringify({ type: "protocol_init", version: 2 })}\n`);
createInterface({ input: bridge.stdout }).on("line", (line) => {
  lines.push(line);
  for (const response of pages) writeEvent(response, lines.length);
});
bridge.on("error", ({ message }) => console.error(`cannot start the bridge: ${message}`));
bridge.on("close", (code) => {
  process.exitCode = code ?? 1;
  server.close();
  for (const response of pages) response.end();
});
// At the end of its input the bridge ends Claude and then itself; nothing needs to be killed.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => bridge.stdin.end());

const server = createServer(handle);
server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => console.log(origin() + base));

function origin() {
  return `http://127.0.0.1:${server.address().port}`;
}

async function handle(request, response) {
  const { method, url, headers } = request;
  const isOurs = `http://${headers.host}` === origin() && (headers.origin ?? origin()) === origin();
  const route = isOurs ? `${method} ${url}` : "refused";
  if (route === `GET ${base}`)
    response.setHeader("content-type", "text/html; charset=utf-8").end(page);
  else if (route === `GET ${base}events`) streamEvents(request, response);
  else if (route === `POST ${base}send`) response.writeHead(await forward(request)).end();
  else response.writeHead(isOurs ? 404 : 403).end();
}

/** One event for each message. The browser names the last one that it got when it connects again. */
function streamEvents(request, response) {
  response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
  const seen = Number(request.headers["last-event-id"] ?? 0);
  for (let number = seen + 1; number <= lines.length; number += 1) writeEvent(response, number);
  pages.add(response);
  response.on("close", () => pages.delete(response));
}

function writeEvent(response, number) {
  response.write(`id: ${number}\ndata: ${lines[number - 1]}\n\n`);
}

/** Passes the message in a request's body on to the bridge, which checks it; returns the HTTP status. */
async function forward(request) {
  let body = "";
  try {
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    bridge.stdin.write(`${JSON.stringify(JSON.parse(body))}\n`); // On one line, whatever came.
    return 204;
  } catch {
    return 400;
  }
}
