import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bell, X } from 'lucide-react'
import { useState } from 'react'
import type { Notice } from '../../../src/platform/contract/notices.ts'
import { usePlatform } from '../app-state.ts'
import { IconButton } from '../components/icon-button.tsx'
import { limitNameText } from '../pages/limits/limit-words.ts'
import { useLimitFigures } from '../pages/limits/use-limit-figures.ts'
import { useSession } from '../session.ts'
import { momentText } from '../time/moments.ts'
import { useLocale, useWords } from '../words-context.tsx'
import { noticesQuery } from './notices-query.ts'
import { useHide } from './use-hide.ts'
import { useNoticeChoices } from './use-notice-choices.ts'

/** More would push the page away; the next follow when one is dismissed. */
const maxShown = 3

/** What somebody should know now, above every page. Each is switched off in the settings, or dismissed. */
export const Notices = () => {
  const platform = usePlatform()
  const { organisation } = useSession()
  const { notices } = useWords()
  const { data } = useQuery(noticesQuery(platform, organisation.id))
  const [choices] = useNoticeChoices()
  const hide = useHide()
  const [isStacked, setStacked] = useState(true)
  const wanted = (data?.data ?? []).filter(
    ({ id, kind }) => choices !== null && !choices.off.includes(kind) && !choices.dismissed.includes(id),
  )
  const dismiss = (id: string): void => hide({ what: 'notice', id, isHidden: true }, notices.dismissed)
  if (wanted.length === 0) return null
  const shown = wanted.slice(0, maxShown)
  return (
    <section className={isStacked ? 'notices stacked' : 'notices'} aria-label={notices.title}>
      <ul>
        {shown.map((notice, index) => (
          <li key={notice.id}>
            <Bell size={16} strokeWidth={1.5} aria-hidden />
            <p>
              <NoticeText notice={notice} />
              {index > 0 || shown.length === 1 ? null : (
                <button
                  type="button"
                  className="link more"
                  aria-expanded={!isStacked}
                  onClick={() => setStacked(!isStacked)}
                >
                  {isStacked ? notices.more(shown.length - 1) : notices.fewer}
                </button>
              )}
            </p>
            <IconButton label={notices.dismiss} onClick={() => dismiss(notice.id)}>
              <X size={16} strokeWidth={1.5} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  )
}

const NoticeText = ({
  notice: { kind, subject, keyId, isUpstream, limit, percent, used, max, at },
}: {
  notice: Notice
}) => {
  const { language, words } = useLocale()
  const { notices } = useWords()
  const { shell } = words
  const { figure } = useLimitFigures()
  const when = at === null ? '' : momentText(at, language)
  const key =
    keyId === null ? null : (
      <Link to="/keys/$key" params={{ key: keyId }}>
        {notices.showKey}
      </Link>
    )
  if (kind === 'budget' && limit !== null)
    return (
      <>
        {(percent ?? 0) > 100
          ? notices.overBudget(
              subject,
              limitNameText(limit, words),
              figure(limit, used ?? 0),
              figure(limit, max ?? 0),
              when,
            )
          : notices.budget(subject, limitNameText(limit, words), percent ?? 0, when)}{' '}
        {key ?? <Link to="/limits">{shell.limits}</Link>}
      </>
    )
  if (kind === 'expiry')
    return (
      <>
        {notices.expiry(subject ?? '', when)} {key}
      </>
    )
  if (kind === 'engine')
    return isUpstream ? (
      <>
        {notices.upstream(subject ?? '')} <Link to="/admin/upstreams">{notices.showUpstreams}</Link>
      </>
    ) : (
      notices.engine(subject ?? '')
    )
  return notices.configuration
}
