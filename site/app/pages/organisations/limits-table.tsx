import {
  budgetNames,
  inFlightNames,
  type LimitName,
  minuteNames,
  type RateName,
} from '../../../../src/config/limit-kinds.ts'
import type { LimitedOrganisation } from '../../../platform/types.ts'
import { useLocale } from '../../admin-words-context.tsx'
import { actionColumn } from '../../components/action-column.tsx'
import { Button } from '../../components/button.tsx'
import { CopyIcon } from '../../components/copy-icon.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { roundText } from '../../figures.ts'
import { Sparkline } from '../keys/sparkline.tsx'
import { useLimitFigures } from '../limits/use-limit-figures.ts'

type LimitsTableProps = {
  organisations: readonly LimitedOrganisation[]
  onLimits(organisation: LimitedOrganisation): void
}

export const LimitsTable = ({ organisations, onLimits }: LimitsTableProps) => {
  const { admin } = useLocale().words
  const columns = useColumns(onLimits)
  return (
    <Table
      className="cards records organisation-limits"
      caption={admin.limitsCaption}
      columns={columns}
      rows={organisations}
      rowKey={({ id }) => id}
    />
  )
}

const useColumns = (onLimits: (organisation: LimitedOrganisation) => void): Column<LimitedOrganisation>[] => {
  const { language, words } = useLocale()
  const { admin, shell, limits } = words
  const { roundFigure } = useLimitFigures()
  const listed = (name: LimitName, { uses }: LimitedOrganisation): string[] => {
    const use = uses[name]
    return use === undefined ? [] : [limits.kinds[name].listed(roundFigure(name, use.limit))]
  }
  const rate = (name: RateName, organisation: LimitedOrganisation): string =>
    listed(name, organisation)[0] ?? limits.unlimited[name]
  return [
    {
      id: 'name',
      className: 'name',
      head: shell.organisation,
      cell: ({ id, name }) => (
        <>
          <b>{name}</b>
          <span className="subtext with-copy">
            <code translate="no">{id}</code> <CopyIcon text={id} label={shell.copyId} />
          </span>
        </>
      ),
    },
    {
      id: 'minute',
      className: 'figures-cell',
      head: admin.minute,
      cell: (organisation) => <Lines lines={minuteNames.map((name) => rate(name, organisation))} />,
    },
    {
      id: 'flight',
      className: 'figures-cell',
      head: admin.inFlight,
      wideOnly: true,
      cell: (organisation) => <Lines lines={inFlightNames.map((name) => rate(name, organisation))} />,
    },
    {
      id: 'budgets',
      className: 'figures-cell',
      head: admin.budgets,
      wideOnly: true,
      cell: (organisation) => {
        const lines = budgetNames.flatMap((name) => listed(name, organisation))
        return lines.length === 0 ? <span className="muted">{admin.noBudget}</span> : <Lines lines={lines} />
      },
    },
    {
      id: 'month',
      className: 'use',
      head: admin.thisMonth,
      labelled: true,
      cell: ({ tokensThisMonth, tokensOfDays }) => (
        <span className="month">
          <span className="tabular">{roundText(tokensThisMonth, language)}</span>
          <Sparkline values={tokensOfDays} />
        </span>
      ),
    },
    actionColumn(shell.action, (organisation) => (
      <Button aria-label={admin.setLimitsOf(organisation.name)} onClick={() => onLimits(organisation)}>
        {shell.limits}
      </Button>
    )),
  ]
}

/** The first in full, the others small below. */
const Lines = ({ lines: [first, ...rest] }: { lines: readonly string[] }) => (
  <>
    {first}
    {rest.length === 0 ? null : <span className="subtext">{rest.join(' · ')}</span>}
  </>
)
