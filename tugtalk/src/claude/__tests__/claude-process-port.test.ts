/** Stopping Claude: closing its stdin, the grace period, then signals as needed. */
import { expect, test } from "bun:test";
import { type FakeClaude, fakeClaude, fakeClock } from "../../../testing/drivers/fake-claude.ts";
import { stopClaude } from "../claude-process-port.ts";

const GRACE_MS = 2000;

function stopping(): { readonly claude: FakeClaude; readonly advance: (ms: number) => void } {
  const claude = fakeClaude();
  const clock = fakeClock();
  stopClaude(claude.process, { clock, graceMs: GRACE_MS });
  return { claude, advance: clock.advance };
}

test("a Claude that exits after its stdin is closed gets no signal", async () => {
  const { claude, advance } = stopping();
  expect(claude.isInputClosed()).toBe(true);
  advance(GRACE_MS - 1);
  await claude.exit();
  advance(10 * GRACE_MS);
  expect(claude.signals).toEqual([]);
});

test("a Claude that keeps running gets SIGTERM, and no further signal after its exit", async () => {
  const { claude, advance } = stopping();
  advance(GRACE_MS);
  expect(claude.signals).toEqual(["SIGTERM"]);
  await claude.exit({ exitCode: 143 });
  advance(10 * GRACE_MS);
  expect(claude.signals).toEqual(["SIGTERM"]);
});

test("a Claude that has exited before gets no signal, since its pid may be reused", async () => {
  const claude = fakeClaude();
  const clock = fakeClock();
  await claude.exit();
  stopClaude(claude.process, { clock, graceMs: GRACE_MS });
  await claude.process.exited;
  clock.advance(10 * GRACE_MS);
  expect(claude.signals).toEqual([]);
});
