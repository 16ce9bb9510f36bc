/** The observer of mirrored transcripts finds deliberate faults. */
import { testFaults } from "./support/broken-traffic.ts";
import { begin, cost, down, including, without } from "./support/sample-traffic.ts";

const copy = {
  type: "transcript_lines",
  session_id: "s",
  file: "s.jsonl",
  offset: 0,
  lines: ["{}"],
} as const;
const through = (one: object) => ({ ...copy, ...one, through_turn_id: begin.turn_id });

testFaults("9", {
  "lines that are left out of a copy": [including(down, { ...copy, offset: 7 }), "ends at 0"],
  "lines that come twice": [including(down, copy, copy), "ends at 3"],
  "two lines as one": [including(down, { ...copy, lines: ["{}\n{}"] }), "more than a line"],
  "lines after the exit": [[...without(), copy], "after process_exit"],
  "a copy that is through an open turn": [
    including(cost, { ...copy, through_turn_id: begin.turn_id }),
    "has not ended",
  ],
  "a copy that is through a turn twice": [
    including(down, ...[copy, { ...copy, offset: 3, lines: [] }].map(through)),
    "a second time",
  ],
  "a message without news": [including(down, { ...copy, lines: [] }), "tells nothing"],
});
