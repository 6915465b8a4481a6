import { useWords } from '../../words-context.tsx'
import { readCalls, readChoices, type StoredChoice } from './read-choices.ts'

/** The answer in readable form: each choice with its reasoning, its text and its tool calls. */
export const StoredAnswer = ({ text }: { text: string }) => {
  const choices = readChoices(text)
  if (choices === null)
    return (
      <pre className="raw-text" translate="no">
        {text}
      </pre>
    )
  return choices.map((choice) => <Choice key={choice.index} choice={choice} isOnly={choices.length === 1} />)
}

const Choice = ({ choice, isOnly }: { choice: StoredChoice; isOnly: boolean }) => {
  const { requests } = useWords()
  const { content, reasoning_content: thought } = choice.message
  return (
    <div className="stored-choice">
      {isOnly ? null : <h3>{requests.choiceBody(choice.index + 1)}</h3>}
      {thought === undefined ? null : (
        <>
          <p className="muted small">{requests.thought}</p>
          <pre className="raw-text" translate="no">
            {thought}
          </pre>
        </>
      )}
      {content === null ? null : (
        <pre className="raw-text" translate="no">
          {content}
        </pre>
      )}
      {readCalls(choice).map((call) => (
        <div key={call.id}>
          <p className="muted small">{requests.called(call.name)}</p>
          <pre className="raw-text" translate="no">
            {call.arguments}
          </pre>
        </div>
      ))}
      {choice.finish_reason === null ? <p className="muted small">{requests.brokeOff}</p> : null}
    </div>
  )
}
