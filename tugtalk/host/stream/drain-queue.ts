/** Senders that wait until a client has read enough for more frames. */

export class DrainQueue {
  #first: (() => void)[] = [];
  #waiting: (() => void)[] = [];

  add(resume: () => void, place: "first" | "last" = "last"): void {
    if (place === "first") this.#first.push(resume);
    else this.#waiting.push(resume);
  }

  /**
   * Resumes the senders one after the other as long as there is room. A resumed sender may wait again, behind
   * the others.
   */
  resume(hasRoom: () => boolean): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const next = () => this.#first.shift() ?? waiting.shift();
    for (let go = hasRoom() && next(); go; go = hasRoom() && next()) go();
    this.#waiting.unshift(...waiting);
  }
}
