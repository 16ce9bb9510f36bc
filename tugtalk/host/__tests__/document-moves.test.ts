/** The command of HOST.md that moves a session, with another folder. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeBlocks, document, section } from "../../__tests__/support/markdown.ts";
import { CHECKED_COMMAND } from "../../testing/drivers/bridge-process.ts";
import { STAND_IN } from "../../testing/drivers/claudes.ts";
import { runCommand } from "../../testing/drivers/ended-command.ts";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";
import { mirroredSession, transcriptIn } from "../../testing/drivers/mirrored-session.ts";

const root = mkdtempSync(join(tmpdir(), "document-moves-"));
afterAll(async () => {
  await endHosts();
  rmSync(root, { recursive: true });
});

test("the command that HOST.md has for a move lets the session go on at that place, with its transcript", async () => {
  const config = join(root, "claude");
  const places = join(root, "places.json");
  const variables = `CLAUDE_CONFIG_DIR=${config} TUGTALK_CLAUDE=${STAND_IN}`;
  const started = `shift; ${variables} exec ${CHECKED_COMMAND.join(" ")} "$@"`;
  const place = { name: "build-box", command: ["sh", "-c", started, "build-box"] };
  writeFileSync(places, JSON.stringify({ places: [place] }));
  const host = await startHost({ args: [`--places=${places}`] });
  const { session, conversation, text } = await mirroredSession(host);
  const [line = ""] = codeBlocks(section(document("tugtalk/HOST.md"), "## To another place"), "sh");
  const dir = host.newFolder();
  const written = line.replace("/srv/project", dir);
  expect(written).not.toBe(line);
  const { out, code } = await runCommand(["bash", "-c", written], {
    env: { PATH: process.env["PATH"], host: host.url, id: session.id, token: host.token },
  });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ id: session.id, place: "build-box", dir, mirror: true });
  expect(readFileSync(transcriptIn(config, dir, conversation), "utf8")).toBe(text);
});
