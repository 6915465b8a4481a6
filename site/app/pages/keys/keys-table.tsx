import { Link } from '@tanstack/react-router'
import type { Key } from '../../../platform/types.ts'
import { type Column, Table } from '../../components/table.tsx'
import { ago } from '../../time/ago.ts'
import { dayText } from '../../time/moments.ts'
import { useLocale } from '../../words-context.tsx'
import { BudgetCell } from './budget-cell.tsx'
import { keyState } from './key-state.ts'
import { LimitLines } from './limit-lines.tsx'
import { ScopeChips } from './scope-chips.tsx'
import { Sparkline } from './sparkline.tsx'
import { StateCell } from './state-cell.tsx'

type KeysTableProps = {
  keys: readonly Key[]
  now: number
  chosen: ReadonlySet<string>
  mayChoose(key: Key): boolean
  onChoose(chosen: ReadonlySet<string>): void
}

export const KeysTable = ({ keys: rows, now, ...choice }: KeysTableProps) => {
  const { keys } = useLocale().words
  return (
    <Table
      className="cards records keys"
      caption={keys.caption}
      columns={[useChoiceColumn(rows, choice), ...useColumns(now)]}
      rows={rows}
      rowKey={({ id }) => id}
      opensRow
      isDim={(key) => ['expired', 'revoked'].includes(keyState(key, now))}
    />
  )
}

type Choice = Pick<KeysTableProps, 'chosen' | 'mayChoose' | 'onChoose'>

/** A box for each key that the reader can revoke, and one in the head for all of the page. */
const useChoiceColumn = (rows: readonly Key[], { chosen, mayChoose, onChoose }: Choice): Column<Key> => {
  const { keys } = useLocale().words
  const choosable = rows.filter(mayChoose)
  const areAll = choosable.length > 0 && choosable.every(({ id }) => chosen.has(id))
  const set = (some: readonly Key[], isChosen: boolean): void => {
    const next = new Set(chosen)
    for (const { id } of some) {
      if (isChosen) next.add(id)
      else next.delete(id)
    }
    onChoose(next)
  }
  return {
    id: 'choice',
    className: 'choice',
    head:
      choosable.length === 0 ? null : (
        <input
          type="checkbox"
          aria-label={keys.chooseAll}
          checked={areAll}
          onChange={(event) => set(choosable, event.target.checked)}
        />
      ),
    cell: (key) =>
      mayChoose(key) ? (
        <input
          type="checkbox"
          aria-label={keys.choose(key.name)}
          checked={chosen.has(key.id)}
          onChange={(event) => set([key], event.target.checked)}
        />
      ) : null,
  }
}

const useColumns = (now: number): Column<Key>[] => {
  const { language, words } = useLocale()
  const { keys, shell } = words
  const day = (ms: number): string => dayText(ms, now, language)
  return [
    {
      id: 'name',
      className: 'name',
      head: shell.name,
      cell: ({ id, name, createdBy, createdAt }) => (
        <>
          <Link to="/keys/$key" params={{ key: id }}>
            <b>{name}</b>
          </Link>
          <span className="subtext">
            {createdBy === null ? null : `${makerName(createdBy)}, `}
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
    {
      id: 'budget',
      className: 'use',
      head: keys.monthTokens,
      labelled: true,
      cell: (key) => <BudgetCell apiKey={key} />,
    },
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
      labelled: true,
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
  ]
}

/** The key's page shows the whole address. */
const makerName = (email: string): string => email.replace(/@.*/, '')
