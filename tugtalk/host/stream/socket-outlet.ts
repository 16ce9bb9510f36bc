/** The way out of one WebSocket, with its back-pressure. */
import type { ServerWebSocket } from "bun";
import { socketText } from "./encoding.ts";
import type { Frame, Outlet } from "./frame.ts";
import { WaitingRoom } from "./waiting-room.ts";

/** How much waits in this process for a client that does not read, before it is sent no more frames. */
const MAX_WAITING_BYTES = 256 * 1024;

/** What the outlet needs of a WebSocket. */
export type FrameSocket = Pick<
  ServerWebSocket<unknown>,
  "sendText" | "cork" | "getBufferedAmount" | "terminate"
>;

export class SocketOutlet implements Outlet {
  readonly #socket: FrameSocket;
  readonly #waiting = new WaitingRoom();

  constructor(socket: FrameSocket) {
    this.#socket = socket;
  }

  send(frames: readonly Frame[]): boolean {
    // One write for all of them.
    this.#socket.cork(() => {
      for (const frame of frames) this.sendText(socketText(frame));
    });
    return this.#hasRoom();
  }

  /** Whatever else the client is sent. */
  sendText(text: string): void {
    // 0: dropped, because the connection is closed or its buffer over Bun's limit. The client must not go
    // on with a hole. -1 is what `getBufferedAmount` tells, too.
    if (this.#socket.sendText(text) === 0) this.cutOff();
  }

  onRoom(resume: () => void): void {
    this.#waiting.add(resume);
  }

  /** Bun's `drain`. */
  resume(): void {
    this.#waiting.resume(() => this.#hasRoom());
  }

  cutOff(): void {
    this.#socket.terminate();
  }

  get isRead(): boolean {
    return this.#socket.getBufferedAmount() === 0;
  }

  #hasRoom(): boolean {
    return this.#socket.getBufferedAmount() < MAX_WAITING_BYTES;
  }
}
