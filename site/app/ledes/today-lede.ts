import type { Language } from '../../../languages/language.ts'
import type { Words } from '../../../languages/words.ts'
import type { Usage } from '../../../src/platform/contract/usage.ts'
import { wholeText } from '../figures.ts'
import type { Lede } from './lede.ts'

/** Requests, failed ones and rejected ones of the reader's day, then how many are running. */
export const todayLede = (
  usage: Pick<Usage, 'total' | 'rejected'> | undefined,
  running: number,
  { requests }: Pick<Words, 'requests'>,
  language: Language,
): Lede => {
  const now = { muted: requests.running(running) }
  if (usage === undefined) return [now]
  return [{ strong: requests.today(todayFigures(usage, (count) => wholeText(count, language))) }, ' ', now]
}

/** Rejected requests are no part of the others; what did not happen is left out. */
export const todayFigures = (
  { total, rejected }: Pick<Usage, 'total' | 'rejected'>,
  figure: (count: number) => string,
): { requests: string; isOne: boolean; failed: string | null; rejected: string | null } => {
  const all = total.requests + rejected.total
  return {
    requests: figure(all),
    isOne: all === 1,
    failed: total.failed === 0 ? null : figure(total.failed),
    rejected: rejected.total === 0 ? null : figure(rejected.total),
  }
}
