import { systemClock } from '../../base/clock.ts'
import { failureForm } from './failure-form.ts'
import type { AuthorityCalls, AuthorityNotes } from './protocol.ts'

/** What most requests need. The rest is rare, or has sets and bytes. */
const plain: readonly (keyof AuthorityCalls | keyof AuthorityNotes)[] = [
  ...([
    'precheck',
    'begin',
    'enter',
    'extraSlot',
    'yieldSlot',
    'extend',
    'place',
    'settle',
    'reserveDisk',
    'sync',
  ] as const),
  ...(['touched', 'released', 'refused', 'refusedBefore'] as const),
  ...(['slotUsed', 'extraLeft', 'slotLeft', 'placeBegan', 'placeLeft', 'diskLeft'] as const),
]

/** How workers and their authority talk: the same at both ends. */
export const portOptions = { failures: failureForm, plain: new Set<string>(plain), clock: systemClock }
