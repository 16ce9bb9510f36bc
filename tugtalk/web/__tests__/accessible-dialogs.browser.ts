/** The dialogs of the page, for everybody; a file of its own, so that it runs beside the other states. */
import { test } from "bun:test";
import { AccessibleTab } from "./support/accessible-tab.ts";
import { DIALOG_STATES } from "./support/page-states.ts";

const tab = await AccessibleTab.open();

for (const state of DIALOG_STATES) {
  test(`axe finds nothing serious, nothing overflows and each focus has a ring: ${state.name}`, () =>
    tab.expectAccessible(state));
}
