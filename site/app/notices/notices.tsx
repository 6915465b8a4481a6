import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bell, X } from 'lucide-react'
import { useState } from 'react'
import type { Notice } from '../../../src/platform/contract/notices.ts'
import { usePlatform } from '../app-state.ts'
import { IconButton } from '../components/icon-button.tsx'
import { useSession } from '../session.ts'
import { useLocale, useWords } from '../words-context.tsx'
import { noticeLine, shownNotices } from './notice-lines.ts'
import { noticesQuery } from './notices-query.ts'
import { useHide } from './use-hide.ts'

/** What somebody should know now, above every page. Each is switched off in the settings, or dismissed. */
export const Notices = () => {
  const platform = usePlatform()
  const { organisation } = useSession()
  const { notices } = useWords()
  const { data } = useQuery(noticesQuery(platform, organisation.id))
  const hide = useHide()
  const [isStacked, setStacked] = useState(true)
  const shown = data === undefined ? [] : shownNotices(data)
  const dismiss = (id: string): void => hide({ what: 'notice', id, isHidden: true }, notices.dismissed)
  if (shown.length === 0) return null
  return (
    <section className={isStacked ? 'notices stacked' : 'notices'} aria-label={notices.current}>
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

const NoticeText = ({ notice }: { notice: Notice }) => {
  const { language, words } = useLocale()
  const { text, link } = noticeLine(notice, words, language, useSession().currency)
  return (
    <>
      {text} {link === null ? null : <Link to={link.to}>{link.text}</Link>}
    </>
  )
}
