import { Link } from '@tanstack/react-router'
import type { UsageShareShown } from '../../../../src/platform/contract/overview.ts'
import type { Usage } from '../../../../src/platform/contract/usage.ts'
import { useLocale } from '../../admin-words-context.tsx'
import { Section } from '../../components/section.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { moneyText, percentText, wholeText } from '../../figures.ts'

type SharesPartProps = { of: 'organisations' | 'models'; shares: readonly UsageShareShown[]; usage: Usage }

/** Who or what had the most tokens of the period, with its share of all of them. */
export const SharesPart = ({ of, shares, usage: { total, currency } }: SharesPartProps) => {
  const { language, words } = useLocale()
  const { overview, shell, usage } = words
  const texts = {
    organisations: [overview.organisationsTitle, overview.organisationsText, overview.organisationsCaption],
    models: [overview.modelsTitle, overview.modelsText, overview.modelsCaption],
  } as const
  const [title, text, caption] = texts[of]
  const all = Math.max(1, total.promptTokens + total.completionTokens)
  const tokens = ({ figures: { promptTokens, completionTokens } }: UsageShareShown): number =>
    promptTokens + completionTokens
  const figure = (value: number) => (
    <span className={value > 0 ? 'tabular' : 'tabular muted'}>{wholeText(value, language)}</span>
  )
  const columns: Column<UsageShareShown>[] = [
    {
      id: 'name',
      className: 'name',
      head: of === 'models' ? shell.model : shell.organisation,
      cell: ({ id, name }) =>
        of === 'models' ? (
          <span className="mono">{id}</span>
        ) : name === null ? (
          <span className="muted">{overview.gone}</span>
        ) : (
          <Link to="/admin/organisations" search={{ dialog: 'organisation', of: id }}>
            {name}
          </Link>
        ),
    },
    {
      id: 'share',
      head: usage.split,
      end: true,
      wideOnly: true,
      cell: (share) => <span className="tabular">{percentText(tokens(share) / all, language)}</span>,
    },
    { id: 'tokens', head: overview.tokens, end: true, cell: (share) => figure(tokens(share)) },
    { id: 'requests', head: shell.requests, end: true, cell: ({ figures }) => figure(figures.requests) },
    { id: 'failed', head: usage.errors, end: true, wideOnly: true, cell: ({ figures }) => figure(figures.failed) },
    ...(total.costMicros === 0
      ? []
      : [
          {
            id: 'cost',
            head: shell.cost,
            end: true,
            className: 'cost',
            cell: ({ figures: { costMicros } }: UsageShareShown) => (
              <span className="tabular">{moneyText(costMicros, currency, language)}</span>
            ),
          },
        ]),
  ]
  return (
    <Section title={title} text={text}>
      {shares.length === 0 ? (
        <p className="secondary">{usage.emptyTitle}</p>
      ) : (
        <Table className="usage" caption={caption} columns={columns} rows={shares} rowKey={({ id }) => id} />
      )}
    </Section>
  )
}
