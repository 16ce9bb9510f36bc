/** A plan that Claude wants to carry out. */
import { allow } from "../../client/answers.ts";
import type { PlanApproval, PlanCardData } from "../../client/prompt-models.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Denial } from "./denial.tsx";
import type { PromptActions } from "./prompt-actions.ts";
import { ScrollBox } from "./scroll-box.tsx";

type PlanCardProps = { readonly view: PlanCardData; readonly actions: PromptActions };

export function PlanCard({
  view: { plan, planFilePath, requests, approvals },
  actions,
}: PlanCardProps) {
  return (
    <>
      <ScrollBox label="Plan" class="prompt-plan">
        {plan === undefined ? (
          <p>Claude has sent no plan.</p>
        ) : (
          <Markdown text={showHidden(plan)} isStreaming={false} />
        )}
      </ScrollBox>
      {planFilePath !== undefined && (
        <p class="prompt-why hint">
          In <code>{showHidden(planFilePath)}</code>
        </p>
      )}
      {requests.length > 0 && (
        <div class="small">
          Claude asks to do this without further prompts:
          <ul>
            {requests.map(({ tool, prompt }) => (
              <li key={`${tool} ${prompt}`}>
                {showHidden(tool)}: {showHidden(prompt)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <Denial
        actions={actions}
        label="Keep planning"
        reasonLabel="What should be different? (optional)"
      >
        {approvals.map((approval, index) => (
          <Approve
            key={approval.text}
            approval={approval}
            actions={actions}
            isFirst={index === 0}
          />
        ))}
      </Denial>
    </>
  );
}

type ApproveProps = {
  readonly approval: PlanApproval;
  readonly actions: PromptActions;
  readonly isFirst: boolean;
};

function Approve({ approval: { text, updatedPermissions }, actions, isFirst }: ApproveProps) {
  const { request, answer, isDisabled } = actions;
  return (
    <button
      type="button"
      class={isFirst ? "good" : ""}
      disabled={isDisabled}
      aria-keyshortcuts={isFirst ? "A" : "Y"}
      onClick={() => answer(allow(request, updatedPermissions))}
    >
      {text} <kbd>{isFirst ? "A" : "Y"}</kbd>
    </button>
  );
}
