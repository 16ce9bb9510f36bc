/** States of a session that the usage limit of its account has refused. */
import type { PageState } from "./page-states.ts";
import { Scene } from "./scene.ts";

const RESET_S = 600;

/** The limit refuses all turns for ten minutes; `chosen` are fields of `update`. */
function limited(name: string, chosen: Readonly<Record<string, unknown>> = {}): PageState {
  return {
    name,
    reach: async (host) => {
      const resetsAt = Math.ceil(Date.now() / 1000) + RESET_S;
      const scene = await Scene.open(host, { claudeEnv: { TUGTALK_SIM_LIMIT: `${resetsAt}` } });
      const { session } = scene;
      await scene.exchange("Where is the greeting made?");
      if (Object.keys(chosen).length > 0) await session.run("update", chosen);
      scene.close();
      return { sessionId: session.id, session };
    },
  };
}

export const LIMIT_STATES: readonly PageState[] = [
  limited("usage limit"),
  limited("goes on after the usage limit", { goes_on: true }),
];
