import type { DeviceSession } from '../../../platform/types.ts'
import { Button } from '../../components/button.tsx'
import { Tag } from '../../components/tag.tsx'
import { ago } from '../../time/ago.ts'
import { momentText } from '../../time/moments.ts'
import { useLocale } from '../../words-context.tsx'
import { browserName } from './browser-name.ts'

type SessionRowProps = { session: DeviceSession; isEnding: boolean; onEnd(): void }

export const SessionRow = ({ session, isEnding, onEnd }: SessionRowProps) => {
  const { words, language } = useLocale()
  const { settings, shell } = words
  const { browser, system } = browserName(session.userAgent)
  const name =
    browser !== null && system !== null
      ? settings.onSystem(browser, system)
      : (browser ?? system ?? settings.unknownBrowser)
  return (
    <li>
      <div>
        <p>
          <b title={session.userAgent}>{name}</b> {session.current ? <Tag state="ok">{settings.current}</Tag> : null}
        </p>
        <p className="muted small">
          <span className="mono">{session.address}</span>
          <span>
            {shell.lastSeen}{' '}
            <time dateTime={new Date(session.lastSeenAt).toISOString()}>
              {ago(session.lastSeenAt, Date.now(), language) ?? settings.now}
            </time>
          </span>
          <span>
            {settings.signedIn}{' '}
            <time dateTime={new Date(session.createdAt).toISOString()}>{momentText(session.createdAt, language)}</time>
          </span>
        </p>
      </div>
      {session.current ? null : (
        <Button aria-label={settings.endOf(name)} busy={isEnding} onClick={onEnd}>
          {settings.end}
        </Button>
      )}
    </li>
  )
}
