/** What waits until a client has read enough to be sent more. */

export class WaitingRoom {
  #waiting: (() => void)[] = [];

  add(resume: () => void): void {
    this.#waiting.push(resume);
  }

  /** Lets them continue one after the other, as long as there is room; who has continued may wait again, behind the others. */
  resume(hasRoom: () => boolean): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    while (waiting.length > 0 && hasRoom()) waiting.shift()?.();
    this.#waiting.unshift(...waiting);
  }
}
