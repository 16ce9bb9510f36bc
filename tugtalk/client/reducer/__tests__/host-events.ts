/** One event of a host of each type. Made up. */
import type { HostEvent } from "../../session-input.ts";

const QUEUED = { message_id: "m", message: "Later.", queued_at: 9 };

export const HOST_EVENTS: readonly HostEvent[] = [
  { type: "message_queued", ...QUEUED },
  { type: "message_sent", message_id: "m", message: "Later.", sent_at: 10 },
  { type: "queue_changed", added: [QUEUED], held: true },
  { type: "message_returned", ...QUEUED },
  { type: "message_taken", message_id: "m" },
  {
    type: "history_added",

    entries: [{ kind: "interlude", key: "old", items: [], agents: {} }],
  },
  { type: "session_changed", title: "A title", state: "idle" },
  {
    type: "session_rewound",
    message_id: "m",
    message: "Later.",
    files: { paths: ["/work/a.txt"], insertions: 1, deletions: 2 },
    forgotten: true,
  },
  { type: "host_error", error: "The disk is full.", code: "disk_full" },
];

export const HOST_EVENT_TYPES: readonly string[] = HOST_EVENTS.map(({ type }) => type);
