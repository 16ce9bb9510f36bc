/**
 * The forms in which cards and prompts show a tool call. Each kind of the kit's table of tools is a
 * case: of the call in `Body`, and of its result in `OutputView`.
 */

import type { DiffHunk, NamedText, QuestionView } from "../../client/prompt-models.ts";
import type { WebPage } from "../../client/views/tool-outputs.ts";
import type { InputBody, InputPreview, ShownOutput } from "../../client/views/tools.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { formatCount } from "../elements/format-amount.ts";
import { Code } from "../markdown/code.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { Diff, digitsStyle } from "./diff.tsx";
import { ExternalLink } from "./external-link.tsx";
import { FilePath } from "./file-path.tsx";
import { Folded, LongText } from "./folded.tsx";
import { purposeOf } from "./purpose.ts";
import { Terminal } from "./terminal.tsx";
import { TextBlock } from "./text-block.tsx";
import { TodoList } from "./todo-list.tsx";

/** The effect of a change on a file whose present text is known. */
export type KnownChange = {
  readonly verb: string;
  /** Absent: the hunks of the call itself. */
  readonly hunks?: readonly DiffHunk[] | undefined;
};

type PreviewProps = {
  readonly preview: InputPreview;
  readonly change?: KnownChange | undefined;
};

/** Every field of the input, in full. */
export function Preview({ preview: { body, rest }, change }: PreviewProps) {
  return (
    <div class="preview stack">
      {body.kind === "diff" ? <Change {...body} known={change} /> : <Body body={body} />}
      <NamedFields fields={rest} />
    </div>
  );
}

/** The same below a line that has the summary of the call, without the texts of that line. */
export function TitledPreview({ preview, summary }: TitledPreviewProps) {
  const { body, rest } = preview;
  const said = [body.kind === "fields" ? undefined : summary, purposeOf(preview)];
  const fields = rest.filter(({ text }) => !said.includes(text));
  if (body.kind === "file" && fields.length === 0) return null;
  return (
    <div class="preview stack">
      {body.kind === "diff" && <TitledChange {...body} />}
      {body.kind !== "diff" && body.kind !== "file" && <Body body={body} />}
      <NamedFields fields={fields} />
    </div>
  );
}

type TitledPreviewProps = {
  readonly preview: InputPreview;
  readonly summary: string | undefined;
};

function TitledChange({ hunks, isWhole }: ChangeBody) {
  return isWhole === true ? <NewLines hunks={hunks} /> : <Diff hunks={hunks} isPlaced={false} />;
}

/** A text that is written as a whole. */
function NewLines({ hunks }: { readonly hunks: readonly DiffHunk[] }) {
  return <FileView lines={newLines(hunks)} startLine={1} />;
}

function newLines(hunks: readonly DiffHunk[]): readonly string[] {
  return hunks.flatMap((hunk) => hunk.lines.map((line) => line.slice(1)));
}

type ChangeBody = Extract<InputBody, { kind: "diff" }>;

type ChangeProps = Omit<ChangeBody, "kind"> & { readonly known: KnownChange | undefined };

/** A whole text is not drawn as added while the text that it replaces is unknown. */
function Change({ filePath, hunks, isWhole, known }: ChangeProps) {
  if (known?.hunks !== undefined)
    return <Diff filePath={filePath} hunks={known.hunks} verb={known.verb} />;
  if (isWhole !== true) return <Diff filePath={filePath} hunks={hunks} isPlaced={false} />;
  return (
    <figure class="diff">
      <figcaption class="diff-header line small">
        <span class="diff-verb muted">{known?.verb ?? "Writes"}</span>
        <FilePath path={filePath} />
        <span class="diff-verb muted">{formatCount(newLines(hunks).length, "line")}</span>
      </figcaption>
      <NewLines hunks={hunks} />
    </figure>
  );
}

function Body({ body }: { readonly body: Exclude<InputBody, ChangeBody> }) {
  switch (body.kind) {
    case "command":
      return <Command {...body} />;
    case "file":
      return (
        <p class="preview-line">
          <FilePath path={body.filePath} />
        </p>
      );
    case "address":
      return (
        <p class="preview-line">
          <ExternalLink url={body.url} />
        </p>
      );
    case "search":
      return <TextBlock text={body.query} />;
    case "agent":
      return <Agent {...body} />;
    case "plan":
      return <Markdown text={body.plan} isStreaming={false} />;
    case "questions":
      return <Questions questions={body.questions} />;
    case "fields":
      return null;
  }
}

type CommandProps = { readonly command: string; readonly isBackground: boolean };

function Command({ command, isBackground }: CommandProps) {
  return (
    <div class="command line">
      <span class="command-sign" aria-hidden="true">
        $
      </span>
      <TextBlock text={command} />
      {isBackground && <span class="chip">in the background</span>}
    </div>
  );
}

type AgentProps = Omit<Extract<InputBody, { kind: "agent" }>, "kind">;

function Agent({ agentType, prompt, isBackground }: AgentProps) {
  return (
    <>
      {(agentType !== undefined || isBackground) && (
        <p class="row">
          {agentType !== undefined && <span class="chip">{agentType}</span>}
          {isBackground && <span class="chip">in the background</span>}
        </p>
      )}
      <TextBlock text={prompt} />
    </>
  );
}

function Questions({ questions }: { readonly questions: readonly QuestionView[] }) {
  return (
    <ul class="stack">
      {questions.map(({ question, header, options }) => (
        <li key={question}>
          {header !== undefined && <span class="chip">{showHidden(header)}</span>}{" "}
          {showHidden(question)}
          <ul>
            {options.map(({ label, description }) => (
              <li key={label}>
                {showHidden(label)}
                {description !== undefined && <span class="muted"> {showHidden(description)}</span>}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

/** Fields of an input by name, each in full. */
function NamedFields({ fields }: { readonly fields: readonly NamedText[] }) {
  if (fields.length === 0) return null;
  return (
    <dl class="fields">
      {fields.map(({ name, text }) => (
        <div key={name} class="fields-row">
          <dt>{name}</dt>
          <dd>
            <TextBlock text={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The outcome of a tool call. */
export function OutputView({ output }: { readonly output: ShownOutput }) {
  switch (output.kind) {
    case "none":
      return null;
    case "terminal":
      return <Terminal text={output.text} />;
    case "error":
      return (
        <div class="tool-error">
          <Terminal text={output.text} />
        </div>
      );
    case "file":
      return <FileView {...output} />;
    case "paths":
      return <Paths {...output} />;
    case "pages":
      return (
        <>
          <Pages pages={output.pages} />
          <Markdown text={output.text} isStreaming={false} />
        </>
      );
    case "tasks":
      return <TodoList tasks={output.tasks} />;
    case "markdown":
      return <Markdown text={output.text} isStreaming={false} />;
    case "json":
      return <Code code={output.text} language="json" />;
    case "text":
      return <TextBlock text={output.text} />;
  }
}

type PathsProps = { readonly paths: readonly string[]; readonly isCut: boolean };

function Paths({ paths, isCut }: PathsProps) {
  return (
    <div class="paths">
      <Folded
        lines={paths}
        size={{ head: 20, tail: 0 }}
        noun="files"
        draw={(path) => (
          <div key={path}>
            <FilePath path={path} />
          </div>
        )}
      />
      {isCut && <p class="muted small">There are more.</p>}
    </div>
  );
}

function Pages({ pages }: { readonly pages: readonly WebPage[] }) {
  return (
    <ul class="stack tight">
      {pages.map(({ title, url }) => (
        <li key={url}>
          <ExternalLink url={url}>{title}</ExternalLink>
        </li>
      ))}
    </ul>
  );
}

type FileViewProps = { readonly lines: readonly string[]; readonly startLine: number };

/** Lines of a file with their numbers. */
function FileView({ lines, startLine }: FileViewProps) {
  return (
    <div class="file-view" style={digitsStyle(startLine + lines.length - 1)}>
      <Folded
        lines={lines}
        size={{ head: 30, tail: 5 }}
        draw={(line, index) => (
          <div key={index} class="file-line">
            <span class="diff-number">{startLine + index}</span>
            <span class="grow">
              <LongText text={line} />
            </span>
          </div>
        )}
      />
    </div>
  );
}
