import type { Key } from '../../../platform/types.ts'
import { actionColumn } from '../../components/action-column.tsx'
import { Button } from '../../components/button.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { ago } from '../../time/ago.ts'
import { dayText } from '../../time/moments.ts'
import { useLocale } from '../../words-context.tsx'
import { BudgetCell } from './budget-cell.tsx'
import { stateOf } from './key-state.ts'
import { LimitLines } from './limit-lines.tsx'
import { ScopeChips } from './scope-chips.tsx'
import { Sparkline } from './sparkline.tsx'
import { StateCell } from './state-cell.tsx'

type KeysTableProps = { keys: readonly Key[]; now: number; onOpen(key: Key): void }

export const KeysTable = ({ keys: rows, now, onOpen }: KeysTableProps) => {
  const { keys } = useLocale().words
  return (
    <Table
      className="cards records keys"
      caption={keys.caption}
      columns={useColumns(now, onOpen)}
      rows={rows}
      rowKey={({ id }) => id}
      isDim={(key) => ['expired', 'revoked'].includes(stateOf(key, now))}
    />
  )
}

const useColumns = (now: number, onOpen: (key: Key) => void): Column<Key>[] => {
  const { language, words } = useLocale()
  const { keys, shell } = words
  const day = (ms: number): string => dayText(ms, now, language)
  return [
    {
      id: 'name',
      className: 'name',
      head: shell.name,
      cell: ({ name, createdBy, createdAt }) => (
        <>
          <b>{name}</b>
          <span className="subtext">
            {createdBy === null ? null : `${makerOf(createdBy)}, `}
            <span className="nowrap">{day(createdAt)}</span>
          </span>
        </>
      ),
    },
    {
      id: 'key',
      className: 'key',
      head: shell.key,
      cell: ({ prefix, lastFour }) => <span translate="no">{`${prefix}…${lastFour}`}</span>,
    },
    { id: 'scopes', className: 'scopes', head: keys.rights, cell: (key) => <ScopeChips apiKey={key} /> },
    { id: 'limits', className: 'limits', head: keys.ownLimits, cell: ({ limits }) => <LimitLines limits={limits} /> },
    { id: 'budget', className: 'use', head: keys.monthTokens, cell: (key) => <BudgetCell apiKey={key} /> },
    {
      id: 'days',
      className: 'days',
      head: keys.lastDays,
      cell: ({ tokensOfDays }) => <Sparkline values={tokensOfDays} />,
    },
    {
      id: 'used',
      className: 'used',
      head: keys.lastUsed,
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? (
          <span className="muted">{keys.notUsed}</span>
        ) : (
          (ago(lastUsedAt, now, language) ?? keys.justNow)
        ),
    },
    {
      id: 'expires',
      className: 'expires',
      head: keys.expires,
      cell: ({ expiresAt, revokedAt }) =>
        revokedAt !== null ? null : expiresAt === null ? <span className="muted">{keys.never}</span> : day(expiresAt),
    },
    { id: 'state', className: 'state', head: shell.state, cell: (key) => <StateCell apiKey={key} now={now} /> },
    actionColumn(shell.action, (key) => (
      <Button aria-label={keys.openOf(key.name)} onClick={() => onOpen(key)}>
        {keys.open}
      </Button>
    )),
  ]
}

/** The key's dialog shows the whole address. */
const makerOf = (email: string): string => email.replace(/@.*/, '')
