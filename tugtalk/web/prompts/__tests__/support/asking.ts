/** Sessions whose Claude asks a person, the tabs that show the question, and the answers that Claude gets. */
import type { Page, WebSocketRoute } from "playwright-core";
import type { TestBrowser } from "../../../../testing/drivers/browser.ts";
import { isPromptType } from "../../../../testing/drivers/host-clients.ts";
import type {
  NewTestSession,
  TestHost,
  TestHostSession,
} from "../../../../testing/drivers/host-process.ts";

/** Creates a session, lets its Claude begin a turn, and waits until as many prompts are open. */
export async function askingSession(
  host: TestHost,
  options: NewTestSession,
  prompts = 1,
): Promise<TestHostSession> {
  const session = await host.createSession(options);
  const events = await session.events();
  await session.message("go");
  for (let count = 0; count < prompts; count += 1)
    await events.next(({ type }) => isPromptType(type));
  events.close();
  return session;
}

/** The answer that Claude has read to the request of this id. */
export async function answerTo(session: TestHostSession, requestId: string): Promise<unknown> {
  const line = await session.claudeHears(({ type, response }) => {
    const isAnswer = type === "control_response" && typeof response === "object";
    return isAnswer && response !== null && Reflect.get(response, "request_id") === requestId;
  });
  return Reflect.get(Object(line["response"]), "response");
}

/** The card of the prompt that is shown. */
export const cardOf = (page: Page, name = "Tool Approval Required") =>
  page.getByRole("article", { name });

/** A connection between a tab and the host that a test can spoil. */
export class Wire {
  /** Commands that the host does not get: they are answered with an error. */
  readonly refused = new Set<string>();
  /** Commands that are not answered at all. */
  readonly held = new Set<string>();
  /** The tab gets nothing but the answers to its commands. */
  isDeaf = false;
  /** The tab gets no messages at all. */
  isSilent = false;
  readonly #open = new Set<WebSocketRoute>();
  #isCut = false;

  static async tab(browser: TestBrowser, sessionId: string): Promise<[Page, Wire]> {
    const wire = new Wire();
    const page = await browser.context.newPage();
    await page.routeWebSocket(/\/ws$/, (socket) => wire.#connect(socket));
    await browser.show(page, sessionId);
    return [page, wire];
  }

  /** Ends the connection, and refuses another one. */
  async cut(): Promise<void> {
    this.#isCut = true;
    for (const socket of this.#open) await socket.close();
  }

  mend(): void {
    this.#isCut = false;
  }

  #connect(socket: WebSocketRoute): void {
    if (this.#isCut) {
      void socket.close();
      return;
    }
    this.#open.add(socket);
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (this.isSilent) return;
      if (!this.isDeaf || "id" in JSON.parse(String(message))) socket.send(message);
    });
    socket.onMessage((message) => {
      const { id, cmd } = JSON.parse(String(message));
      if (this.held.has(cmd)) return;
      if (!this.refused.has(cmd)) server.send(message);
      else socket.send(JSON.stringify({ id, ok: false, status: 500, error: "the disk is full" }));
    });
  }
}
