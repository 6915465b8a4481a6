import type { Language } from '../../../languages/language.ts'
import type { FirstWords } from '../../../languages/words.ts'
import type { Notice, NoticeList } from '../../../src/platform/contract/notices.ts'
import { limitFigureText, limitNameText } from '../pages/limits/limit-words.ts'
import { momentText } from '../time/moments.ts'

/** More would push the page away; the next follow when one is dismissed. */
const maxShown = 3

/** Those that the account has not hidden, as far as they are shown. */
export const shownNotices = ({ data, choices: { off, dismissed } }: NoticeList): Notice[] =>
  data.filter(({ id, kind }) => !off.includes(kind) && !dismissed.includes(id)).slice(0, maxShown)

/** What a notice says, and where more is shown. It is written before React is there (`first-sight/`), and by the app. */
export type NoticeLine = { readonly text: string; readonly link: { readonly to: string; readonly text: string } | null }

export const noticeLine = (
  { kind, subject, keyId, isUpstream, limit, percent, used, max, at }: Notice,
  { notices, limits, shell }: Pick<FirstWords, 'notices' | 'limits' | 'shell'>,
  language: Language,
  currency: string,
): NoticeLine => {
  const when = at === null ? '' : momentText(at, language)
  const toKey = keyId === null ? null : { to: `/keys/${keyId}`, text: notices.showKey }
  if (kind === 'budget' && limit !== null) {
    const name = limitNameText(limit, { limits })
    const figure = (value: number | null): string => limitFigureText(limit, value ?? 0, currency, language)
    const text =
      (percent ?? 0) > 100
        ? notices.overBudget(subject, name, figure(used), figure(max), when)
        : notices.budget(subject, name, percent ?? 0, when)
    return { text, link: toKey ?? { to: '/limits', text: shell.limits } }
  }
  if (kind === 'expiry') return { text: notices.expiry(subject ?? '', when), link: toKey }
  if (kind !== 'engine') return { text: notices.configuration, link: null }
  return isUpstream
    ? { text: notices.upstream(subject ?? ''), link: { to: '/admin/upstreams', text: notices.showUpstreams } }
    : { text: notices.engine(subject ?? ''), link: null }
}
