import type { Language } from '../../../languages/language.ts'
import type { FirstWords } from '../../../languages/words.ts'
import type { Checklist } from '../../../src/platform/contract/notices.ts'
import { momentText } from '../time/moments.ts'

export type StepName = Exclude<keyof Checklist, 'usesPostgres'>

type Step = { readonly id: StepName; readonly isDone: boolean; readonly text: string; readonly explanation: string }

/** The owner's first steps. They are written before React is there (`first-sight/`), and by the app. */
export const firstSteps = (data: Checklist, { firstDay }: Pick<FirstWords, 'firstDay'>, language: Language): Step[] => {
  const { backedUpAt, usesPostgres } = data
  const step = (id: Exclude<StepName, 'backedUpAt'>): Step => ({
    ...{ id, isDone: data[id], text: firstDay[id], explanation: firstDay.explains[id] },
  })
  const backUp: Step = {
    id: 'backedUpAt',
    isDone: backedUpAt !== null,
    text: backedUpAt === null ? firstDay.backUp : firstDay.backedUp(momentText(backedUpAt, language)),
    explanation: firstDay.explains.backedUpAt,
  }
  // The server cannot know whether its database is backed up elsewhere.
  const backUps = usesPostgres ? [] : [backUp]
  return [...(['https', 'twoFactor', 'limits', 'mail', 'invited'] as const).map(step), ...backUps, step('model')]
}
