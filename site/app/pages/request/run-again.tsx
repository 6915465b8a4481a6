import { useEffect } from 'react'
import { type Question, useAnswer } from '../../answer/use-answer.ts'
import { SideAnswer } from '../compare/side-answer.tsx'
import '../../../styles/compare.css'

/** Asks the same again, through the session, and shows the answer. */
export const RunAgain = ({ question }: { question: Question }) => {
  const { answer, run } = useAnswer()
  const ask = (more: Partial<Question> = {}): void => void run({ ...question, ...more })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it was pressed once
  useEffect(ask, [])
  return (
    <SideAnswer
      answer={answer}
      lastMs={answer.moments.at(-1) ?? 0}
      isJson={false}
      onRetry={ask}
      onShorten={(tokens) => ask({ max_completion_tokens: tokens })}
    />
  )
}
