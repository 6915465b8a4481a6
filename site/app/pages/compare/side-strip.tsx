import { TimingStrip } from '../../answer/timing-strip.tsx'
import { stripSpanMs } from '../../answer/token-marks.ts'
import { type AnswerState, isRunning } from '../../answer/use-answer.ts'
import { useWords } from '../../words-context.tsx'

const scale = { firstMs: 2000, fullAt: 0.94, step: 1.6 }

/** The tokens of an answer, on the time axis that all answers share: `lastMs` is the last moment of them all. */
export const SideStrip = ({ answer, lastMs }: { answer: AnswerState; lastMs: number }) => {
  const { turn } = useWords().playground
  const { moments } = answer
  const [first = null] = moments
  return (
    <TimingStrip
      firstMs={first}
      moments={moments}
      scale={{ ...scale, firstMs: stripSpanMs(lastMs, scale) }}
      hasTrack={isRunning(answer)}
      label={turn.strip(moments.length, Math.round(first ?? 0))}
    />
  )
}
