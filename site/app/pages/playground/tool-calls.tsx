import { Wrench } from 'lucide-react'
import { parseJsonText } from '../../../../src/base/parse-json-text.ts'
import { Button } from '../../components/button.tsx'
import { TextAreaField } from '../../components/text-area-field.tsx'
import { useWords } from '../../words-context.tsx'
import type { AnswerTurn } from './turns.ts'
import { usePlaygroundParts } from './use-playground.ts'

type ToolCallsProps = {
  turn: AnswerTurn
  model: string /** Results can be typed and sent. */
  isOpen: boolean
  isLast: boolean
}

/** What the model calls, as it streams; then a field for what the function returns. */
export const ToolCalls = ({ turn, model, isOpen, isLast }: ToolCallsProps) => {
  const { calls } = useWords().playground
  const { steps } = usePlaygroundParts()
  return (
    <div className="calls">
      {turn.calls.map((call) => (
        <div key={call.id} className="call">
          <p className="name">
            <Wrench size={16} strokeWidth={1.5} aria-hidden />
            {calls.title(call.name)}
          </p>
          <section aria-label={`${calls.arguments}: ${call.name}`}>
            <pre className="raw-text" translate="no">
              {tidy(call.arguments, isOpen)}
            </pre>
          </section>
          {isOpen ? (
            <TextAreaField
              label={calls.result(call.name)}
              help={isLast ? calls.resultHint : undefined}
              rows={2}
              className="json"
              spellCheck={false}
              readOnly={!isLast}
              value={call.result}
              onChange={(event) => steps.setResult(turn.id, call.id, event.target.value)}
            />
          ) : null}
        </div>
      ))}
      {isOpen && isLast ? (
        <Button onClick={() => steps.continueAfter(model, turn.id)}>
          {turn.calls.length > 1 ? calls.continueMany : calls.continue}
        </Button>
      ) : null}
    </div>
  )
}

/** Indented once it is complete; until then shown as it arrives. */
const tidy = (text: string, isWhole: boolean): string => {
  if (!isWhole) return text
  try {
    return JSON.stringify(parseJsonText(text), null, 2)
  } catch {
    return text
  }
}
