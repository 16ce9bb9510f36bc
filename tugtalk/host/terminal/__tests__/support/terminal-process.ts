/** The terminal as a process for tests: with pipes as in a script, or in a real pseudo-terminal. */

const TERMINAL = `${import.meta.dir}/../../../terminal.ts`;
const FAKE_BRIDGE = `${import.meta.dir}/fake-bridge.ts`;

/** How a terminal is started. */
export type TerminalOptions = {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
};

const started: Bun.Subprocess[] = [];

/**
 * Ends what the last test has started. Each test file calls it after each of its tests: a hook that is
 * registered here would belong to the first file only.
 */
export async function endTerminals(): Promise<void> {
  for (const child of started.splice(0)) {
    child.kill("SIGKILL");
    await child.exited;
  }
}

function command(args: readonly string[] = ["--claude", "x"]): string[] {
  return [process.execPath, TERMINAL, ...args];
}

/** Our environment without what a developer may have set in it for tugtalk. */
function environment(env: TerminalOptions["env"] = {}) {
  const { TUGTALK_CLAUDE: _claude, TUGTALK_CONVERSATION: _file, NO_COLOR: _, ...own } = process.env;
  return { ...own, TUGTALK_BRIDGE: FAKE_BRIDGE, TERM: "xterm", ...env };
}

/** Output that can be waited for. What was waited for is used up. */
export class Output {
  #text = "";
  #used = 0;
  #arrived = Promise.withResolvers<void>();

  add(chunk: string): void {
    this.#text += chunk;
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers<void>();
  }

  get text(): string {
    return this.#text;
  }

  /** Resolves when the text has come. A test that waits in vain fails by its own time limit. */
  async wait(text: string): Promise<void> {
    for (;;) {
      const index = this.#text.indexOf(text, this.#used);
      if (index !== -1) {
        this.#used = index + text.length;
        return;
      }
      await this.#arrived.promise;
    }
  }
}

/** The terminal with pipes for stdin and stdout, as in a script. */
export function startPiped({ args, env }: TerminalOptions = {}) {
  const child = Bun.spawn(command(args), {
    stdio: ["pipe", "pipe", "pipe"],
    env: environment(env),
  });
  started.push(child);
  const output = new Output();
  const allRead = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) output.add(decoder.decode(chunk, { stream: true }));
  })();
  const ended = allRead.then(() => child.exited);
  return { child, output, ended };
}

/** The terminal with its output in a pipe that is read up to the end of the first line. */
export function startUnread(options: TerminalOptions = {}) {
  const words = ["/bin/sh", "-c", '"$@" | head -n 1', "sh", ...command(options.args)];
  const stdio: ["pipe", "pipe", "inherit"] = ["pipe", "pipe", "inherit"];
  const child = Bun.spawn(words, { stdio, env: environment(options.env) });
  started.push(child);
  return child;
}

/** Gives a script all its lines at once, as a shell does; returns what it printed and its code. */
export async function runScript(lines: readonly string[], options?: TerminalOptions) {
  const { child, output, ended } = startPiped(options);
  child.stdin.write(lines.map((line) => `${line}\n`).join(""));
  child.stdin.end();
  const errors = new Response(child.stderr).text();
  const exitCode = await ended;
  return { text: output.text, errors: await errors, exitCode };
}

/** The terminal in a real pseudo-terminal, as a person has it. */
export function startInteractive({ args, env }: TerminalOptions = {}) {
  const output = new Output();
  const decoder = new TextDecoder();
  const child = Bun.spawn(command(args), {
    env: environment(env),
    terminal: {
      cols: 120,
      rows: 40,
      data: (_terminal, chunk) => output.add(decoder.decode(chunk, { stream: true })),
    },
  });
  started.push(child);
  const { terminal } = child;
  if (terminal === undefined) throw new Error("no pseudo-terminal");
  const type = (text: string) => void terminal.write(text);
  return { child, output, type, terminal };
}
