/** The way out of one WebSocket, with its back-pressure. */
import type { ServerWebSocket } from "bun";
import type { Frame, Outlet } from "../api/frame.ts";
import { DrainQueue } from "./drain-queue.ts";
import { socketText } from "./encoding.ts";

/** How much waits in this process for a client that does not read, before it is sent no more frames. */
const MAX_WAITING_BYTES = 256 * 1024;
/** How much waits for a client beside the largest message, which may be a snapshot, before it is cut off. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

/** The WebSocket as the outlet needs it. */
export type FrameSocket = Pick<
  ServerWebSocket<unknown>,
  "sendText" | "cork" | "getBufferedAmount" | "terminate"
>;

export class SocketOutlet implements Outlet {
  readonly #socket: FrameSocket;
  readonly #waiting = new DrainQueue();
  /** How much of the largest message was left to wait. */
  #largestBytes = 0;

  constructor(socket: FrameSocket) {
    this.#socket = socket;
  }

  send(frames: readonly Frame[]): boolean {
    // One write for all of them.
    this.#socket.cork(() => {
      for (const frame of frames) this.sendText(socketText(frame));
    });
    return this.hasRoom;
  }

  /** Whatever else the client is sent. */
  sendText(text: string): void {
    const before = this.#bytesWaiting;
    if (this.hasRoom) this.#largestBytes = 0;
    // 0: dropped, because the connection is closed. The client must not go on with a hole. -1 is what
    // `getBufferedAmount` tells, too.
    if (before - this.#largestBytes > MAX_UNREAD_BYTES || this.#socket.sendText(text) === 0)
      this.cutOff();
    else this.#largestBytes = Math.max(this.#largestBytes, this.#bytesWaiting - before);
  }

  onRoom(resume: () => void, place?: "first" | "last"): void {
    this.#waiting.add(resume, place);
  }

  /** Bun's `drain`. */
  resume(): void {
    this.#waiting.resume(() => this.hasRoom);
  }

  cutOff(): void {
    this.#socket.terminate();
  }

  get isRead(): boolean {
    return this.#bytesWaiting === 0;
  }

  get hasRoom(): boolean {
    return this.#bytesWaiting < MAX_WAITING_BYTES;
  }

  get #bytesWaiting(): number {
    return this.#socket.getBufferedAmount();
  }
}
