/**
 * The floor for contenders that parse: it parses and prints each line, both ways, and does nothing else. The
 * first argument is Claude's command.
 */
const claude = Bun.spawn([process.argv[2] ?? ""], { stdin: "pipe", stdout: "pipe" });

async function pass(from: ReadableStream<Uint8Array>, to: Bun.FileSink): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of from) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) to.write(`${JSON.stringify(JSON.parse(line))}\n`);
    await to.flush();
  }
}

void pass(Bun.stdin.stream(), claude.stdin).finally(() => claude.stdin.end());
await pass(claude.stdout, Bun.stdout.writer());
process.exit();
