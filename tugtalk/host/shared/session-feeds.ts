/** Frames for the listeners of sessions, whichever host holds them: one feed for all listeners of a session. */
import type { Frame } from "../api/frame.ts";
import type { HostSession } from "../api/host-session.ts";
import { Listeners } from "../sessions/listeners.ts";
import { EntryFeed, type FeedJournal, lastFrames } from "./entry-feed.ts";

type OnFrames = (frames: readonly Frame[]) => void;

export type FeedPorts = {
  readonly journal: FeedJournal;
  /** The session as this host holds it now. */
  readonly held: (id: string) => Pick<HostSession, "listen"> | undefined;
};

export class SessionFeeds {
  readonly #ports: FeedPorts;
  /** Of the sessions that somebody listens to. */
  readonly #feeds = new Map<string, SessionFeed>();

  constructor(ports: FeedPorts) {
    this.#ports = ports;
  }

  get(id: string): SessionFeed | undefined {
    return this.#feeds.get(id);
  }

  all(): readonly SessionFeed[] {
    return [...this.#feeds.values()];
  }

  /** Calls back with the entries that are committed from now on, and at first perhaps with those that were there already. */
  listen(id: string, onFrames: OnFrames): () => void {
    const feed = this.#feeds.get(id) ?? new SessionFeed(id, this.#ports);
    this.#feeds.set(id, feed);
    const stop = feed.listen(onFrames);
    return () => {
      stop();
      // Who has ended before may end once more: there may be another feed by then.
      if (!feed.isHeard && this.#feeds.get(id) === feed) this.#feeds.delete(id);
    };
  }
}

export class SessionFeed {
  readonly id: string;
  readonly #ports: FeedPorts;
  readonly #listeners = new Listeners<readonly Frame[]>();
  #entries: EntryFeed | undefined;
  #stop = () => {};

  constructor(id: string, ports: FeedPorts) {
    this.id = id;
    this.#ports = ports;
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  listen(onFrames: OnFrames): () => void {
    const stop = this.#listeners.add(onFrames);
    if (this.#listeners.size === 1) this.refeed();
    return () => {
      stop();
      if (!this.isHeard) this.#stopFeeding();
    };
  }

  /** Another host holds it from now on, or this one. */
  refeed(): void {
    this.#stopFeeding();
    const { journal, held } = this.#ports;
    const tell: OnFrames = (frames) => this.#listeners.tell(frames);
    const session = held(this.id);
    if (session !== undefined) {
      this.#stop = session.listen(tell);
      void this.#tellLast();
      return;
    }
    const entries = new EntryFeed(journal, this.id, tell);
    this.#entries = entries;
    this.#stop = () => entries.end();
  }

  /** Tells the latest frames, by which listeners find the entries that were committed between two feeds. */
  async #tellLast(): Promise<void> {
    const frames = await lastFrames(this.#ports.journal, this.id).catch(() => []);
    if (frames.length > 0) this.#listeners.tell(frames);
  }

  #stopFeeding(): void {
    this.#stop();
    this.#stop = () => {};
    this.#entries = undefined;
  }

  /** There may be new entries. */
  wake(): void {
    this.#entries?.wake();
  }

  /** Tells what is in no journal. */
  notify(notice: Frame): void {
    this.#listeners.tell([notice]);
  }

  /** It is deleted, as this frame says. */
  forget(deleted: Frame): void {
    this.#stopFeeding();
    this.#listeners.tell([deleted]);
  }
}
