import type { Words } from '../../../../languages/words.ts'
import type { CountedRefusals } from '../../../../src/platform/contract/overview.ts'
import { useLocale } from '../../admin-words-context.tsx'
import { Section } from '../../components/section.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { wholeText } from '../../figures.ts'
import { limitNameText } from '../limits/limit-words.ts'

/** Why requests were rejected: the limit, or the error that callers got. */
export const RefusalsPart = ({ refusals }: { refusals: readonly CountedRefusals[] }) => {
  const { language, words } = useLocale()
  const { overview, requests, shell } = words
  const columns: Column<CountedRefusals>[] = [
    {
      id: 'reason',
      className: 'name',
      head: overview.reason,
      cell: ({ error, limit, scope }) => (
        <>
          {limit === null || scope === null
            ? (reasonText(error, requests.reasons) ?? <span className="mono">{error}</span>)
            : overview.limit(requests.whose[scope], limitNameText(limit, words))}
          {reasonText(error, requests.reasons) === null && limit === null ? null : (
            <span className="subtext mono">{error}</span>
          )}
        </>
      ),
    },
    {
      id: 'requests',
      head: shell.requests,
      end: true,
      cell: ({ requests: count }) => <span className="tabular">{wholeText(count, language)}</span>,
    },
  ]
  return (
    <Section title={overview.refusalsTitle} text={overview.refusalsText}>
      {refusals.length === 0 ? (
        <p className="secondary">{overview.noRefusals}</p>
      ) : (
        <Table
          className="refusals"
          caption={overview.refusalsCaption}
          columns={columns}
          rows={refusals}
          rowKey={({ error, limit, scope }) => `${error} ${limit} ${scope}`}
        />
      )}
    </Section>
  )
}

type Reasons = Words['requests']['reasons']
const reasonText = (name: string, reasons: Reasons): string | null => (hasReason(name, reasons) ? reasons[name] : null)
const hasReason = (name: string, reasons: Reasons): name is keyof Reasons => Object.hasOwn(reasons, name)
