/** A WebSocket for tests whose client reads nothing. */
import type { FrameSocket } from "../../socket-outlet.ts";

/** A connection whose client reads nothing until `bufferedBytes` is set back. */
export class FakeSocket implements FrameSocket {
  bufferedBytes = 0;
  isTerminated = false;
  /** Called on termination, as Bun calls `close` at once. */
  onClose = (): void => {};
  /** Drops messages, as Bun does at its own limit or after the end of the connection. */
  isDropping = false;
  readonly sent: string[] = [];

  sendText(text: string): number {
    if (this.isDropping) return 0;
    this.sent.push(text);
    this.bufferedBytes += text.length;
    return -1;
  }

  getBufferedAmount(): number {
    return this.bufferedBytes;
  }

  cork<Result>(write: (socket: never) => Result): Result {
    return write(undefined as never);
  }

  terminate(): void {
    this.isTerminated = true;
    this.onClose();
  }
}
