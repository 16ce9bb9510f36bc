/** What came of a tool call. */
import type { ShownOutput, WebPage } from "../../client/views/tool-outputs.ts";
import { Code } from "../markdown/code.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { ExternalLink } from "./external-link.tsx";
import { FilePath } from "./file-path.tsx";
import { FileView } from "./file-view.tsx";
import { Folded } from "./folded.tsx";
import { Terminal } from "./terminal.tsx";
import { TextBlock } from "./text-block.tsx";
import { TodoList } from "./todo-list.tsx";

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

const SIZE = { head: 20, tail: 0 };

type PathsProps = { readonly paths: readonly string[]; readonly isCut: boolean };

function Paths({ paths, isCut }: PathsProps) {
  return (
    <div class="paths">
      <Folded
        lines={paths}
        size={SIZE}
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
    <ul class="pages">
      {pages.map(({ title, url }) => (
        <li key={url}>
          <ExternalLink url={url}>{title}</ExternalLink>
        </li>
      ))}
    </ul>
  );
}
