/** What a tool call does: every field of its input, in full. For cards and for prompts. */
import type { InputBody, InputPreview, QuestionView } from "../../src/messages/prompt-models.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Diff } from "./diff.tsx";
import { ExternalLink } from "./external-link.tsx";
import { FilePath } from "./file-path.tsx";
import { NamedFields } from "./named-fields.tsx";
import { TextBlock } from "./text-block.tsx";

export function Preview({ preview: { body, rest } }: { readonly preview: InputPreview }) {
  return (
    <div class="preview">
      <Body body={body} />
      <NamedFields fields={rest} />
    </div>
  );
}

function Body({ body }: { readonly body: InputBody }) {
  switch (body.kind) {
    case "command":
      return <Command {...body} />;
    case "diff":
      return <Diff {...body} />;
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
    <div class="command">
      <span class="command-sign" aria-hidden="true">
        $
      </span>
      <TextBlock text={command} />
      {isBackground && <span class="chip">in the background</span>}
    </div>
  );
}

function Agent({ agentType, prompt }: { readonly agentType?: string; readonly prompt: string }) {
  return (
    <>
      {agentType !== undefined && <span class="chip">{agentType}</span>}
      <TextBlock text={prompt} />
    </>
  );
}

function Questions({ questions }: { readonly questions: readonly QuestionView[] }) {
  return (
    <ul class="questions-asked">
      {questions.map(({ question, header, options }) => (
        <li key={question}>
          {header !== undefined && <span class="chip">{header}</span>} {question}
          <ul>
            {options.map(({ label, description }) => (
              <li key={label}>
                {label}
                {description !== undefined && <span class="muted"> {description}</span>}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
