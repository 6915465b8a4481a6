import { Link } from '@tanstack/react-router'
import type { Usage } from '../../../../src/platform/contract/usage.ts'
import { Section } from '../../components/section.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'

type Reason = Usage['rejected']['reasons'][number]

/** Requests that reached no model, by their errors. They are in no other figure of the page. */
export const RejectedPart = ({ usage: { rejected, from, to } }: { usage: Usage }) => {
  const { language, words } = useLocale()
  const { usage, requests } = words
  if (rejected.total === 0) return null
  const columns: Column<Reason>[] = [
    {
      id: 'error',
      head: usage.reason,
      cell: ({ error: { name, code, status } }) => (
        <Link className="link" to="/requests" search={{ outcome: 'refused', q: code ?? name, from, until: to }}>
          <span className="mono">{code ?? name}</span>
          {status === null ? null : <span className="muted"> {status}</span>}
        </Link>
      ),
    },
    { id: 'count', head: requests.outcomes.refused, end: true, cell: ({ count }) => wholeText(count, language) },
  ]
  return (
    <Section title={usage.rejected(wholeText(rejected.total, language))} text={usage.rejectedText}>
      <Table
        className="rejected"
        caption={usage.rejected(wholeText(rejected.total, language))}
        columns={columns}
        rows={joinByCode(rejected.reasons)}
        rowKey={({ error: { name } }) => name}
      />
    </Section>
  )
}

/** Readers know the code of an error, which several errors share. */
export const joinByCode = (reasons: readonly Reason[]): Reason[] => {
  const joined = new Map<string, Reason>()
  for (const { error, count } of reasons) {
    const id = `${error.code ?? error.name} ${error.status}`
    joined.set(id, { error: joined.get(id)?.error ?? error, count: (joined.get(id)?.count ?? 0) + count })
  }
  return [...joined.values()].toSorted((one, two) => two.count - one.count)
}
