/** A session whose Claude plays the conversation of a test, followed from its first event. */
import type { EventReader, SentEvent } from "../../../testing/drivers/host-clients.ts";
import type {
  NewTestSession,
  TestHost,
  TestHostSession,
} from "../../../testing/drivers/host-process.ts";

export class Scene {
  readonly session: TestHostSession;
  readonly #events: EventReader;

  private constructor(session: TestHostSession, events: EventReader) {
    this.session = session;
    this.#events = events;
  }

  static async open(host: TestHost, options: NewTestSession = {}): Promise<Scene> {
    const session = await host.createSession(options);
    return new Scene(session, await session.events());
  }

  /** Sends a message. */
  async say(message: string): Promise<void> {
    const { status, body } = await this.session.message(message);
    if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  }

  /** Sends a message and waits for the end of its turn. */
  async exchange(message: string): Promise<void> {
    await this.say(message);
    await this.until("turn_complete");
    await this.untilState("idle");
  }

  /** The next event that fits. */
  until(type: string, fits: (data: SentEvent["data"]) => boolean = () => true): Promise<SentEvent> {
    return this.#events.next((event) => event.type === type && fits(event.data));
  }

  untilState(wanted: string): Promise<SentEvent> {
    return this.until("session_state", ({ state }) => state === wanted);
  }

  /** Ends the connection that follows it; the session goes on. */
  close(): void {
    this.#events.close();
  }
}
