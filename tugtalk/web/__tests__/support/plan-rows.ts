/** Which test shows which row of the four plans that the page was ordered by: a letter and a number. */
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

const STATES = "card-states.browser.ts";
const REAL = "real-page.ts";

/** By their number. */
type Rows = Readonly<Record<number, readonly Named[]>>;

type Plan = "K" | "D" | "F" | "B";

export const ROWS: Readonly<Record<Plan, Rows>> = {
  K: {
    37: [
      [
        "board-state.test.ts",
        "prompts are in the order in which they were opened, and another one's end leaves them",
      ],
      ["board-state.test.ts", "after a reconnect the list replaces all that was known"],
    ],
    38: [
      [
        COMPOSER,
        "a message is sent with Enter or the button, trimmed, and the composer is empty after that",
      ],
      [COMPOSER, "Enter that ends the composition of a word does not send"],
    ],
    39: [
      [
        QUEUE,
        "a message that is sent while Claude works waits in a strip above the input, in every tab",
      ],
    ],
    40: [
      [
        PERMISSIONS,
        "a permission shows tool, purpose, reasons and the exact input, and Allow lets Claude run it as it was",
      ],
      [PERMISSIONS, "an input of many lines can be scrolled and shown whole"],
    ],
    41: [
      [PERMISSIONS, "the first Deny asks for a reason, and Enter sends it"],
      [PERMISSIONS, "the second Deny sends a denial without a reason"],
      [
        PERMISSIONS,
        "while an answer is on its way no other can be given, and one that is lost can be given again",
      ],
    ],
    42: [
      [
        QUESTIONS,
        "questions have radios or checkboxes by kind, each with free text, and cannot be submitted before all are answered",
      ],
    ],
    43: [
      [
        OVERLAY,
        "on the board prompts are answered in a dialog, approvals before questions, the next when one is resolved",
      ],
      [
        OVERLAY,
        "in a session the key P opens what others ask, its keys answer there only, and the link leads to the session",
      ],
    ],
    44: [
      [
        BOARD,
        "K43, K44: a card has title, folder, model, cost, age, what waits, and a badge of the open prompts, and moves to another column when they are answered",
      ],
      [HEADER, "a prompt is a state in words and a bell with a count, until it is answered"],
    ],
    45: [
      [
        BOARD,
        "K45: a card says at once what Claude has said last, as plain words, and what has failed last",
      ],
      [
        ENTRIES,
        "while Claude writes, the page counts tokens and moves a cursor, until the turn ends",
      ],
    ],
    46: [[PERMISSIONS, "a failure is shown, and the card can be used again"]],
    47: [[REAL, "what is allowed for always on the page runs, and the rule is in the settings"]],
  },
  D: {
    12: [
      [CARDS, "each tool call is one closed line with its name, what it is about and how it ended"],
      [
        STATES,
        "one card waits for a person in amber, goes on when it is allowed, and keeps who allowed it",
      ],
    ],
    13: [
      [
        QUESTIONS,
        "a question that another client answers first is gone, and the page says who did",
      ],
      [
        QUESTIONS,
        "a question that Stop ends is cancelled, and one that nobody answers in time expires",
      ],
    ],
    14: [
      [QUESTIONS, "Other takes the place of a choice, needs a text, and a choice takes its place"],
    ],
    15: [[QUESTIONS, "a failed submission is told, and the form can be used again"]],
    16: [[STATES, "answered questions are one line each, also while the card is closed"]],
    17: [
      [
        "question-answers.test.ts",
        "the answers are texts and lists by the question, also after the draft was stored",
      ],
      [REAL, "the answer to a question reaches the model by the text of the question"],
    ],
    18: [
      [
        STATES,
        "one card waits for a person in amber, goes on when it is allowed, and keeps who allowed it",
      ],
    ],
    19: [
      [
        QUESTIONS,
        "questions have radios or checkboxes by kind, each with free text, and cannot be submitted before all are answered",
      ],
      [
        "rows.test.ts",
        "every row K1 to K36, D1 to D11 and F1 to F27 has a test, and no test names another row",
      ],
    ],
    20: [
      [
        "rows.test.ts",
        "the developer guide says how the page gets a card for a new kind of prompt",
      ],
    ],
  },
  F: {
    28: [
      [
        NEW,
        "F28: a double click creates one session, with model, mode, title and limit as chosen, and its first message is sent",
      ],
    ],
    29: [
      [
        "board-state.test.ts",
        "a session that changes keeps its place, and the others are the same objects",
      ],
      [HEADER, "the header has title, folder, state and cost, and they follow the session"],
    ],
    30: [
      [
        ENTRIES,
        "a person's message is plain text at the right, and Claude's is Markdown at the left",
      ],
      [ENTRIES, "thinking is closed, says how long it is, and opens"],
    ],
    31: [
      [CARDS, "each tool call is one closed line with its name, what it is about and how it ended"],
    ],
    32: [
      [
        PERMISSIONS,
        "a permission shows tool, purpose, reasons and the exact input, and Allow lets Claude run it as it was",
      ],
    ],
    33: [
      [COMPOSER, "the field grows from 36 to 200 pixels with its text"],
      [COMPOSER, "a page without a connection keeps what is typed and says why it is not sent"],
      [STOP, "Stop ends the turn, and the draft and the queue are in the composer of who stopped"],
    ],
    34: [
      [
        SCROLLING,
        "a person who has scrolled up stays there, hears of news, and comes back by a button",
      ],
      [
        "connection.browser.ts",
        "a host that is away is told of after a moment, and no more once it is back",
      ],
      [
        ENTRIES,
        "while Claude writes, the page counts tokens and moves a cursor, until the turn ends",
      ],
    ],
    35: [
      [NEW, "F35: a folder is found by going up and down, by typing, and among those used last"],
      [
        BOARD,
        "the arrows and j and k go from card to card, Enter opens the session, and W the dialog of a new one",
      ],
    ],
    36: [
      RELOAD,
      [
        BOARD,
        "a person goes from session to session that needs one, and to others by the list beside it",
      ],
    ],
    37: [
      [
        ENTRIES,
        "while Claude writes, the page counts tokens and moves a cursor, until the turn ends",
      ],
    ],
    38: [
      [ENTRIES, "a continued conversation stands before what is new, once, also after a reload"],
      [NETWORK, "a tab that was offline for a minute catches up without a hole or a repetition"],
    ],
    39: [
      [
        "page.browser.ts",
        "a person opens the page, creates a session, and reads the answer to a message",
      ],
    ],
  },
  B: {
    1: [
      [HEADER, "a model is chosen from those that Claude offers, and shown once Claude has it"],
      [
        HEADER,
        "a mode is chosen, and one that asks for nothing is confirmed before and refused by Claude in words",
      ],
    ],
    2: [[PANELS, "help lists commands, agents, tools and the version, and can be filtered"]],
    3: [[PANELS, "the keys of each context are listed with what they do"]],
    4: [[HEADER, "the gauge of the context opens what fills it, and is refreshed by Claude"]],
    5: [[HEADER, "the cost opens total, latest turn, durations and each model"]],
    6: [
      [
        CARDS,
        "an edit is drawn as a diff with the numbers of its lines, and with the words marked that differ",
      ],
      [CARDS, "a new file is drawn as code"],
      [
        CARDS,
        "the output of a command has its colours, its last progress and its links, and is copied as text",
      ],
      [CARDS, "a file that was read has the numbers of its lines"],
      [CARDS, "found files are a list, and found pages are links"],
    ],
    7: [
      [
        WORK,
        "a line above the composer tells how far Claude is, and opens its list with the active task first",
      ],
    ],
    8: [
      [
        PANELS,
        "MCP servers are listed with state and tools, and can be connected again and disabled",
      ],
    ],
    9: [
      [
        PERMISSIONS,
        "a permission shows tool, purpose, reasons and the exact input, and Allow lets Claude run it as it was",
      ],
    ],
    10: [
      [
        QUESTIONS,
        "questions have radios or checkboxes by kind, each with free text, and cannot be submitted before all are answered",
      ],
    ],
    11: [
      [
        ASSIST,
        "a slash at the beginning offers the commands with category, description and argument hint",
      ],
    ],
    12: [
      [BOARD, "B12: a session is renamed, forked and ended by the menu of its card"],
      [
        NEW,
        "a past conversation is found by its title and continued with its turns, also in a copy",
      ],
    ],
  },
};

/** What is not built: the plan itself leaves it out, such as a file browser and an editor. */
export const RULED_OUT = ["F40"];
