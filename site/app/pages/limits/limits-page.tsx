import { useQuery } from '@tanstack/react-query'
import type { LimitsShown } from '../../../../src/platform/contract/limits.ts'
import { usePlatform } from '../../app-state.ts'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Section } from '../../components/section.tsx'
import { useSession } from '../../session.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'
import '../../../styles/limits.css'
import { limitNotes } from './limit-notes.ts'
import { LimitsLede } from './limits-lede.tsx'
import { limitsQuery } from './limits-query.ts'
import { LimitsTable } from './limits-table.tsx'

/** Usage against each limit, when it resets, and where it was set. */
export const LimitsPage = () => {
  const { shell, limits } = useWords()
  usePageTitle(shell.limits)
  const query = useQuery(limitsQuery(usePlatform()))
  const { data, error } = query
  const pending = error === null ? <span className="skeleton-line" /> : <span>{limits.stillCount}</span>
  return (
    <div className="page wide">
      <PageHead title={shell.limits} lede={data === undefined ? pending : <LimitsLede shown={data} />} />
      <Loaded query={query} errorTitle={limits.notLoaded} lines={5}>
        {(shown) => <LimitsParts shown={shown} />}
      </Loaded>
    </div>
  )
}

const LimitsParts = ({ shown }: { shown: LimitsShown }) => {
  const { limits } = useWords()
  const { organisation, account } = useSession()
  const setBy = {
    settings: limits.bySettings,
    servers_own: limits.byServersOwn,
    owner: limits.byOwner,
    key: limits.byKey,
  }
  const { now, keys, server } = shown
  return (
    <>
      <Section title={organisation.name} text={limits.organisationText}>
        <LimitsTable caption={organisation.name} rows={shown.organisation} now={now} setBy={setBy} />
      </Section>
      {keys.map(({ id, name, lastFour, limits: own }) => (
        <Section key={id} title={<KeyTitle name={name} lastFour={lastFour} />} text={limits.keyText}>
          <LimitsTable caption={name} rows={own} now={now} setBy={setBy} />
        </Section>
      ))}
      {server.length === 0 ? null : (
        <Section
          title={limits.server}
          text={account.isOwner ? limits.serverText : `${limits.serverText} ${limits.serverOthers}`}
        >
          <LimitsTable
            caption={limits.server}
            rows={server}
            now={now}
            setBy={{ ...setBy, settings: limits.byServer }}
          />
        </Section>
      )}
      <div className="page-notes">
        {limitNotes(shown, limits).map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
    </>
  )
}

const KeyTitle = ({ name, lastFour }: { name: string; lastFour: string }) => (
  <>
    {name} <code className="muted">…{lastFour}</code>
  </>
)
