/** Senders that wait until a client has read enough to be sent more. */

export class DrainQueue {
  #first: (() => void)[] = [];
  #waiting: (() => void)[] = [];

  add(resume: () => void, place: "first" | "last" = "last"): void {
    if (place === "first") this.#first.push(resume);
    else this.#waiting.push(resume);
  }

  /** Lets them continue one after the other, as long as there is room; who has continued may wait again, behind the others. */
  resume(hasRoom: () => boolean): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const next = () => this.#first.shift() ?? waiting.shift();
    for (let go = hasRoom() && next(); go; go = hasRoom() && next()) go();
    this.#waiting.unshift(...waiting);
  }
}
