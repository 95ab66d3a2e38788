// The assistant: the conversation as it streams, what waits for the person, what was dropped, what it cost.
import { useEffect, useRef, useState, type ReactElement } from "react";
import { useConfirmations } from "viewcap/react";
import { useConversation } from "./conversation_context.js";
import { ApprovalCard, CallCard, ConfirmationCards } from "./cards.js";
import { approvalIn, decisionsIn, itemsOf, type Item } from "./items.js";

export function AssistantPanel({ onClose }: { onClose(): void }): ReactElement {
  const [conversation, { messages, running, error, tokens, log }] = useConversation();
  const confirmations = useConfirmations();
  const end = useRef<HTMLDivElement>(null);
  const items = itemsOf(messages);
  useEffect(() => {
    end.current?.scrollIntoView({ block: "nearest" });
  }, [messages, confirmations.pending, error]);
  return (
    <aside className="assistant" aria-label="Assistant">
      <header>
        <h2>Assistant</h2>
        {tokens !== undefined && (
          <span className="quiet" data-tokens="">
            {tokens.input} in · {tokens.output} out
          </span>
        )}
        <button type="button" disabled={running || messages.length === 0} onClick={() => conversation.clear()}>
          New
        </button>
        <button type="button" className="panel-close" onClick={onClose} aria-label="Close the assistant">
          ✕
        </button>
      </header>
      <div className="talk" aria-live="polite" aria-busy={running} data-running={running}>
        {items.length === 0 && <Hints onAsk={(text) => void conversation.send(text)} />}
        <Items items={items} running={running} />
        <ConfirmationCards {...confirmations} />
        {error !== undefined && (
          <div className="card failed" role="alert" data-error={error.code}>
            <p>
              <strong>{error.code}</strong> {error.message}
            </p>
            <button type="button" onClick={() => void conversation.again()}>
              Try again
            </button>
          </div>
        )}
        <div ref={end} />
      </div>
      {log.length > 0 && (
        <details className="log">
          <summary>Log ({log.length})</summary>
          <ul>
            {log.map(({ lane, eventType, summary, data }, at) => (
              <li key={at} data-event={eventType}>
                <span className="quiet">{lane}</span> <code>{eventType}</code> {summary} {idIn(data)}
              </li>
            ))}
          </ul>
        </details>
      )}
      <Composer
        running={running}
        onSend={(text) => void conversation.send(text)}
        onCancel={() => conversation.cancel()}
      />
    </aside>
  );
}

function Items({ items, running }: { items: readonly Item[]; running: boolean }): ReactElement {
  const [conversation] = useConversation();
  const decided = decisionsIn(items);
  return (
    <>
      {items.map((item, at) => {
        if (item.kind === "reasoning")
          return (
            <details key={at} className="reasoning">
              <summary>Reasoning</summary>
              <p>{item.text}</p>
            </details>
          );
        if (item.kind !== "call")
          return (
            <p key={at} className={`message ${item.kind}`} data-message={item.kind}>
              {item.kind === "decision" ? item.text.slice(0, item.text.indexOf(" The result:")) : item.text}
            </p>
          );
        const demand = approvalIn(item.result?.value);
        return (
          <div key={item.id + String(at)}>
            <CallCard item={item} />
            {demand !== undefined && (
              <ApprovalCard
                demand={demand}
                tool={item.name}
                input={item.input}
                decided={decided.get(demand.approvalId)}
                busy={running}
                onDecide={(decision) => conversation.decide(demand.approvalId, decision)}
              />
            )}
          </div>
        );
      })}
    </>
  );
}

/** Of a report about the catalog: whom it is about. */
function idIn(data: unknown): string {
  const id: unknown = typeof data === "object" && data !== null && "canonicalId" in data ? data.canonicalId : "";
  return typeof id === "string" ? id : "";
}

const HINTS = ["What is overdue?", "Show the ageing", "Issue INV-1010", "Sort by amount"];

function Hints({ onAsk }: { onAsk(text: string): void }): ReactElement {
  return (
    <div className="hints">
      <p className="quiet">Ask about what you see. Without a key it follows a script.</p>
      {HINTS.map((hint) => (
        <button key={hint} type="button" onClick={() => onAsk(hint)}>
          {hint}
        </button>
      ))}
    </div>
  );
}

interface ComposerProps {
  readonly running: boolean;
  onSend(text: string): void;
  onCancel(): void;
}

function Composer({ running, onSend, onCancel }: ComposerProps): ReactElement {
  const [text, setText] = useState("");
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (running) return;
        onSend(text);
        setText("");
      }}
    >
      <label className="visually-hidden" htmlFor="message">
        Message
      </label>
      <input
        id="message"
        value={text}
        autoComplete="off"
        placeholder="What is overdue?"
        onChange={({ target }) => setText(target.value)}
      />
      {running ? (
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      ) : (
        <button type="submit" className="primary" disabled={text.trim() === ""}>
          Send
        </button>
      )}
    </form>
  );
}
