import { sentences } from './sentences.ts'
import { type Answer, isRunning } from './use-answer.ts'

/** What a screen reader says of a streaming answer: each sentence once, when it is whole. */
export const SpokenAnswer = ({ answer }: { answer: Answer }) => (
  <div className="aside" aria-live="polite">
    {sentences(answer.text, !isRunning(answer)).map((sentence, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: sentences are only ever added
      <p key={index}>{sentence}</p>
    ))}
  </div>
)
