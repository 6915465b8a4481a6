import { useWords } from '../words-context.tsx'
import { type Thought, thoughtSeconds } from './thought.ts'

type ThoughtViewProps = { thought: Thought | null; isRunning: boolean }

/** What the model reasoned, folded: it is long, and not the answer. */
export const ThoughtView = ({ thought, isRunning }: ThoughtViewProps) => {
  const { answer } = useWords()
  if (thought === null) return null
  const seconds = thoughtSeconds(thought)
  return (
    <details className="thought">
      <summary>{isRunning && !thought.isOver ? answer.thinking(seconds) : answer.thought(seconds)}</summary>
      <p>{thought.text.trim()}</p>
    </details>
  )
}
