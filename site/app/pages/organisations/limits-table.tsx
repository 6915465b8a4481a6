import type { LimitedOrganisation } from '../../../platform/types.ts'
import { actionColumn } from '../../components/action-column.tsx'
import { Button } from '../../components/button.tsx'
import { CopyIcon } from '../../components/copy-icon.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { moneyText, roundText } from '../../figures.ts'
import { useSession } from '../../session.ts'
import { useLocale } from '../../words-context.tsx'
import { Sparkline } from '../keys/sparkline.tsx'

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
  const { admin, shell } = words
  const round = (value: number): string => roundText(value, language)
  const { currency } = useSession()
  const money = (value: number): string => moneyText(value, currency, language)
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
      cell: ({ uses: { requestsPerMinute, tokensPerMinute } }) => (
        <>
          {requestsPerMinute === undefined ? admin.noRequestLimit : admin.requests(round(requestsPerMinute.limit))}
          <span className="subtext">
            {tokensPerMinute === undefined ? admin.noTokenLimit : admin.tokens(round(tokensPerMinute.limit))}
          </span>
        </>
      ),
    },
    {
      id: 'flight',
      className: 'figures-cell',
      head: admin.inFlight,
      wideOnly: true,
      cell: ({ uses: { requestsInFlight } }) =>
        requestsInFlight === undefined ? admin.noLimit : admin.requests(round(requestsInFlight.limit)),
    },
    {
      id: 'budgets',
      className: 'figures-cell',
      head: admin.budgets,
      wideOnly: true,
      cell: ({ uses: { tokensPerDay, tokensPerMonth, costPerDayMicros, costPerMonthMicros } }) => {
        const [first, ...rest] = [
          ...(tokensPerDay === undefined ? [] : [admin.tokensADay(round(tokensPerDay.limit))]),
          ...(tokensPerMonth === undefined ? [] : [admin.tokensAMonth(round(tokensPerMonth.limit))]),
          ...(costPerDayMicros === undefined ? [] : [admin.aDay(money(costPerDayMicros.limit))]),
          ...(costPerMonthMicros === undefined ? [] : [admin.aMonth(money(costPerMonthMicros.limit))]),
        ]
        if (first === undefined) return <span className="muted">{admin.noBudget}</span>
        return (
          <>
            {first}
            {rest.length === 0 ? null : <span className="subtext">{rest.join(' · ')}</span>}
          </>
        )
      },
    },
    {
      id: 'month',
      className: 'use',
      head: admin.thisMonth,
      cell: ({ tokensThisMonth, tokensOfDays }) => (
        <span className="month">
          <span className="tabular">{round(tokensThisMonth)}</span>
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
