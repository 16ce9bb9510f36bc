/** One WebSocket, from its opening to its end. A command without an answer by then never gets one. */
import type { HostFrame } from "../session-input.ts";
import { PING_MS, SilenceTimer } from "./reconnection.ts";
import { isAnswer, parseSocketMessage, type SocketAnswer } from "./socket-messages.ts";
import type { HostAddress } from "./transport.ts";

/** Its reports to its owner. */
export type ConnectionListener = {
  readonly onOpen: () => void;
  readonly onFrame: (frame: HostFrame) => void;
  /** Once: it was refused, closed, lost, or was silent for too long. */
  readonly onEnd: () => void;
};

export type OpenSocket = (url: URL) => WebSocket;

/** Undefined: the connection ended before the answer. */
type OnAnswer = (answer: SocketAnswer | undefined) => void;

export class SocketConnection {
  #socket: WebSocket | undefined;
  readonly #listener: ConnectionListener;
  readonly #silence: SilenceTimer;
  readonly #unanswered = new Map<number, OnAnswer>();
  /** Until it is open. */
  readonly #unsent: string[] = [];
  #lastId = 0;
  #hasEnded = false;

  constructor(address: HostAddress, listener: ConnectionListener, openSocket: OpenSocket) {
    this.#listener = listener;
    this.#silence = new SilenceTimer(address.pingMs ?? PING_MS, () => this.close());
    const open = () => this.#open(openSocket, new URL("/ws", address.url.replace(/^http/, "ws")));
    if (address.isHost === undefined) open();
    else void address.isHost().then((isHost) => (isHost ? open() : this.#end()));
  }

  /** Sends a command, as soon as the connection is open. */
  request(command: object, onAnswer: OnAnswer): void {
    this.#lastId += 1;
    const text = JSON.stringify({ ...command, id: this.#lastId });
    this.#unanswered.set(this.#lastId, onAnswer);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
    else this.#unsent.push(text);
  }

  /** Ends it at once: a connection that is mute would not end by itself for a long time. */
  close(): void {
    this.#socket?.close();
    this.#end();
  }

  #open(openSocket: OpenSocket, url: URL): void {
    if (this.#hasEnded) return;
    const socket = openSocket(url);
    this.#socket = socket;
    socket.onopen = () => {
      this.#listener.onOpen();
      for (const text of this.#unsent.splice(0)) socket.send(text);
    };
    socket.onmessage = ({ data }) => this.#receive(String(data));
    socket.onclose = () => this.#end();
  }

  #receive(text: string): void {
    this.#silence.reset();
    const message = parseSocketMessage(text);
    if (message === undefined) return;
    if (isAnswer(message)) this.#answer(message);
    else this.#listener.onFrame(message);
  }

  #answer(answer: SocketAnswer): void {
    const onAnswer = this.#unanswered.get(answer.id);
    this.#unanswered.delete(answer.id);
    onAnswer?.(answer);
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#socket !== undefined) {
      this.#socket.onopen = null;
      this.#socket.onmessage = null;
      this.#socket.onclose = null;
    }
    this.#silence.stop();
    this.#listener.onEnd();
    for (const onAnswer of this.#unanswered.values()) onAnswer(undefined);
    this.#unanswered.clear();
  }
}
