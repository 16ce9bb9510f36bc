/** Requests as bytes on a socket, for requests that no client library sends. */
import { connect, type Socket } from "node:net";
import { connect as connectOverTls } from "node:tls";

export type RawAnswer = {
  readonly status: number;
  /** The headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** The part of the body that had come when its length was reached, or the connection ended. */
  readonly body: string;
};

/** Sends a text unchanged, and resolves with the answer. The answer of a stream is its head. */
export function sendRaw(port: number, request: string): Promise<RawAnswer> {
  return answerOn(connect(port, "127.0.0.1"), request);
}

export type TlsAddress = {
  readonly port: number;
  readonly servername: string;
  /** The trusted authority, as PEM. */
  readonly ca: string;
};

/** Sends a text over TLS. */
export function sendRawOverTls(address: TlsAddress, request: string): Promise<RawAnswer> {
  return answerOn(connectOverTls({ ...address, host: "127.0.0.1" }), request);
}

function answerOn(socket: Socket, request: string): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  let text = "";
  socket.setEncoding("latin1");
  // Node keeps bytes that are written before the connection is open.
  socket.write(request);
  socket.on("data", (piece: string) => {
    text += piece;
    const answer = parseAnswer(text);
    if (answer === undefined) return;
    resolve(answer);
    socket.destroy();
  });
  socket.on("error", reject);
  socket.on("close", () => reject(new Error(`closed after ${JSON.stringify(text)}`)));
  return promise;
}

/** A request of these lines, without a body. */
export function requestText(lines: readonly string[], body = ""): string {
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

function parseAnswer(text: string): RawAnswer | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = new Map(lines.map(parseHeader));
  const body = text.slice(end + 4);
  if (body.length < Number(headers.get("content-length") ?? 0)) return undefined;
  return { status: Number(first.split(" ")[1]), headers, body };
}

function parseHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
