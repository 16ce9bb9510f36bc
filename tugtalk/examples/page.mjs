/**
 * A chat in the browser: starts the bridge, sends its messages to page.html as server-sent events,
 * and passes on the messages that the page posts. Plain Node, without any package. Ctrl-C ends it.
 *
 *     node page.mjs                 talks to the simulator, which needs no account
 *     node page.mjs npx tugtalk     talks to Claude, in the current folder
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { json } from "node:stream/consumers";

const given = process.argv.slice(2);
const [command, ...args] = given.length > 0 ? given : ["npx", "tugtalk", "simulate"];
const bridge = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], detached: true });
const lines = []; // Lines of the bridge, for a page that comes later, or comes back.
const pages = new Set(); // The responses that stream events.

const send = (message) => bridge.stdin.write(`${JSON.stringify(message)}\n`);
const writeEvent = (page, number) => page.write(`id: ${number}\ndata: ${lines[number - 1]}\n\n`);

send({ type: "protocol_init", version: 2 });
createInterface({ input: bridge.stdout }).on("line", (line) => {
  lines.push(line);
  for (const page of pages) writeEvent(page, lines.length);
  const { type, request_id } = JSON.parse(line);
  // A form of an MCP server, which the page cannot show. Claude waits until it has an answer.
  if (type === "elicitation_request")
    send({ type: "elicitation_answer", request_id, action: "decline" });
});
bridge.stdin.on("error", () => {}); // The bridge has ended. Its last messages say why.
bridge.on("error", ({ message }) => console.error(`cannot start the bridge: ${message}`));
bridge.on("close", (code) => {
  process.exitCode = code ?? 1; // Null after a signal.
  server.close();
  for (const page of pages) page.end();
});
// At the end of its input the bridge ends Claude and then itself.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => bridge.stdin.end());

// Who reaches this server can run commands as you. So it listens on this machine only, its address
// holds a secret, and it refuses requests under other names and from other pages.
const base = `/${randomUUID()}/`;
const server = createServer(async (request, response) => {
  const origin = `http://127.0.0.1:${server.address().port}`;
  const { host, origin: from = origin, "last-event-id": seen = 0 } = request.headers;
  const isOurs = `http://${host}` === origin && from === origin;
  const route = isOurs ? `${request.method} ${request.url}` : "refused";
  if (route === `GET ${base}`) {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(readFileSync(new URL("page.html", import.meta.url)));
  } else if (route === `GET ${base}events`) {
    response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
    // A browser that comes back names the last event that it got.
    for (let number = Number(seen) + 1; number <= lines.length; number += 1)
      writeEvent(response, number);
    pages.add(response.on("close", () => pages.delete(response)));
  } else if (route === `POST ${base}send`) {
    const outcome = await json(request)
      .then(send)
      .catch((error) => error);
    response.writeHead(outcome instanceof Error ? 400 : 204).end();
  } else response.writeHead(isOurs ? 404 : 403).end();
});
server.listen(process.env.PORT ?? 0, "127.0.0.1", () =>
  console.log(`http://127.0.0.1:${server.address().port}${base}`),
);
