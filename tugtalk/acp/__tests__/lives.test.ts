/** Random lives of the ACP agent, in process: the guarantees hold in each. `lives.long.ts` has more of them. */
import { expect, test } from "bun:test";
import { faultsOf, testLives } from "../../testing/acp/acp-lives.ts";
import type { Step } from "../../testing/acp/random-client.ts";

testLives(60, 60_000);

/** Lives that have broken a guarantee, each as its steps. */
const LIVES: readonly (readonly [
  name: string,
  steps: readonly (readonly [Step["does"], number])[],
])[] = [
  [
    "a compaction in a turn of Claude's own",
    [
      ["work", 0],
      ["work", 3],
      ["work", 595],
    ],
  ],
  [
    "a second load in the middle of a block",
    [
      ["work", 0],
      ["delegate", 0],
      ["work", 1],
      ["work", 3],
      ["work", 1],
      ["load", 1],
      ["load", 1],
      ["work", 1],
    ],
  ],
  [
    "a close while a call runs",
    [
      ["work", 0],
      ["prompt", 0],
      ["work", 0],
      ["work", 361],
      ["work", 2],
      ["close", 0],
    ],
  ],
  [
    "a cancel with a queue",
    [
      ["work", 0],
      ["prompt", 0],
      ["prompt", 0],
      ["cancel", 0],
    ],
  ],
  [
    "a prompt after a cancel that Claude has not read",
    [
      ["work", 0],
      ["prompt", 0],
      ["work", 0],
      ["delegate", 0],
      ["cancel", 0],
      ["prompt", 0],
      ["work", 1],
    ],
  ],
  [
    "a cancel while an agent in the background asks",
    [
      ["work", 0],
      ["work", 1],
      ["delegate", 0],
      ["delegate", 0],
      ["cancel", 0],
    ],
  ],
  [
    "a cancel in a turn of Claude's own that is taken for the prompt's",
    [
      ["work", 0],
      ["work", 1],
      ["work", 1],
      ["prompt", 0],
      ["work", 0],
      ["delegate", 0],
      ["work", 0],
      ["work", 2],
      ["work", 2],
      ["work", 1],
      ["work", 2],
      ["cancel", 0],
    ],
  ],
  [
    "a prompt given up in a turn of Claude's own that is taken for its",
    [
      ["work", 0],
      ["work", 1],
      ["delegate", 0],
      ["work", 0],
      ["work", 764],
      ["prompt", 0],
      ["work", 3],
      ["prompt", 0],
      ["work", 0],
      ["answer", 0],
      ["work", 2],
      ["cancel request", 1],
      ["work", 1],
      ["work", 0],
      ["work", 1],
      ["set mode", 0],
      ["work", 3],
    ],
  ],
  [
    "a cancel while the past is told",
    [
      ["work", 0],
      ["work", 1],
      ["prompt", 0],
      ["prompt", 0],
      ["work", 0],
      ["work", 0],
      ["delegate", 0],
      ["load", 0],
      ["work", 0],
      ["cancel", 0],
    ],
  ],
  [
    "a prompt behind two cancels",
    [
      ["work", 0],
      ["delegate", 0],
      ["prompt", 0],
      ["prompt", 0],
      ["work", 1],
      ["delegate", 0],
      ["work", 0],
      ["cancel", 0],
      ["work", 1],
      ["delegate", 0],
      ["cancel", 0],
      ["prompt", 0],
    ],
  ],
  [
    "a close after a cancel that Claude has not read",
    [
      ["work", 0],
      ["prompt", 0],
      ["work", 0],
      ["cancel", 0],
      ["prompt", 0],
      ["delegate", 0],
      ["work", 1],
      ["work", 3],
      ["close", 0],
    ],
  ],
  [
    "four loads at once",
    [
      ["work", 0],
      ["close", 0],
      ["load", 0],
      ["load", 0],
      ["load", 0],
      ["load", 0],
      ["work", 0],
      ["work", 1],
      ["work", 3],
    ],
  ],
  [
    "a prompt given up twice",
    [
      ["work", 0],
      ["prompt", 0],
      ["delegate", 0],
      ["prompt", 0],
      ["cancel request", 0],
      ["cancel request", 0],
    ],
  ],
  [
    "a prompt given up whose turn ends by itself",
    [
      ["work", 0],
      ["prompt", 0],
      ["work", 0],
      ["prompt", 0],
      ["cancel request", 0],
      ["work", 1],
    ],
  ],
  [
    "a copy",
    [
      ["work", 0],
      ["prompt", 0],
      ["work", 0],
      ["work", 1],
      ["work", 1],
      ["work", 1],
      ["work", 0],
      ["work", 0],
      ["work", 0],
      ["fork", 0],
    ],
  ],
  [
    "a conversation that is cleared",
    [
      ["work", 0],
      ["work", 1],
      ["delegate", 0],
      ["work", 0],
      ["work", 1],
      ["prompt", 5],
      ["work", 0],
    ],
  ],
  [
    "a turn that the bridge interrupts since nothing comes",
    [
      ["delegate", 0],
      ["prompt", 0],
      ["work", 0],
      ["work", 593],
      ["wait", 439],
      ["wait", 987],
    ],
  ],
  [
    "a second death before Claude is ready",
    [
      ["work", 0],
      ["prompt", 0],
      ["prompt", 0],
      ["kill", 0],
      ["kill", 0],
    ],
  ],
];

test.each([...LIVES])("the guarantees hold in %s", async (_name, steps) => {
  const life = steps.map(([does, pick]) => ({ does, session: 0, pick }));
  expect(await faultsOf({ client: 0, steps: life })).toEqual([]);
});
