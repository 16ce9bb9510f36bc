/** The browser tests that the tables of rows and of expectations name. */

/** A test by the name of its file and its title, or the beginning of that. */
export type Named = readonly [file: string, title: string];

export const HEADER = "session-header.browser.ts";
export const PERMISSIONS = "permissions.browser.ts";
export const QUESTIONS = "questions.browser.ts";
export const OVERLAY = "overlay.browser.ts";
export const ENTRIES = "entries.browser.ts";
export const CARDS = "cards.browser.ts";
export const COMPOSER = "composer.browser.ts";
export const QUEUE = "queue.browser.ts";
export const STOP = "stop.browser.ts";
export const ASSIST = "assist.browser.ts";
export const PANELS = "panels.browser.ts";
export const WORK = "work.browser.ts";
export const BOARD = "board.browser.ts";
export const NEW = "new-session.browser.ts";
export const SCROLLING = "scrolling.browser.ts";
export const RELOAD: Named = [
  "states.browser.ts",
  "a tab that is reloaded shows what it has shown",
];
export const NETWORK = "network.browser.ts";
