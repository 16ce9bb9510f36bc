/** Frames for the listeners of sessions, whichever host holds them: one feed for each session. */
import type { Frame } from "../api/frame.ts";
import type { HostSession } from "../api/host-session.ts";
import { Listeners } from "../sessions/listeners.ts";
import { EntryFeed, type FeedJournal, lastFrames } from "./entry-feed.ts";

type OnFrames = (frames: readonly Frame[]) => void;

export type FeedPorts = {
  readonly journal: FeedJournal;
  /** The session if this host holds it. */
  readonly held: (id: string) => Pick<HostSession, "listen"> | undefined;
};

export class SessionFeeds {
  readonly #ports: FeedPorts;
  /** The feeds of sessions with listeners. */
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

  /** Calls back with the entries that are committed from now on, and at first perhaps with earlier ones. */
  listen(id: string, onFrames: OnFrames): () => void {
    const feed = this.#feeds.get(id) ?? new SessionFeed(id, this.#ports);
    this.#feeds.set(id, feed);
    const stop = feed.listen(onFrames);
    return () => {
      stop();
      // A listener may end twice: by then the session may have another feed.
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

  /** The session has another holder. */
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

  /** Sends the latest frame, by which listeners find the entries that were committed between two feeds. */
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

  /** Sends a frame that is in no journal. */
  notify(notice: Frame): void {
    this.#listeners.tell([notice]);
  }

  /** The session is deleted. Sends this frame. */
  forget(deleted: Frame): void {
    this.#stopFeeding();
    this.#listeners.tell([deleted]);
  }
}
