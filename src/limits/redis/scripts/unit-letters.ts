import type { LimitUnit } from '../../../config/limit-kinds.ts'

/** The names of the sums of a day or month in Redis. Nodes of earlier versions know only t and m. */
export const unitLetters = { requests: 'q', tokens: 't', money: 'm' } as const satisfies Record<LimitUnit, string>

export const unitOfLetter = (letter: string): LimitUnit =>
  letter === unitLetters.tokens ? 'tokens' : letter === unitLetters.money ? 'money' : 'requests'
