/** A stand-in that speaks PostgreSQL's protocol and answers every simple query with the same row, or none at all. */
type Row = Readonly<Record<string, string>>;

type Client = { readonly write: (data: Buffer) => number; readonly end: () => void };

const TEXT_TYPE = 25;

export class ClaimedServer {
  readonly #listener: Bun.TCPSocketListener;
  readonly #row: Row | undefined;

  constructor(row?: Row) {
    this.#row = row;
    this.#listener = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket, data) => this.#receive(socket, data) },
    });
  }

  /** Without TLS, for which it would have to be asked otherwise. */
  get url(): string {
    return `postgres://tugtalk@127.0.0.1:${this.#listener.port}/tugtalk?sslmode=disable`;
  }

  stop(): void {
    this.#listener.stop(true);
  }

  /** A start has no letter; each query comes in one piece, since the client waits for its answer. */
  #receive(socket: Client, data: Buffer): void {
    const letter = String.fromCodePoint(data[0] ?? 0);
    if (letter === "\0") socket.write(Buffer.concat([message("R", int32(0)), READY]));
    else if (letter !== "Q") socket.end();
    else if (this.#row !== undefined) socket.write(answerOf(this.#row));
  }
}

function answerOf(row: Row): Buffer {
  const names = Object.keys(row);
  const columns = names.map((name) =>
    Buffer.concat([
      text(name),
      int32(0),
      int16(0),
      int32(TEXT_TYPE),
      int16(-1),
      int32(-1),
      int16(0),
    ]),
  );
  const values = Object.values(row).map((value) =>
    Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)]),
  );
  return Buffer.concat([
    message("T", int16(names.length), ...columns),
    message("D", int16(names.length), ...values),
    message("C", text("SELECT 1")),
    READY,
  ]);
}

function message(letter: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(letter), int32(body.length + 4), body]);
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

const READY = message("Z", Buffer.from("I"));
