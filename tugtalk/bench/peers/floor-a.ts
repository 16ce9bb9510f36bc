/** The floor for what is copied: bytes go both ways unchanged. The first argument is Claude's command. */
const claude = Bun.spawn([process.argv[2] ?? ""], { stdin: "pipe", stdout: "pipe" });

async function pass(from: ReadableStream<Uint8Array>, to: Bun.FileSink): Promise<void> {
  for await (const chunk of from) {
    to.write(chunk);
    await to.flush();
  }
}

void pass(Bun.stdin.stream(), claude.stdin).finally(() => claude.stdin.end());
await pass(claude.stdout, Bun.stdout.writer());
process.exit();
