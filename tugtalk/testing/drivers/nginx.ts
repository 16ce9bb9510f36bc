/** A real nginx for tests, which runs as the user of the test, and any other proxy as a process. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** One process. */
const MAIN = "daemon off; master_process off; error_log stderr notice; events {}";

/**
 * Writes only into `folder`. `served` is its `http` block. Resolves when it serves, with the function that
 * ends it.
 */
export async function startNginx(folder: string, served: string): Promise<() => Promise<void>> {
  const file = writeConfiguration(folder, served);
  return await startProxy(["nginx", "-e", "stderr", "-p", folder, "-c", file], folder, /epoll/);
}

function writeConfiguration(folder: string, served: string): string {
  mkdirSync(folder, { recursive: true });
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const file = join(folder, "nginx.conf");
  writeFileSync(file, `${MAIN} pid ${folder}/pid; http { ${temporary.join(" ")}\n${served} }`);
  return file;
}

/** Resolves when its output says that it serves, with the function that ends it. */
export async function startProxy(
  command: readonly string[],
  home: string,
  serving: RegExp,
): Promise<() => Promise<void>> {
  const child = Bun.spawn([...command], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: `${process.env["PATH"]}:/usr/sbin`, HOME: home },
  });
  const isServing = Promise.withResolvers<void>();
  void readAll(child.stderr, (text) => {
    if (serving.test(text)) isServing.resolve();
  }).then((text) => isServing.reject(new Error(`${command[0]} ended: ${text}`)));
  await isServing.promise;
  return async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
}

/** The whole text of a stream. Calls `look` with the text so far after each piece. */
async function readAll(
  stream: ReadableStream<Uint8Array>,
  look: (text: string) => void,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of stream) {
    text += decoder.decode(piece, { stream: true });
    look(text);
  }
  return text;
}
