import type { Key } from '../../../platform/types.ts'
import { daysUntil } from '../../time/moments.ts'
import { useWords } from '../../words-context.tsx'
import { isEnding, passes } from './key-state.ts'

type KeysLedeProps = { keys: readonly Key[] | undefined; now: number; failed: boolean }

/** How many keys are live, and which need attention. The line keeps its height while it loads. */
export const KeysLede = ({ keys: all, now, failed }: KeysLedeProps) => {
  const { keys, shell } = useWords()
  if (all === undefined) return failed ? shell.stillWork : <span className="skeleton-line" />
  if (all.length === 0) return <b>{keys.emptyLede}</b>
  const live = all.filter((key) => passes(key, 'live', now))
  const ending = live.filter((key) => isEnding(key, now))
  const firstEnd = Math.min(...ending.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY))
  return (
    <>
      <b>{keys.live(live.length)}</b>{' '}
      {live.length === 0 ? null : (
        <span className="muted">
          {ending.length === 0
            ? keys.nothingExpiring(live.length)
            : keys.expiring(ending.length, daysUntil(firstEnd, now))}
        </span>
      )}
    </>
  )
}
