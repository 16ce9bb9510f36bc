/** Plans, forms of MCP servers and dialogs, from Chromium to the lines that Claude reads. */
import { expect, test } from "bun:test";
import { askingTurn } from "../../../testing/drivers/host-conversations.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { answered, asks, turn } from "../../__tests__/support/scene-lines.ts";
import { answerTo, askingSession, cardOf } from "./support/asking.ts";

const { host, browser } = await openBrowser();

type Fields = Readonly<Record<string, unknown>>;

/** A tab with a session whose Claude makes this request. */
async function requested(request: Fields, options: Fields = {}) {
  const conversation = turn(asks("ask", request), answered("ask"));
  const session = await askingSession(host, { conversation, ...options });
  return { session, page: await browser.tab(session.id) };
}

const PLAN = {
  id: "ask",
  name: "ExitPlanMode",
  input: {
    plan: "# Add a greeting\n\n1. Write `greet(name)`",
    planFilePath: "/plans/greeting.md",
    allowedPrompts: [{ tool: "Bash", prompt: "run tests" }],
  },
};

async function planned() {
  const session = await askingSession(host, { conversation: askingTurn(PLAN) });
  const page = await browser.tab(session.id);
  return { session, page, card: cardOf(page, "Plan for Approval") };
}

test("a plan is shown as it is meant, and carried out in the mode that a person chooses", async () => {
  const { session, page, card } = await planned();
  await card.getByRole("heading", { name: "Add a greeting" }).waitFor();
  await card.getByText("/plans/greeting.md").waitFor();
  await card.getByText("Bash: run tests").waitFor();
  await card.getByRole("button", { name: /edit files without asking/ }).click();
  const mode = { type: "setMode", mode: "acceptEdits", destination: "session" };
  expect(await answerTo(session, "ask")).toMatchObject({
    behavior: "allow",
    updatedPermissions: [mode],
  });
  const receipt = page.getByRole("list", { name: "Allowed for good" });
  expect(await receipt.textContent()).toContain("Switch to the permission mode Accept edits");
});

test("a plan can be carried out with questions as usual", async () => {
  const { session, card } = await planned();
  await card.getByRole("button", { name: /ask as usual/ }).click();
  expect(await answerTo(session, "ask")).toEqual({ behavior: "allow", updatedInput: PLAN.input });
});

test("Keep planning asks what should be different, and Claude gets the answer", async () => {
  const { session, page, card } = await planned();
  await card.getByRole("button", { name: /Keep planning/ }).click();
  await page.keyboard.type("With tests");
  await page.keyboard.press("Enter");
  expect(await answerTo(session, "ask")).toMatchObject({ behavior: "deny", message: "With tests" });
});

const FORM = {
  subtype: "elicitation",
  mcp_server_name: "orders",
  message: "What should be ordered?",
  mode: "form",
  requested_schema: {
    type: "object",
    properties: {
      name: { type: "string", title: "Name", description: "Who is it for?", minLength: 2 },
      count: { type: "integer", title: "Copies", minimum: 1, maximum: 9, default: 1 },
      weight: { type: "number", title: "Weight" },
      size: { type: "string", title: "Size", enum: ["S", "M"], enumNames: ["Small", "Medium"] },
      colours: { type: "array", title: "Colours", items: { enum: ["red", "blue"] } },
      urgent: { type: "boolean", title: "Urgent" },
      email: { type: "string", format: "email", title: "Receipt" },
      day: { type: "string", format: "date", title: "Day" },
      note: { type: "string", title: "Note" },
    },
    required: ["name", "size"],
  },
};

test("a form of an MCP server has a field of each kind, says what is wrong, and is sent with the types of its schema", async () => {
  const { session, page } = await requested(FORM);
  const card = cardOf(page, "Question from an MCP Server");
  await card.getByText("orders", { exact: true }).waitFor();
  await card.getByText("What should be ordered?").waitFor();
  const submit = card.getByRole("button", { name: "Submit" });
  await submit.click();
  expect(await card.getByRole("alert").allTextContents()).toEqual([
    "This is required",
    "This is required",
  ]);
  await card.getByLabel("Name (required)").fill("A");
  await card.getByLabel("Copies").fill("12");
  await card.getByLabel("Weight").fill("1.5");
  await card.getByLabel("Size (required)").selectOption("Medium");
  await card.getByRole("checkbox", { name: "blue" }).check();
  await card.getByRole("checkbox", { name: "Urgent" }).check();
  await card.getByLabel("Receipt").fill("ada");
  await card.getByLabel("Day").fill("2030-01-02");
  expect(await card.getByRole("alert").allTextContents()).toEqual([
    "At least 2 characters",
    "At most 9",
    "This is not an email address",
  ]);
  await card.getByLabel("Name (required)").fill("Ada");
  await card.getByLabel("Copies").fill("2");
  await card.getByLabel("Receipt").fill("ada@example.com");
  await submit.click();
  expect(await answerTo(session, "ask")).toEqual({
    action: "accept",
    content: {
      name: "Ada",
      count: 2,
      weight: 1.5,
      size: "M",
      colours: ["blue"],
      urgent: true,
      email: "ada@example.com",
      day: "2030-01-02",
    },
  });
  await card.waitFor({ state: "detached" });
});

for (const [name, action] of [
  ["Decline", "decline"],
  ["Cancel", "cancel"],
] as const) {
  test(`${name} refuses a form`, async () => {
    const { session, page } = await requested(FORM);
    await cardOf(page, "Question from an MCP Server").getByRole("button", { name }).click();
    expect(await answerTo(session, "ask")).toMatchObject({ action });
  });
}

test("a page to visit is shown with its exact address, and opened by a link only if it is of the web", async () => {
  const visit = { ...FORM, mode: "url", message: "Log in.", elicitation_id: "e" };
  const url = "https://example.com/login?next=\u202ehttps://evil.test";
  const { session, page } = await requested({ ...visit, url });
  const card = cardOf(page, "Question from an MCP Server");
  await card.getByText("https://example.com/login?next=\\u{202e}https://evil.test").waitFor();
  const link = card.getByRole("link", { name: "Open this page" });
  expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
  expect(await link.getAttribute("href")).toBe(url);
  await card.getByRole("button", { name: "Done" }).click();
  expect(await answerTo(session, "ask")).toMatchObject({ action: "accept" });
  const { page: other } = await requested({ ...visit, url: "javascript:alert(1)" });
  await cardOf(other, "Question from an MCP Server").getByText("javascript:alert(1)").waitFor();
  expect(await other.getByRole("link", { name: "Open this page" }).count()).toBe(0);
});

const KIND = "refusal_fallback_prompt";

for (const [name, behavior] of [
  ["Complete", "completed"],
  ["Cancel", "cancelled"],
] as const) {
  test(`a dialog of Claude is shown field by field, and ${name} closes it`, async () => {
    const payload = { model: "claude\u202e", retries: 2 };
    const request = { subtype: "request_user_dialog", dialog_kind: KIND, payload };
    const { session, page } = await requested(request, { options: { dialogs: [KIND] } });
    const card = cardOf(page, "Dialog of Claude");
    await card.getByRole("definition").nth(1).waitFor();
    expect(await card.getByRole("definition").allTextContents()).toEqual(["claude\\u{202e}", "2"]);
    await card.getByRole("button", { name }).click();
    expect(await answerTo(session, "ask")).toMatchObject({ behavior });
  });
}
