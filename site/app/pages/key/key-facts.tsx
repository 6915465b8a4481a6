import type { Key } from '../../../platform/types.ts'
import { CopyIcon } from '../../components/copy-icon.tsx'
import { wholeText } from '../../figures.ts'
import { useSession } from '../../session.ts'
import { dayText, momentText } from '../../time/moments.ts'
import { useLocale } from '../../words-context.tsx'
import { ScopeChips } from '../keys/scope-chips.tsx'
import { StateCell } from '../keys/state-cell.tsx'
import { Fact, FactsList } from '../request/facts-list.tsx'
import '../../../styles/request.css'

/** What a key is, what it may do, and when it was used. */
export const KeyFacts = ({ apiKey, now }: { apiKey: Key; now: number }) => {
  const { language, words } = useLocale()
  const { keys, shell } = words
  const { createdBy, createdAt, lastUsedAt, expiresAt, previousUntil, models, networks } = apiKey
  const { baseUrl } = useSession()
  const moment = (ms: number): string => momentText(ms, language)
  const created = dayText(createdAt, now, language)
  return (
    <div className="request-lists">
      <FactsList head={shell.key}>
        <Fact name={shell.state}>
          <StateCell apiKey={apiKey} now={now} />
        </Fact>
        <Fact name={keys.secret}>
          <code translate="no">{`${apiKey.prefix}…${apiKey.lastFour}`}</code>
        </Fact>
        <Fact name={shell.id}>
          <code translate="no">{apiKey.id}</code> <CopyIcon text={apiKey.id} label={shell.copyId} />
        </Fact>
        <Fact name={shell.baseUrl}>
          <code translate="no">{baseUrl}</code> <CopyIcon text={baseUrl} label={shell.copyUrl} />
        </Fact>
        {previousUntil !== null && previousUntil > now ? (
          <Fact name={keys.oldSecret}>{keys.worksUntil(moment(previousUntil))}</Fact>
        ) : null}
        <Fact name={keys.created}>{createdBy === null ? created : keys.madeBy(createdBy, created)}</Fact>
        <Fact name={keys.expires}>{expiresAt === null ? keys.never : moment(expiresAt)}</Fact>
      </FactsList>
      <FactsList head={keys.rights}>
        <Fact name={keys.calls}>
          <ScopeChips apiKey={{ ...apiKey, models: null, networks: null }} />
        </Fact>
        <Fact name={keys.models}>{models === null ? keys.allModels : models.join(', ')}</Fact>
        <Fact name={keys.networks}>{networks === null ? keys.allNetworks : networks.join(', ')}</Fact>
      </FactsList>
      <FactsList head={shell.usage}>
        <Fact name={keys.lastUsed}>{lastUsedAt === null ? keys.notUsed : moment(lastUsedAt)}</Fact>
        <Fact name={keys.tokensToday}>{wholeText(apiKey.tokensToday, language)}</Fact>
        <Fact name={keys.monthTokens}>{wholeText(apiKey.tokensThisMonth, language)}</Fact>
      </FactsList>
    </div>
  )
}
