import { type ReactNode, useEffect, useRef } from 'react'
import type { Key } from '../../../platform/types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { wholeText } from '../../figures.ts'
import { useSession } from '../../session.ts'
import { dayText, momentText } from '../../time/moments.ts'
import { useLocale } from '../../words-context.tsx'
import { LimitUseList } from './limit-usage.tsx'
import { mayChange } from './may-change.ts'
import { ScopeChips } from './scope-chips.tsx'
import { StateCell } from './state-cell.tsx'

export type KeyAct = 'rotate' | 'change' | 'revoke'

type KeyDetailsProps = { apiKey: Key | null; now: number; onClose(): void; onAct(act: KeyAct, key: Key): void }

/** Details of a key, and the actions on it. */
export const KeyDetails = ({ apiKey, now, onClose, onAct }: KeyDetailsProps) => (
  <Dialog isOpen={apiKey !== null} title={apiKey?.name ?? ''} onClose={onClose} wide>
    {apiKey === null ? null : (
      <>
        <Facts apiKey={apiKey} now={now} />
        <Acts apiKey={apiKey} onClose={onClose} onAct={onAct} />
      </>
    )}
  </Dialog>
)

const Facts = ({ apiKey, now }: { apiKey: Key; now: number }) => {
  const { language, words } = useLocale()
  const { keys, shell } = words
  const { createdBy, createdAt, lastUsedAt, expiresAt, previousUntil, models, networks, uses } = apiKey
  const moment = (ms: number): string => momentText(ms, language)
  const made = dayText(createdAt, now, language)
  const facts = useRef<HTMLDListElement>(null)
  // By default the browser focuses the first button, which on a phone is below the text.
  useEffect(() => facts.current?.focus({ preventScroll: true }), [])
  return (
    <>
      <dl ref={facts} className="facts" tabIndex={-1}>
        <Fact name={shell.state}>
          <StateCell apiKey={apiKey} now={now} />
        </Fact>
        <Fact name={shell.key}>
          <code translate="no">{`${apiKey.prefix}…${apiKey.lastFour}`}</code>
        </Fact>
        {previousUntil !== null && previousUntil > now ? (
          <Fact name={keys.oldSecret}>{keys.worksUntil(moment(previousUntil))}</Fact>
        ) : null}
        <Fact name={keys.created}>{createdBy === null ? made : keys.madeBy(createdBy, made)}</Fact>
        <Fact name={keys.lastUsed}>{lastUsedAt === null ? keys.notUsed : moment(lastUsedAt)}</Fact>
        <Fact name={keys.expires}>{expiresAt === null ? keys.never : moment(expiresAt)}</Fact>
        <Fact name={keys.rights}>
          <ScopeChips apiKey={{ ...apiKey, models: null, networks: null }} />
        </Fact>
        <Fact name={keys.models}>{models === null ? keys.allModels : models.join(', ')}</Fact>
        <Fact name={keys.networks}>{networks === null ? keys.allNetworks : networks.join(', ')}</Fact>
        <Fact name={keys.tokensToday}>{wholeText(apiKey.tokensToday, language)}</Fact>
        <Fact name={keys.monthTokens}>{wholeText(apiKey.tokensThisMonth, language)}</Fact>
      </dl>
      <h3>{keys.useOfLimits}</h3>
      {Object.keys(uses).length === 0 ? (
        <p className="small">{keys.noLimits}</p>
      ) : (
        <LimitUseList uses={uses} now={now} />
      )}
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

type ActsProps = { apiKey: Key } & Pick<KeyDetailsProps, 'onClose' | 'onAct'>

const Acts = ({ apiKey, onClose, onAct }: ActsProps) => {
  const { keys, shell } = useLocale().words
  const { account, organisation } = useSession()
  const isMine = mayChange(apiKey, { email: account.email, role: organisation.role })
  const isOver = apiKey.revokedAt !== null
  const act = (name: KeyAct, text: string) => <Button onClick={() => onAct(name, apiKey)}>{text}</Button>
  return (
    <>
      {isMine || isOver ? null : <p className="small">{keys.notYours}</p>}
      <div className="actions">
        <Button onClick={onClose}>{shell.close}</Button>
        {isMine && !isOver ? (
          <>
            {act('revoke', keys.revoke)}
            {act('change', keys.change)}
            {act('rotate', keys.rotate)}
          </>
        ) : null}
      </div>
    </>
  )
}
