import type { LimitUnit } from '../../../config/limit-kinds.ts'

/** How the sums of a day or month are named in Redis. Nodes of earlier versions know t and m. */
export const unitLetters = { requests: 'q', tokens: 't', money: 'm' } as const satisfies Record<LimitUnit, string>

export const unitOfLetter = (letter: string): LimitUnit =>
  letter === unitLetters.tokens ? 'tokens' : letter === unitLetters.money ? 'money' : 'requests'
