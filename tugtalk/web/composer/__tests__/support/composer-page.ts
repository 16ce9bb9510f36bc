/** The parts of the page that tests of the composer look for, and the input of its Claude. */
import type { Page } from "playwright-core";
import type { NewTestSession, TestHostSession } from "../../../../testing/drivers/host-process.ts";
import type { openBrowser } from "../../../__tests__/support/opened-browser.ts";

/** A new session, and a tab with its composer. */
export async function openComposer(
  { host, browser }: Awaited<ReturnType<typeof openBrowser>>,
  options: NewTestSession = {},
) {
  const session = await host.createSession(options);
  const page = await browser.tab(session.id);
  await sendButton(page).waitFor();
  return { session, page };
}

/** The same, with a host whose answers wait from `hold()` until the function that it returned is called. */
export async function openSlowComposer({ host, browser }: Awaited<ReturnType<typeof openBrowser>>) {
  const session = await host.createSession();
  const page = await browser.context.newPage();
  let answering = Promise.resolve();
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage(async (message) => {
      await answering;
      socket.send(message);
    });
  });
  await browser.show(page, session.id);
  await sendButton(page).waitFor();
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answering = promise;
    return resolve;
  };
  return { session, page, hold };
}

export const field = (page: Page) => page.locator(".composer-box .composer-field");

export const sendButton = (page: Page) => page.getByTitle("Send message");

export const stopButton = (page: Page) => page.getByRole("button", { name: "Stop", exact: true });

/** The rows of the messages that wait. */
export const rows = (page: Page) =>
  page.getByRole("list", { name: "Messages that wait" }).getByRole("listitem");

export async function send(page: Page, message: string): Promise<void> {
  await field(page).fill(message);
  await page.keyboard.press("Enter");
}

/** Resolves when the field has this text. */
export async function fieldHas(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelector<HTMLTextAreaElement>(".composer-field")?.value === wanted,
    text,
  );
}

/** The texts that Claude has read, in order. */
export function heard(session: TestHostSession): readonly string[] {
  return session.claudeInput.flatMap(({ type, message }) =>
    type === "user" ? textOf(message) : [],
  );
}

/** Resolves when Claude has read a message with this text. */
export async function hears(session: TestHostSession, text: string): Promise<void> {
  await session.claudeHears(({ type, message }) => type === "user" && textOf(message) === text);
}

function textOf(message: unknown): string {
  const { content } = message as { readonly content: readonly { readonly text?: string }[] };
  return content.flatMap((block) => block.text ?? []).join("\n");
}
