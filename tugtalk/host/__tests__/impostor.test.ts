/** Another program at the port of a killed host, which must get no secret from the commands of the host. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Impostor, startImpostor } from "../../testing/drivers/impostor.ts";
import { HostHome } from "./support/host-command.ts";

const home = new HostHome();
const data = join(home.root, "data");
let impostor: Impostor;
/** All texts that nobody else may get. */
let secrets: readonly string[] = [];

beforeAll(async () => {
  const host = home.run("--json", "--port=0", `--data=${data}`);
  const { url, port } = JSON.parse(await host.lines(/\n/));
  const { code_key } = JSON.parse(readFileSync(join(data, "host.json"), "utf8"));
  const token = readFileSync(join(data, "token"), "utf8").trim();
  secrets = [token, code_key, "code=", new URL(url).hostname];
  host.kill("SIGKILL");
  await host.ended;
  impostor = startImpostor(port);
});
afterAll(async () => {
  await impostor.stop();
  await home.end();
});

function expectNothingGiven(): void {
  expect(impostor.requests.length).toBeGreaterThan(0);
  for (const secret of secrets) expect(impostor.requests.join("\n")).not.toContain(secret);
}

/** The answers of an impostor to any request. */
const ANSWERS: Readonly<Record<string, () => Response | Promise<Response>>> = {
  "401, as a host does without a token": () => new Response("", { status: 401 }),
  "200 without a proof": () => Response.json({ status: "ok" }),
  "200 with a proof that is made up": () => Response.json({ proof: "x".repeat(43) }),
  "a proof of nothing": () => Response.json({ proof: "" }),
  "a redirection": () => Response.redirect("/elsewhere"),
  "a text that has no end": () =>
    new Response(new ReadableStream({ pull: (body) => body.enqueue("x".repeat(1_000)) })),
};

for (const [answer, respond] of Object.entries(ANSWERS))
  test(`tugtalk host url prints no link where another program answers with ${answer}`, async () => {
    impostor.respond = respond;
    const { exitCode, output, errors } = await home.run("url", `--data=${data}`).ended;
    expect({ exitCode, output, errors }).toEqual({
      exitCode: 1,
      output: "",
      errors: `what answers at port ${impostor.port} is not the host of the data folder ${data}, and gets no link; start the host again, with another --port if it does not get this one\n`,
    });
    expectNothingGiven();
  });

test("tugtalk host url prints no link where another program passes on the proof of another host", async () => {
  const other = home.run("--json", "--port=0", `--data=${join(home.root, "other")}`);
  const { port } = JSON.parse(await other.lines(/\n/));
  writeFileSync(join(home.root, "other", "token"), readFileSync(join(data, "token")));
  other.kill("SIGTERM");
  await other.ended;
  // With the same token, like a copied folder.
  const twin = home.run("--json", `--port=${port}`, `--data=${join(home.root, "other")}`);
  await twin.lines(/\n/);
  impostor.respond = (request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`);
  };
  const { exitCode, output } = await home.run("url", `--data=${data}`).ended;
  expect({ exitCode, output }).toEqual({ exitCode: 1, output: "" });
  expectNothingGiven();
});

test("tugtalk host sessions sends no token where another program answers", async () => {
  impostor.respond = () => Response.json({ sessions: [], sizes: [] });
  const own = join(home.root, "served");
  const served = home.run("--json", "--port=0", `--data=${own}`);
  await served.lines(/\n/);
  const record = JSON.parse(readFileSync(join(own, "host.json"), "utf8"));
  writeFileSync(join(own, "host.json"), JSON.stringify({ ...record, port: impostor.port }));
  const { exitCode, errors } = await home.run("sessions", `--data=${own}`).ended;
  expect({ exitCode, errors }).toEqual({
    exitCode: 1,
    errors: expect.stringContaining(`port ${impostor.port} is not the host of ${own}`),
  });
  expect(impostor.requests.join("\n")).not.toContain(
    readFileSync(join(own, "token"), "utf8").trim(),
  );
  expectNothingGiven();
});
