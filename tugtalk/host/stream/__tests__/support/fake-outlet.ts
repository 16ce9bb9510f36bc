/** A client for tests with as much room as the test gives it. */
import type { Frame, Outlet } from "../../../api/frame.ts";
import { charsOf } from "../../../api/frame.ts";

export class FakeOutlet implements Outlet {
  readonly frames: Frame[] = [];
  isCutOff = false;
  /** Makes each send throw. */
  isBroken = false;
  #roomChars: number;
  #waiting: (() => void)[] = [];

  constructor(roomChars = Number.POSITIVE_INFINITY) {
    this.#roomChars = roomChars;
  }

  get types(): readonly string[] {
    return this.frames.map(({ type }) => type);
  }

  /** The numbers of the entries, in their order of arrival. */
  get seqs(): readonly number[] {
    return this.frames.flatMap(({ cursor }) => (cursor === undefined ? [] : [cursor.seq]));
  }

  get hasRoom(): boolean {
    return this.#roomChars > 0;
  }

  send(frames: readonly Frame[]): boolean {
    if (this.isBroken) throw new Error("the connection is closed");
    if (this.#roomChars <= 0) throw new Error("sent without room");
    this.frames.push(...frames);
    this.#roomChars -= charsOf(frames);
    return this.hasRoom;
  }

  onRoom(resume: () => void, place: "first" | "last" = "last"): void {
    if (place === "first") this.#waiting.unshift(resume);
    else this.#waiting.push(resume);
  }

  cutOff(): void {
    this.isCutOff = true;
  }

  /** The client reads this much. */
  read(chars: number): void {
    this.#roomChars += chars;
    while (this.#roomChars > 0 && this.#waiting.length > 0) this.#waiting.shift()?.();
  }
}
