/** The sending side of one WebSocket, with its back-pressure. */
import type { ServerWebSocket } from "bun";
import type { Frame, Outlet } from "../api/frame.ts";
import { DrainQueue } from "./drain-queue.ts";
import { socketText } from "./encoding.ts";

/** How many bytes may wait in this process for a client before it gets no more frames. */
const MAX_WAITING_BYTES = 256 * 1024;
/**
 * How many bytes may wait for a client beside the largest message, which may be a snapshot, before it is cut
 * off.
 */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

/** The methods of a WebSocket that the outlet uses. */
export type FrameSocket = Pick<
  ServerWebSocket<unknown>,
  "sendText" | "cork" | "getBufferedAmount" | "terminate"
>;

export class SocketOutlet implements Outlet {
  readonly #socket: FrameSocket;
  readonly #waiting = new DrainQueue();
  /** How many bytes of the largest message had to wait. */
  #largestBytes = 0;

  constructor(socket: FrameSocket) {
    this.#socket = socket;
  }

  send(frames: readonly Frame[]): boolean {
    // One write for all frames.
    this.#socket.cork(() => {
      for (const frame of frames) this.sendText(socketText(frame));
    });
    return this.hasRoom;
  }

  /** Sends another text than a frame. */
  sendText(text: string): void {
    const before = this.#bytesWaiting;
    if (this.hasRoom) this.#largestBytes = 0;
    // 0: Bun has dropped the text, because the connection is closed. The client must not continue with a gap.
    // Bun's -1 is covered by `getBufferedAmount`.
    if (before - this.#largestBytes > MAX_UNREAD_BYTES || this.#socket.sendText(text) === 0)
      this.cutOff();
    else this.#largestBytes = Math.max(this.#largestBytes, this.#bytesWaiting - before);
  }

  onRoom(resume: () => void, place?: "first" | "last"): void {
    this.#waiting.add(resume, place);
  }

  /** Called on Bun's `drain`. */
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
