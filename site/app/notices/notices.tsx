import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bell, X } from 'lucide-react'
import type { Notice } from '../../../src/platform/contract/notices.ts'
import { IconButton } from '../components/icon-button.tsx'
import { limitNameText } from '../pages/limits/limit-words.ts'
import { useSession } from '../session.ts'
import { momentText } from '../time/moments.ts'
import { useLocale } from '../words-context.tsx'
import { noticesQuery } from './notices-query.ts'
import { useNoticeChoices } from './use-notice-choices.ts'
import { useNoticeWords } from './use-notice-words.ts'

/** More would push the page away; the next follow when one is dismissed. */
const mostShown = 3

/** What somebody should know now, above every page. Each is switched off in the settings, or dismissed. */
export const Notices = () => {
  const { organisation } = useSession()
  const { notices } = useNoticeWords()
  const [{ off, dismissed }, change] = useNoticeChoices()
  const { data } = useQuery(noticesQuery(organisation.id))
  const wanted = (data?.data ?? []).filter(({ id, kind }) => !off.includes(kind) && !dismissed.includes(id))
  if (wanted.length === 0) return null
  return (
    <section className="notices" aria-label={notices.title}>
      <ul>
        {wanted.slice(0, mostShown).map((notice) => (
          <li key={notice.id}>
            <Bell size={16} strokeWidth={1.5} aria-hidden />
            <p>
              <NoticeText notice={notice} />
            </p>
            <IconButton label={notices.dismiss} onClick={() => change({ dismissed: [...dismissed, notice.id] })}>
              <X size={16} strokeWidth={1.5} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  )
}

const NoticeText = ({ notice: { kind, subject, keyId, isUpstream, limit, percent, at } }: { notice: Notice }) => {
  const { language, words } = useLocale()
  const { notices } = useNoticeWords()
  const { shell } = words
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
        {notices.budget(subject, limitNameText(limit, words), percent ?? 0, when)}{' '}
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
