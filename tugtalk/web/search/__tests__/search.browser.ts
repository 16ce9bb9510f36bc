/** The search in all sessions, from the board and from the palette, up to the place that was found. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { Scene } from "../../__tests__/support/scene.ts";
import { call, reply, result, text, turn } from "../../__tests__/support/scene-lines.ts";
import { readValue } from "../../__tests__/support/shown.ts";
import { resumeLong } from "../../transcript/__tests__/support/past-session.ts";

const { host, browser } = await openBrowser();

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Search in all sessions" });

/** The text that is marked as the found one. */
async function markedText(page: Page): Promise<string> {
  await page.waitForFunction(() => CSS.highlights.has("found-current"));
  return page.evaluate(() => {
    const [range] = CSS.highlights.get("found-current") ?? [];
    return range instanceof Range ? range.toString() : "";
  });
}

test("a search from the board leads by keys alone to the place in a session, with the words marked", async () => {
  const scene = await Scene.open(host, {
    conversation: [
      ...turn(reply(text("The **quick** `narwhal` swims."))),
      ...turn(
        reply(call("$toolu_1", "Bash", { command: "grep walrus *.txt" })),
        result("$toolu_1", "a walrus"),
        reply(text("Done.")),
      ),
    ],
  });
  await scene.exchange("Which animal swims?");
  await scene.exchange("Find the other");
  const page = await browser.tab();
  await page.getByRole("heading", { level: 1, name: "Sessions" }).waitFor();
  await page.locator(".skip-link").waitFor({ state: "attached" });
  await page.keyboard.press("s");
  const dialog = dialogOf(page);
  const field = dialog.getByRole("combobox");
  await field.fill("NARW");
  await dialog.getByRole("status").getByText("1 found.").waitFor();
  const hit = dialog.getByRole("option", { selected: true });
  expect(await hit.locator("mark").allTextContents()).toEqual(["narw"]);
  expect(await hit.textContent()).toContain("Claude");
  expect(await hit.textContent()).toContain("The quick narwhal swims.");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  expect(await markedText(page)).toBe("narw");
  const find = page.getByRole("searchbox", { name: "Find in the conversation" });
  expect(await readValue(find, "narw")).toBe("narw");
  await page.getByText("1 of 1").waitFor();
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => CSS.highlights.size === 0);
});

test("a search from the palette finds in the session that is shown, too, and opens the card of a call", async () => {
  const scene = await Scene.open(host, {
    conversation: turn(
      reply(call("$toolu_1", "Bash", { command: "cat notes" })),
      result("$toolu_1", `${"line\n".repeat(5)}one ocelot in a file`),
      reply(text("Done.")),
    ),
  });
  await scene.exchange("Look");
  const page = await browser.tab(scene.session.id);
  await page.getByRole("button", { name: "Menu", exact: true }).waitFor();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await palette.getByRole("combobox").fill("ocelot");
  await palette
    .getByRole("option", { name: "Search for “ocelot” in all sessions", selected: true })
    .waitFor();
  await page.keyboard.press("Enter");
  await dialogOf(page)
    .getByRole("option", { name: /Result.*ocelot/ })
    .click();
  expect(await markedText(page)).toBe("ocelot");
  await page.getByText("one ocelot in a file").first().waitFor();
});

test("a search without hits says so, and no typed text is an error", async () => {
  const page = await browser.tab();
  await page.getByRole("button", { name: "Search in all sessions" }).click();
  const dialog = dialogOf(page);
  for (const query of ["zzzqqq", '"zzzqqq OR (', "검색 zzzqqq 🎉"]) {
    await dialog.getByRole("combobox").fill(query);
    await dialog.getByRole("status").getByText("Nothing found.").waitFor();
    expect(await dialog.getByRole("option").count()).toBe(0);
    await dialog.getByRole("combobox").fill("");
    await dialog.getByRole("status").getByText("Nothing found.").waitFor({ state: "hidden" });
  }
});

test("Enter searches for the text in the filter of the board, and further hits can be loaded", async () => {
  const scene = await Scene.open(host, {
    conversation: Array.from({ length: 23 }, (_, index) =>
      turn(reply(text(`A lynx, number ${index}.`))),
    ).flat(),
  });
  for (let index = 0; index < 23; index += 1) await scene.exchange("Next");
  const page = await browser.tab();
  const filter = page.getByRole("searchbox", { name: "Filter sessions" });
  await filter.fill("lynx number");
  await filter.press("Enter");
  const dialog = dialogOf(page);
  await dialog.getByRole("status").getByText("20 found, and more.").waitFor();
  expect(await readValue(dialog.getByRole("combobox"), "lynx number")).toBe("lynx number");
  for (let press = 0; press < 19; press += 1) await page.keyboard.press("ArrowDown");
  await dialog.getByRole("status").getByText("23 found.").waitFor();
  await page.keyboard.press("ArrowDown");
  await dialog.getByRole("option", { name: /number 2\./, selected: true }).waitFor();
});

test("a place among older messages is loaded, and shown", async () => {
  const session = await resumeLong(host, 130);
  const page = await browser.tab();
  await page.getByRole("button", { name: "Search in all sessions" }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole("combobox").fill('"Question 7"');
  while (!(await dialog.getByRole("option", { name: /Question 7/ }).isVisible())) {
    // Turns from before the session are indexed in the background.
    await dialog.getByRole("combobox").fill("");
    await dialog.getByRole("combobox").fill('"Question 7"');
    await dialog.getByRole("status").getByText("found").waitFor();
  }
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(session.id));
  expect(await markedText(page)).toBe("Question 7");
  await page.locator(".user").getByText("Question 7", { exact: true }).waitFor();
});

test("a place that is not kept any more is reported", async () => {
  const scene = await Scene.open(host, { conversation: turn(reply(text("A tapir."))) });
  await scene.exchange("Which?");
  const page = await browser.tab();
  await page.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) =>
      socket.send(String(message).replace(/"entry":"[^"]+"/g, '"entry":"gone"')),
    );
  });
  await page.reload();
  await page.getByRole("button", { name: "Search in all sessions" }).click();
  await dialogOf(page).getByRole("combobox").fill("tapir");
  await dialogOf(page).getByRole("option").first().click();
  await page.getByText("This part of the session is not kept any more").waitFor();
});

/** The search of a page whose host answers late, with six hits for an animal. */
async function openSlowSearch(animal: string) {
  const answers = ["", " and a numbat", " and a quokka"].map(
    (more) => `One ${animal}${more} here.`,
  );
  const conversation = answers.flatMap((answer) => turn(reply(text(answer))));
  const scene = await Scene.open(host, { conversation });
  for (const answer of answers) await scene.exchange(`Is it right? ${answer}`);
  const page = await browser.tab();
  let answering = Promise.resolve();
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage(async (message) => {
      await answering;
      socket.send(message);
    });
  });
  await page.reload();
  await page.getByRole("button", { name: "Search in all sessions" }).click();
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answering = promise;
    return resolve;
  };
  const dialog = dialogOf(page);
  return { page, dialog, field: dialog.getByRole("combobox"), hold };
}

test("Enter opens the hit for the whole typed text, also before its answer has come", async () => {
  const { page, dialog, field, hold } = await openSlowSearch("okapi");
  await field.fill("okapi");
  await dialog.getByRole("status").getByText("6 found.").waitFor();
  const release = hold();
  await page.keyboard.type(" numbat");
  await page.keyboard.press("Enter");
  await dialog.getByRole("status").getByText("Searching…").waitFor();
  release();
  await dialog.waitFor({ state: "detached" });
  expect(await markedText(page)).toBe("okapi");
  await page.getByText("4 of 6").waitFor();
});

test("an arrow before the first answer leaves one hit chosen", async () => {
  const { page, dialog, field, hold } = await openSlowSearch("gerenuk");
  const release = hold();
  await field.fill("gerenuk");
  await page.keyboard.press("ArrowDown");
  release();
  await dialog.getByRole("status").getByText("6 found.").waitFor();
  expect(await dialog.getByRole("option", { selected: true }).count()).toBe(1);
});
