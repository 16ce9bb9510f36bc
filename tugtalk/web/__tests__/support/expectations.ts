/** Which test shows what people expect of a page like this, and what they like beyond that. */
import {
  ASSIST,
  BOARD,
  CARDS,
  COMPOSER,
  ENTRIES,
  HEADER,
  type Named,
  NETWORK,
  NEW,
  OVERLAY,
  PANELS,
  PERMISSIONS,
  QUESTIONS,
  QUEUE,
  RELOAD,
  SCROLLING,
  STOP,
  WORK,
} from "./test-files.ts";

export const TABLE_STAKES: Readonly<Record<string, Named>> = {
  "streaming markdown": [
    "block-lexer.test.ts",
    "a text that arrives in pieces has the blocks that it has as a whole, at each moment",
  ],
  "highlighted code": [
    "highlight.test.ts",
    "the properties, selectors and values of CSS have scopes of their own",
  ],
  "collapsed tool cards with state": [
    CARDS,
    "each tool call is one closed line with its name, what it is about and how it ended",
  ],
  diff: [
    CARDS,
    "an edit is drawn as a diff with the numbers of its lines, and with the words marked that differ",
  ],
  thinking: [ENTRIES, "thinking is closed, says how long it is, and opens"],
  "prompt with preview, suggestions and reason": [
    PERMISSIONS,
    "a suggestion is accepted in its own words, and every tab is told what was written where and how to revoke it",
  ],
  "question form": [
    QUESTIONS,
    "Other takes the place of a choice, needs a text, and a choice takes its place",
  ],
  "plan card": [
    "forms.browser.ts",
    "a plan is shown as it is meant, and carried out in the mode that a person chooses",
  ],
  "stop and Escape": [
    STOP,
    "Escape stops a turn also with a prompt open, says that it was not answered, and keeps the draft",
  ],
  "model and mode": [
    HEADER,
    "a model is chosen from those that Claude offers, and shown once Claude has it",
  ],
  "slash completion": [
    ASSIST,
    "a command is found by its alias, chosen with the arrows or the pointer, and sent when typed whole",
  ],
  "@file completion": [ASSIST, "an @ in any word offers files of the folder, and folders go on"],
  "image paste": ["attachments.browser.ts", "an image is pasted, and sent without any text"],
  "image drop": [
    "attachments.browser.ts",
    "files that are dragged over the page find a place to be dropped",
  ],
  "task list": [
    WORK,
    "a line above the composer tells how far Claude is, and opens its list with the active task first",
  ],
  "subagent nesting": [
    "agents.browser.ts",
    "an agent that starts an agent is drawn in its call, live and after a reload",
  ],
  cost: [HEADER, "the cost opens total, latest turn, durations and each model"],
  context: [HEADER, "the gauge of the context opens what fills it, and is refreshed by Claude"],
  "session list, rename": [
    BOARD,
    "B12: a session is renamed, forked and ended by the menu of its card",
  ],
  resume: [
    NEW,
    "a past conversation is found by its title and continued with its turns, also in a copy",
  ],
  "reload without loss": RELOAD,
  "reconnect without loss": ["killed.browser.ts", "after kill -9 of "],
  "queue while busy": [
    QUEUE,
    "a message that is sent while Claude works waits in a strip above the input, in every tab",
  ],
  "badge and tab title": [
    "attention.browser.ts",
    "the title and the icon of the tab say that a session waits, and that it was done since somebody looked",
  ],
  "sticky bottom and pill": [
    SCROLLING,
    "a person who has scrolled up stays there, hears of news, and comes back by a button",
  ],
  "dark and light": [
    "accessibility.browser.ts",
    "axe finds nothing serious, nothing overflows and each focus has a ring",
  ],
  "phone layout": [
    HEADER,
    "on a phone the menu leads to model and mode, and nothing is wider than the page",
  ],
  "live region": [
    "finding.browser.ts",
    "a screen reader is told of finished paragraphs and of the end of a turn, not of each delta",
  ],
};

export const DELIGHT: Readonly<Record<string, Named>> = {
  "prompts at the composer": [
    PERMISSIONS,
    "the key N opens the reason, which takes the letters of the keys",
  ],
  "prompts of other sessions": [
    OVERLAY,
    "in a session the key P opens what others ask, its keys answer there only, and the link leads to the session",
  ],
  receipts: [
    PERMISSIONS,
    "a suggestion is accepted in its own words, and every tab is told what was written where and how to revoke it",
  ],
  "queue: edit": [QUEUE, "a message that waits is changed in place, by one tab for all"],
  "queue: drop": [QUEUE, "a message that waits is dropped, and ArrowUp brings its text back"],
  "queue: send now": [QUEUE, "a message that waits is sent next, or now into the turn that runs"],
  "Stop gives back": [
    STOP,
    "Stop ends the turn, and the draft and the queue are in the composer of who stopped",
  ],
  "second Stop": [STOP, "Stop leaves background work alone, and a second Stop offers to end it"],
  history: [
    ASSIST,
    "ArrowUp and ArrowDown go through the messages of the session, and back to what was typed",
  ],
  drafts: [COMPOSER, "drafts survive a reload and belong to their session"],
  "old turns collapse": [
    ENTRIES,
    "turns fold to one line, one by one and all at once, and stay so while the page is open",
  ],
  "reads collapse": [ENTRIES, "consecutive reads are one line that opens"],
  "footer of a turn": [
    ENTRIES,
    "a turn ends with when it was asked for, its time, cost, tokens and model, and a failed one with its error",
  ],
  find: [
    "finding.browser.ts",
    "find counts what is found, goes through it, and opens what it is in",
  ],
  export: [PANELS, "the transcript is downloaded as Markdown or JSON, and copied"],
  "sticky question": [
    SCROLLING,
    "the question of what is read stays at the top, and leads back to it",
  ],
  "tab title": [
    "tab-title.test.ts",
    "the tab of a session that waits for a person has a question mark and the count of prompts",
  ],
  palette: [
    "palette.browser.ts",
    "the palette opens by Ctrl+K from the message field, and runs what a few letters find",
  ],
  keys: [
    "palette.browser.ts",
    "a letter is a key of the page outside of text fields, and a letter in them",
  ],
  "next that needs a person": [
    "palette.browser.ts",
    "Ctrl+. leads to the next session that waits for a person",
  ],
  "rate limits": [HEADER, "the limits of a plan are in the panel of the costs"],
  "connection after a grace": [
    "connection.browser.ts",
    "a host that is away is told of after a moment, and no more once it is back",
  ],
  "edit and try again": [ENTRIES, "an earlier message is edited in a copy of the conversation"],
  notification: [
    "attention.browser.ts",
    "a notification is asked for by a person, says who asks for which tool, leads there, and goes with the answer",
  ],
  "limit of dollars": [
    BOARD,
    "a limit of dollars is set while a session runs, shown on its card and at its composer, and raised",
  ],
  "changed files": [
    WORK,
    "the changed files are listed with their counts and lines, and their patch is one that git applies",
  ],
  "reload after an upgrade": [
    "connection.browser.ts",
    "a page of an older host says that the host was updated, and the draft survives the reload",
  ],
  "two tabs": [
    NETWORK,
    "an answer in one tab closes the prompt in the other, in another browser too",
  ],
  "slow network": [
    NETWORK,
    "on a slow network a page loads, streams and answers, with each text once",
  ],
};
