import type { Key } from '../../../platform/types.ts'
import { Button } from '../../components/button.tsx'
import { PhoneLabel } from '../../components/phone-label.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Tag } from '../../components/tag.tsx'
import { useMay } from '../../role.ts'
import { useSession } from '../../session.ts'
import { daysUntil, dayText } from '../../time/moments.ts'
import { useSpoken } from '../../words-context.tsx'
import { type KeyState, stateOf } from './key-state.ts'

type KeysTableProps = { keys: readonly Key[]; now: number; onRevoke(key: Key): void }

const shapes = { live: 'ok', ending: 'warn', suspended: 'bad', expired: 'bad', revoked: 'off' } as const

export const KeysTable = ({ keys: rows, now, onRevoke }: KeysTableProps) => {
  const columns = useColumns(now, onRevoke).filter(({ id }) => id !== 'used' || rows.some(isUsed))
  const { keys } = useSpoken().words
  return (
    <Table
      className="keys"
      caption={keys.caption}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      isDim={(key) => ['expired', 'revoked'].includes(stateOf(key, now))}
    />
  )
}

/** Where nobody keeps note of use, a column of it would say nothing. */
const isUsed = ({ lastUsedAt }: Key): boolean => lastUsedAt !== null

/** Everybody looks after the keys they made, admins after all. */
const useMayRevoke = (): ((key: Key) => boolean) => {
  const may = useMay()
  const { account } = useSession()
  return ({ revokedAt, createdBy }) =>
    revokedAt === null && may(createdBy === account.email ? 'makeKeys' : 'manageKeys')
}

const useColumns = (now: number, onRevoke: (key: Key) => void): Column<Key>[] => {
  const mayRevoke = useMayRevoke()
  const { language, words } = useSpoken()
  const { keys } = words
  const day = (ms: number): string => dayText(ms, now, language)
  const stateWords: Record<KeyState, string> = {
    live: keys.stateLive,
    ending: keys.stateEnding,
    suspended: keys.stateSuspended,
    expired: keys.stateExpired,
    revoked: keys.stateRevoked,
  }
  return [
    {
      id: 'name',
      className: 'name',
      head: keys.name,
      cell: ({ name, createdBy }) => (
        <>
          <b>{name}</b>
          {createdBy === null ? null : <span className="sub">{createdBy}</span>}
        </>
      ),
    },
    {
      id: 'key',
      className: 'key',
      head: keys.key,
      cell: ({ prefix, lastFour }) => <span translate="no">{`${prefix}…${lastFour}`}</span>,
    },
    {
      id: 'created',
      className: 'created',
      head: keys.created,
      cell: ({ createdAt }) => (
        <>
          <PhoneLabel>{keys.created}</PhoneLabel>
          {day(createdAt)}
        </>
      ),
    },
    {
      id: 'used',
      className: 'used',
      head: keys.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? <span className="quiet">{keys.notUsed}</span> : day(lastUsedAt)),
    },
    {
      id: 'expires',
      className: 'expires',
      head: keys.expires,
      cell: (key) => <Expiry apiKey={key} now={now} day={day} />,
    },
    {
      id: 'state',
      className: 'state',
      head: keys.state,
      cell: (key) => {
        const state = stateOf(key, now)
        return (
          <>
            <Tag state={shapes[state]}>{stateWords[state]}</Tag>
            {key.revokedAt === null ? null : <span className="sub">{day(key.revokedAt)}</span>}
          </>
        )
      },
    },
    {
      id: 'action',
      className: 'action',
      end: true,
      head: <span className="aside">{keys.action}</span>,
      cell: (key) =>
        mayRevoke(key) ? (
          <Button aria-label={keys.revokeOf(key.name)} onClick={() => onRevoke(key)}>
            {keys.revoke}
          </Button>
        ) : null,
    },
  ]
}

const Expiry = ({ apiKey, now, day }: { apiKey: Key; now: number; day(ms: number): string }) => {
  const { keys } = useSpoken().words
  const { expiresAt } = apiKey
  if (apiKey.revokedAt !== null) return null
  return (
    <>
      <PhoneLabel>{keys.expires}</PhoneLabel>
      {expiresAt === null ? <span className="quiet">{keys.never}</span> : day(expiresAt)}
      {expiresAt !== null && stateOf(apiKey, now) === 'ending' ? (
        <span className="sub">{keys.inDays(daysUntil(expiresAt, now))}</span>
      ) : null}
    </>
  )
}
