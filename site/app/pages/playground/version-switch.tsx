import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useWords } from '../../words-context.tsx'
import type { Turn } from './turns.ts'
import { usePlaygroundParts } from './use-playground.ts'
import { versionNumber } from './versions.ts'

type VersionSwitchProps = { turn: Turn; what: string; isBusy: boolean }

/** ‹ 2/3 ›: shows another version of a turn, with what followed it. Only where there is one. */
export const VersionSwitch = ({ turn, what, isBusy }: VersionSwitchProps) => {
  const { turn: words } = useWords().playground
  const { steps } = usePlaygroundParts()
  const { number, count } = versionNumber(turn)
  if (count === 1) return null
  const step = (by: -1 | 1, label: string, Icon: typeof ChevronLeft, isEnd: boolean) => (
    <button
      type="button"
      aria-label={words.about(label, what)}
      title={label}
      aria-disabled={isEnd || isBusy || undefined}
      onClick={() => !isEnd && !isBusy && steps.showVersion(turn.id, by)}
    >
      <Icon size={16} strokeWidth={1.5} aria-hidden />
    </button>
  )
  return (
    <span className="versions">
      {step(-1, words.previousVersion, ChevronLeft, number === 1)}
      <span className="tabular" aria-hidden>
        {number}/{count}
      </span>
      <span className="visually-hidden" role="status">
        {words.version(number, count)}
      </span>
      {step(1, words.nextVersion, ChevronRight, number === count)}
    </span>
  )
}
