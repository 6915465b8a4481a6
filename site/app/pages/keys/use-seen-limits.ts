import { useState } from 'react'
import type { LimitName } from '../../../../src/platform/contract/limits.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import type { Limits } from '../../../platform/types.ts'
import { useLocale } from '../../words-context.tsx'
import { useLimitFigures } from '../limits/use-limit-figures.ts'
import { limitNames } from './key-draft.ts'
import { type LimitTexts, mergeChanges } from './merge-changes.ts'

type SeenLimitsOptions = {
  /** As the form showed them when it was opened. */
  first: Limits
  /** Shown if somebody else left a limit empty. */
  none: string
  /** Undefined if the limited entity no longer exists. */
  readNow(): Promise<Limits | undefined>
  onTexts(update: (typed: LimitTexts) => Record<LimitName, string>): void
}

/** The limits as the editor last saw them, which every change sends along, and what somebody else changed since. */
export const useSeenLimits = ({ first, none, readNow, onTexts }: SeenLimitsOptions) => {
  const { words } = useLocale()
  const { figure } = useLimitFigures()
  const [seen, setSeen] = useState(first)
  const [changed, setChanged] = useState<readonly LimitName[]>([])

  /** After a change was refused as outdated, the fields show the current values, and the next attempt refers to them. */
  const meet = async (error: unknown): Promise<void> => {
    if (!(error instanceof PlatformError) || error.code !== 'limits_changed') return
    const now = await readNow()
    if (now === undefined) return
    onTexts((typed) => mergeChanges(typed, seen, now))
    setChanged(limitNames.filter((name) => now[name] !== seen[name]))
    setSeen(now)
  }

  const othersChange = (name: LimitName): string | undefined => {
    const now = seen[name]
    if (!changed.includes(name)) return undefined
    if (now === null) return none
    return now === 0 ? words.limits.liftedMeanwhile : words.limits.setMeanwhile(figure(name, now))
  }
  return { seen, meet, othersChange }
}
