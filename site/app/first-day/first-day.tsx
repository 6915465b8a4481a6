import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Circle } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Platform } from '../../platform/platform.ts'
import { usePlatform } from '../app-state.ts'
import { Button } from '../components/button.tsx'
import { useHide } from '../notices/use-hide.ts'
import { useNoticeChoices } from '../notices/use-notice-choices.ts'
import { useSession } from '../session.ts'
import { useLocale, useWords } from '../words-context.tsx'
import { firstSteps, type StepName } from './first-steps.ts'

export const checklistQuery = (platform: Platform) =>
  queryOptions({ queryKey: ['checklist'], queryFn: ({ signal }) => platform.showChecklist({ signal }) })

/** The owner's first steps, until they are taken or the list is hidden. Somebody else does not see it. Below them, the rest of the page. */
export const FirstDay = ({ children }: { children: ReactNode }) => {
  const { account } = useSession()
  const [choices] = useNoticeChoices()
  const isShown = account.isOwner && choices !== null && !choices.hidesChecklist
  const { isLoading } = useQuery({ ...checklistQuery(usePlatform()), enabled: isShown })
  if (isLoading) return null
  return (
    <>
      {isShown ? <Steps canHide /> : null}
      {children}
    </>
  )
}

/** Each step with its state, as the server sees it. */
export const Steps = ({ canHide = false }: { canHide?: boolean }) => {
  const { language, words } = useLocale()
  const { firstDay } = words
  const { data } = useQuery(checklistQuery(usePlatform()))
  const hideFromPage = useHide()
  const acts = useActs()
  const steps = data === undefined ? [] : firstSteps(data, words, language)
  const done = steps.filter(({ isDone }) => isDone).length
  const hide = (): void => hideFromPage({ what: 'checklist', isHidden: true }, firstDay.hidden)
  if (data === undefined || (canHide && done === steps.length)) return null
  return (
    <section className="first-day" aria-labelledby="first-day">
      <div className="first-day-head">
        <h2 id="first-day">{firstDay.title}</h2>
        <p className="muted small">{firstDay.progress(done, steps.length)}</p>
        {canHide ? <Button onClick={hide}>{firstDay.hide}</Button> : null}
      </div>
      <ol>
        {steps.map(({ id, isDone, text, explanation }) => (
          <li key={id} className={isDone ? 'done' : undefined}>
            {isDone ? (
              <Check size={16} strokeWidth={2} aria-hidden />
            ) : (
              <Circle size={16} strokeWidth={1.5} aria-hidden />
            )}
            <span>
              <span className="visually-hidden">{isDone ? firstDay.done : firstDay.open}</span> {text}{' '}
              {isDone ? null : acts[id]}
              {isDone ? null : <span className="subtext">{explanation}</span>}
            </span>
          </li>
        ))}
      </ol>
      {data.usesPostgres ? (
        <p className="muted small">
          {firstDay.postgres} <Command>pg_dump</Command> <a href="/docs/operate/backup">{firstDay.aboutBackups}</a>
        </p>
      ) : null}
    </section>
  )
}

/** Where a step is taken, or with what and where to read about it. */
const useActs = (): Record<StepName, ReactNode> => {
  const { firstDay } = useWords()
  return {
    https: (
      <>
        <Command>HELIX_TLS</Command> <a href="/docs/operate/reverse-proxies">{firstDay.aboutProxies}</a>
      </>
    ),
    twoFactor: <Link to="/settings">{firstDay.toSettings}</Link>,
    limits: <Link to="/admin/organisations">{firstDay.toOrganisations}</Link>,
    // Where to go on the page that is named, and from that page itself.
    mail: (
      <Link to="/admin/server" hash="mail">
        {firstDay.toServer}
      </Link>
    ),
    invited: (
      <Link to="/team" search={{ dialog: 'invite' }}>
        {firstDay.toTeam}
      </Link>
    ),
    backedUpAt: (
      <>
        <Command>helix backup FILE</Command> <a href="/docs/operate/backup">{firstDay.aboutBackups}</a>
      </>
    ),
    model: <Link to="/admin/models">{firstDay.toModels}</Link>,
  }
}

const Command = ({ children }: { children: string }) => (
  <code className="nowrap" translate="no">
    {children}
  </code>
)
