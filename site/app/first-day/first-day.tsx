import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Circle } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Checklist } from '../../../src/platform/contract/notices.ts'
import type { Platform } from '../../platform/platform.ts'
import { usePlatform } from '../app-state.ts'
import { Button } from '../components/button.tsx'
import { useHide } from '../notices/use-hide.ts'
import { useNoticeChoices } from '../notices/use-notice-choices.ts'
import { useSession } from '../session.ts'
import { momentText } from '../time/moments.ts'
import { useLocale, useWords } from '../words-context.tsx'

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
  const { firstDay } = useWords()
  const { data } = useQuery(checklistQuery(usePlatform()))
  const hideFromPage = useHide()
  const steps = useSteps(data)
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
        {steps.map(({ id, isDone, text, act }) => (
          <li key={id} className={isDone ? 'done' : undefined}>
            {isDone ? (
              <Check size={16} strokeWidth={2} aria-hidden />
            ) : (
              <Circle size={16} strokeWidth={1.5} aria-hidden />
            )}
            <span>
              <span className="visually-hidden">{isDone ? firstDay.done : firstDay.open}</span> {text}{' '}
              {isDone ? null : act}
              {isDone ? null : <span className="subtext">{firstDay.explains[id]}</span>}
            </span>
          </li>
        ))}
      </ol>
      {data.usesPostgres ? (
        <p className="muted small">
          {firstDay.postgres} <Command>pg_dump</Command>
        </p>
      ) : null}
    </section>
  )
}

type StepName = Exclude<keyof Checklist, 'usesPostgres'>
type Step = { id: StepName; isDone: boolean; text: string; act: ReactNode }

const useSteps = (data: Checklist | undefined): Step[] => {
  const { language } = useLocale()
  const { firstDay } = useWords()
  if (data === undefined) return []
  const { backedUpAt, usesPostgres } = data
  const backUp: Step = {
    id: 'backedUpAt',
    isDone: backedUpAt !== null,
    text: backedUpAt === null ? firstDay.backUp : firstDay.backedUp(momentText(backedUpAt, language)),
    act: <Command>helix backup FILE</Command>,
  }
  const step = (id: Exclude<StepName, 'backedUpAt'>, act: ReactNode): Step => ({
    id,
    isDone: data[id],
    text: firstDay[id],
    act,
  })
  return [
    step('https', <Command>HELIX_TLS</Command>),
    step('twoFactor', <Link to="/settings">{firstDay.toSettings}</Link>),
    step('limits', <Link to="/admin/organisations">{firstDay.toOrganisations}</Link>),
    // Where to go on the page that is named, and from that page itself.
    step(
      'mail',
      <Link to="/admin/server" hash="mail">
        {firstDay.toServer}
      </Link>,
    ),
    step(
      'invited',
      <Link to="/team" search={{ dialog: 'invite' }}>
        {firstDay.toTeam}
      </Link>,
    ),
    // The server cannot know whether its database is backed up elsewhere.
    ...(usesPostgres ? [] : [backUp]),
    step('model', <Link to="/admin/models">{firstDay.toModels}</Link>),
  ]
}

const Command = ({ children }: { children: string }) => (
  <code className="nowrap" translate="no">
    {children}
  </code>
)
