/** `tugtalk doctor --probe` with the real CLI of every measured version: each check passes. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { MEASURED_VERSIONS } from "../../simulator/measured-versions.ts";
import { claudePath } from "../../testing/real/installed-claude.ts";
import { reportOf } from "./support/doctor-process.ts";

// The first run of a version fetches it.
setDefaultTimeout(300_000);

/** The report and the features of each version. */
const EXPECTED = {
  "2.1.38": {
    modes: "acceptEdits bypassPermissions default delegate dontAsk plan",
    emitted: { hook_events: "no", stop_task: "no", clear: "no" },
  },
  "2.1.197": {
    modes: "acceptEdits auto bypassPermissions default dontAsk plan",
    emitted: { hook_events: "yes", stop_task: "yes", clear: "yes" },
  },
  "2.1.330": {
    modes: "acceptEdits auto bypassPermissions dontAsk manual plan",
    emitted: { hook_events: "yes", stop_task: "yes", clear: "yes" },
  },
} as const;

test.each([...MEASURED_VERSIONS])("claude %s passes the self-test", async (version) => {
  const claude = await claudePath(version);
  const { report, exitCode, leftFiles } = await reportOf([`--claude=${claude}`, "--probe"]);
  expect(report.probe?.filter(({ ok }) => !ok)).toEqual([]);
  expect(report.probe).toHaveLength(7);
  expect([exitCode, report.usable, report.problem]).toEqual([0, true, undefined]);
  expect(leftFiles).toEqual([]);

  const { modes, emitted } = EXPECTED[version];
  expect(report.claude?.version).toBe(version);
  expect(report.capabilities?.permission_modes?.join(" ")).toBe(modes);
  const asked = report.features.filter(({ known_by }) => known_by === "claude");
  const works = Object.fromEntries(asked.map((feature) => [feature.name, feature.works]));
  expect(works).toMatchObject(emitted);
  expect(report.features.filter((feature) => feature.works === "unknown")).toEqual([]);
});
