/** Lives with agents of Claude's that have broken a guarantee of the ACP agent, each as its steps. */
import { type Steps, testKnownLives } from "../../testing/acp/acp-lives.ts";

/** Claude is ready, and a prompt has begun an agent in the background. */
const DELEGATED: Steps = [
  ["work", 0],
  ["prompt", 0],
  ["work", 0],
  ["delegate", 0],
];

/** A turn of Claude's own has done that. */
const OWN: Steps = [
  ["work", 0],
  ["work", 3],
  ["delegate", 0],
];

testKnownLives([
  ["an agent in the background is left at the end of Claude", OWN],
  [
    "an agent inside one in the background is left at the end of Claude",
    [
      ["work", 0],
      ["work", 153],
      ["delegate", 0],
      ["work", 162],
    ],
  ],
  ["an agent in the background starts another, which outlives it", [...DELEGATED, ["work", 895]]],
  [
    "a cancel ends the wait for an agent in the background",
    [...DELEGATED, ["work", 0], ["cancel", 0]],
  ],
  [
    "Claude ends before it has answered a cancel that stops an agent in the background",
    [...DELEGATED, ["cancel", 0], ["kill", 0]],
  ],
  [
    "an agent inside one in the background goes on behind the next prompt",
    [...DELEGATED, ["work", 1], ["work", 170], ["prompt", 0]],
  ],
  [
    "the call of an agent that was continued is closed with its turn",
    [
      ["work", 0],
      ["work", 1],
      ["delegate", 0],
      ["work", 417],
      ["work", 2],
      ["work", 45],
      ["work", 1],
      ["work", 2],
      ["work", 0],
      ["work", 587],
      ["work", 335],
      ["work", 0],
      ["work", 1],
      ["close", 0],
    ],
  ],
  [
    "a session is closed while a load tells of an agent",
    [...DELEGATED, ["kill", 0], ["load", 0], ["close", 0]],
  ],
  [
    "Claude is stopped, since it does not end a turn that was cancelled",
    [
      ["work", 0],
      ["work", 1],
      ["prompt", 0],
      ["work", 0],
      ["work", 0],
      ["cancel", 0],
      ["delegate", 0],
      ["wait", 2],
      ["wait", 2],
    ],
  ],
  [
    "an agent in the background goes on where its conversation was cleared",
    [
      ["work", 0],
      ["delegate", 0],
      ["prompt", 96],
      ["delegate", 0],
      ["work", 0],
      ["work", 0],
      ["load", 0],
      ["work", 2],
    ],
  ],
  [
    "an agent inside one goes on where their conversation was cleared",
    [...OWN, ["delegate", 395], ["prompt", 747], ["work", 0], ["work", 0], ["work", 1]],
  ],
  [
    "a session and its copy both show an agent as a child session",
    [...OWN, ["fork", 0], ["work", 5]],
    3,
  ],
  [
    "a copy without a turn of its own is loaded and copied while the agent of its source runs",
    [
      ["work", 0],
      ["work", 1],
      ["delegate", 0],
      ["fork", 0],
      ["work", 0, 1],
      ["load", 7],
      ["fork", 7],
      ["work", 2],
    ],
  ],
  [
    "a copy is loaded in its first turn, and the agent of its source has died",
    [...OWN, ["kill", 0], ["fork", 0], ["work", 0], ["work", 1], ["load", 273]],
  ],
  [
    "a copy whose first turn is Claude's own is loaded in that, and the agent of its source has died",
    [
      ["delegate", 0],
      ["work", 159],
      ["delegate", 0],
      ["kill", 0],
      ["fork", 0],
      ["work", 0],
      ["work", 3],
      ["work", 695],
      ["load", 553],
    ],
  ],
  [
    "an agent begins behind the cancel of its prompt",
    [
      ["work", 0],
      ["prompt", 0],
      ["cancel request", 0],
      ["work", 0],
      ["work", 0],
      ["delegate", 0],
      ["work", 1],
    ],
  ],
  [
    "an agent's call is broken off before its input is whole",
    [
      ["work", 0],
      ["prompt", 0],
      ["cancel", 0],
      ["cancel", 0],
      ["work", 703],
      ["work", 422],
      ["work", 318],
      ["work", 489],
      ["work", 0],
      ["work", 641],
      ["work", 72],
      ["work", 157],
      ["work", 859],
    ],
    3,
  ],
]);
