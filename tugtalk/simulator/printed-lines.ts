/**
 * The parts that the printed lines have left open: the turn, its streaming message, tools without a result,
 * prompts without an answer. Scripted and unscripted lines count alike, so an interrupt can end either in the
 * same way.
 */
import { type Fields, isJsonObject } from "../src/base/json.ts";
import { contentBlocksOf, fieldOf, textOf } from "./json-value.ts";

/** A request of Claude's that awaits the host's answer. */
export type OpenPrompt = {
  readonly requestId: string;
  readonly subtype: string;
  readonly toolUseId?: string;
  readonly request: Fields;
};

/** The message whose stream events are being printed. */
export type OpenMessage = {
  readonly message: Fields;
  readonly id: string;
  /** The unfinished block, with its text so far. */
  readonly block?: { readonly index: number; readonly type: string; readonly text: string };
};

/** Tracks printed lines. `record` must get every line, in order. */
export class PrintedLines {
  isTurnOpen = false;
  sawInit = false;
  sawReplay = false;
  lastResultIsError = false;
  totalCost = 0;
  openMessage: OpenMessage | undefined;
  /** The last text of the turn. */
  lastText = "";
  /** The messages of the model in this turn. */
  readonly messageIds = new Set<string>();
  /** The user messages that were reported as queued. */
  readonly queued = new Set<string>();
  readonly openTools = new Set<string>();
  readonly openPrompts = new Map<string, OpenPrompt>();

  /** A user message was accepted, even if nothing was printed for it. */
  openTurn(): void {
    if (this.isTurnOpen) return;
    this.isTurnOpen = true;
    this.sawInit = false;
    this.sawReplay = false;
    this.lastText = "";
    this.messageIds.clear();
  }

  /** Records one printed line. */
  record(line: Fields): void {
    switch (line["type"]) {
      case "system":
        if (line["subtype"] === "init") this.#recordInit();
        return;
      case "stream_event":
        if (line["parent_tool_use_id"] == null) this.#recordEvent(fieldOf(line, "event"));
        return;
      case "assistant":
        this.#recordAssistant(line);
        return;
      case "user":
        this.#recordUser(line);
        return;
      case "result":
        this.#recordResult(line);
        return;
      case "control_request":
        this.#recordPrompt(line);
        return;
      case "command_lifecycle":
        if (line["state"] === "queued") this.queued.add(String(line["command_uuid"]));
        return;
      case "control_cancel_request":
        this.openPrompts.delete(String(line["request_id"]));
    }
  }

  #recordInit(): void {
    this.openTurn();
    this.sawInit = true;
  }

  #recordEvent(event: unknown): void {
    const type = textOf(event, "type");
    const { openMessage } = this;
    if (type === "message_start") {
      const message = fieldOf(event, "message");
      if (isJsonObject(message)) this.openMessage = { message, id: String(message["id"]) };
    } else if (type === "message_stop") {
      this.openMessage = undefined;
    } else if (openMessage !== undefined) {
      this.openMessage = followBlock(openMessage, event);
    }
  }

  #recordAssistant(line: Fields): void {
    if (line["parent_tool_use_id"] != null) return;
    // The CLI writes its own errors as messages of a model that does not exist.
    if (fieldOf(line, "message", "model") !== "<synthetic>")
      this.messageIds.add(String(fieldOf(line, "message", "id")));
    for (const block of contentBlocksOf(line)) {
      if (block["type"] === "text") this.lastText = String(block["text"]);
      if (block["type"] === "tool_use") this.openTools.add(String(block["id"]));
    }
  }

  #recordUser(line: Fields): void {
    const isCommandOutput = String(fieldOf(line, "message", "content")).startsWith("<local-");
    if (line["isReplay"] === true && !isCommandOutput) this.sawReplay = true;
    for (const block of contentBlocksOf(line)) {
      if (block["type"] === "tool_result") this.openTools.delete(String(block["tool_use_id"]));
    }
  }

  #recordResult(line: Fields): void {
    this.isTurnOpen = false;
    this.lastResultIsError = line["is_error"] === true;
    if (typeof line["total_cost_usd"] === "number") this.totalCost = line["total_cost_usd"];
    this.openMessage = undefined;
    this.openTools.clear();
  }

  /** No result of a cancelled call is expected. */
  #forgetCall({ server_name, message }: Fields): void {
    const id = fieldOf(message, "params", "requestId");
    for (const { requestId, request } of this.openPrompts.values())
      if (request["server_name"] === server_name && fieldOf(request, "message", "id") === id)
        this.openPrompts.delete(requestId);
  }

  #recordPrompt(line: Fields): void {
    const request = fieldOf(line, "request");
    if (!isJsonObject(request)) return;
    const requestId = String(line["request_id"]);
    if (textOf(request, "message", "method") === "notifications/cancelled")
      this.#forgetCall(request);
    const toolUseId = textOf(request, "tool_use_id");
    this.openPrompts.set(requestId, {
      requestId,
      subtype: String(request["subtype"]),
      request,
      ...(toolUseId === undefined ? {} : { toolUseId }),
    });
  }
}

function followBlock(open: OpenMessage, event: unknown): OpenMessage {
  const { message, id, block } = open;
  switch (textOf(event, "type")) {
    case "content_block_start": {
      const index = Number(fieldOf(event, "index"));
      const type = String(fieldOf(event, "content_block", "type"));
      return { message, id, block: { index, type, text: "" } };
    }
    case "content_block_delta": {
      const more = textOf(event, "delta", "text") ?? "";
      return block === undefined || more === ""
        ? open
        : { message, id, block: { ...block, text: block.text + more } };
    }
    case "content_block_stop":
      return { message, id };
    default:
      return open;
  }
}
