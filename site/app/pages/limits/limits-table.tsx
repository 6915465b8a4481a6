import { Link } from '@tanstack/react-router'
import type { ShownLimit } from '../../../../src/platform/contract/limits.ts'
import { PhoneLabel } from '../../components/phone-label.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { UsageBar } from '../../components/usage-bar.tsx'
import { useLocale } from '../../words-context.tsx'
import { limitNameText, usedShare } from './limit-words.ts'
import { resetText } from './reset-text.ts'
import { useLimitFigures } from './use-limit-figures.ts'

/** A key is named if the table is not about one alone. */
type LimitRow = ShownLimit & { key?: { id: string; name: string; lastFour: string } | null }

type LimitsTableProps = {
  /** Whose limits they are. */
  caption: string
  rows: readonly LimitRow[]
  now: number
  setBy: Record<ShownLimit['setBy'], string>
}

export const LimitsTable = ({ caption, rows, now, setBy }: LimitsTableProps) => {
  const { language, words } = useLocale()
  const { limits } = words
  const { figure, isShown } = useLimitFigures()
  const figures = ({ name, limit, used }: ShownLimit): string => {
    if (limit === null) return limits.noLimit
    const max = figure(name, limit)
    return used === null ? limits.atMost(max) : limits.usedOf(figure(name, used), max)
  }
  const columns: Column<LimitRow>[] = [
    {
      id: 'name',
      className: 'name',
      head: limits.limit,
      cell: ({ name, key }) => (
        <>
          <b>{limitNameText(name, words)}</b>
          {key == null ? null : (
            <span className="subtext">
              <Link to="/keys/$key" params={{ key: key.id }}>
                {key.name} …{key.lastFour}
              </Link>
            </span>
          )}
        </>
      ),
    },
    {
      id: 'use',
      className: 'use',
      head: limits.used,
      cell: (row) => (
        <>
          <UsageBar share={usedShare(row)} />
          <span className={row.limit === null ? 'muted' : undefined}>{figures(row)}</span>
        </>
      ),
    },
    {
      id: 'free',
      className: 'reset',
      head: limits.free,
      cell: (row) => {
        if (row.used === null) return <span className="muted wide-only">–</span>
        return (
          <>
            <PhoneLabel>{limits.free}</PhoneLabel>
            {resetText(row, now, language, words)}
          </>
        )
      },
    },
    {
      id: 'set',
      className: 'source',
      head: limits.setBy,
      labelled: true,
      cell: (row) => setBy[row.setBy],
    },
  ]
  return (
    <Table
      className="cards halves limits"
      caption={limits.caption(caption)}
      columns={columns}
      rows={rows.filter(({ name, limit }) => isShown(name, limit))}
      rowKey={({ name, key }) => `${key?.id ?? ''} ${name}`}
    />
  )
}
