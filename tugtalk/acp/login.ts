/** Logins and logouts, which are Claude's own: it is started for them. */
import { buildEnvironment, findClaude } from "../src/process/claude-command.ts";
import { AcpError } from "./json-rpc.ts";

type Wanted = { readonly claude: string | undefined };

/** Logs in, in the terminal of this process. The exit code. */
export async function logIn({ claude }: Wanted): Promise<number> {
  const child = Bun.spawn([...findClaude(claude), "auth", "login"], {
    stdio: ["inherit", "inherit", "inherit"],
    env: buildEnvironment(process.env, {}),
  });
  return await child.exited;
}

/** Rejects with the output of Claude if it fails. */
export async function logOut({ claude }: Wanted): Promise<void> {
  const child = Bun.spawn([...findClaude(claude), "auth", "logout"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: buildEnvironment(process.env, {}),
  });
  const streams = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  const texts = await Promise.all(streams);
  if ((await child.exited) === 0) return;
  throw new AcpError("internal", `claude auth logout: ${texts.join("").trim().slice(0, 1_000)}`);
}
