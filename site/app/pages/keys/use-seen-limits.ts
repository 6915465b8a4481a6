import { useState } from 'react'
import type { LimitName } from '../../../platform/limit-types.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import type { Limits } from '../../../platform/types.ts'
import { wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { limitNames } from './key-draft.ts'
import { type LimitTexts, mergeChanges } from './merge-changes.ts'

type SeenLimitsOptions = {
  /** As the form showed them when it was opened. */
  first: Limits
  /** Told where somebody else left a limit empty. */
  none: string
  /** Undefined where whatever they limit is gone. */
  readNow(): Promise<Limits | undefined>
  onTexts(update: (typed: LimitTexts) => Record<LimitName, string>): void
}

/** The limits as whoever changes them last saw them, which a change sends along, and what somebody else made of them since. */
export const useSeenLimits = ({ first, none, readNow, onTexts }: SeenLimitsOptions) => {
  const { language, words } = useLocale()
  const [seen, setSeen] = useState(first)
  const [changed, setChanged] = useState<readonly LimitName[]>([])

  /** Once a change was refused for what somebody else did, the fields show that, and the next try is made for it. */
  const meet = async (error: unknown): Promise<void> => {
    if (!(error instanceof PlatformError) || error.code !== 'limits_changed') return
    const now = await readNow()
    if (now === undefined) return
    onTexts((typed) => mergeChanges(typed, seen, now))
    setChanged(limitNames.filter((name) => now[name] !== seen[name]))
    setSeen(now)
  }

  const toldOf = (name: LimitName): string | undefined => {
    const now = seen[name]
    if (!changed.includes(name)) return undefined
    if (now === null) return none
    return now === 0 ? words.limits.liftedMeanwhile : words.limits.setMeanwhile(wholeText(now, language))
  }
  return { seen, meet, toldOf }
}
