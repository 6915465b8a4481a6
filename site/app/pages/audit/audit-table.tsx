import { type Column, Table } from '../../components/table.tsx'
import { bytesText, moneyText } from '../../figures.ts'
import { useSession } from '../../session.ts'
import { momentText } from '../../time/moments.ts'
import { useLocale, useWords } from '../../words-context.tsx'
import type { AuditEvent } from './audit-query.ts'
import { actorText, detailText, targetText } from './event-words.ts'

export const AuditTable = ({ events }: { events: readonly AuditEvent[] }) => {
  const { language } = useLocale()
  const words = useWords()
  const { audit } = words
  const { currency } = useSession()
  const figures = {
    money: (micros: number): string => moneyText(micros, currency, language),
    bytes: (count: number): string => bytesText(count, language),
  }
  const columns: Column<AuditEvent>[] = [
    {
      id: 'time',
      className: 'when',
      head: audit.time,
      cell: ({ at }) => (
        <time dateTime={new Date(at).toISOString()} title={new Date(at).toISOString()}>
          {momentText(at, language)}
        </time>
      ),
    },
    {
      id: 'what',
      className: 'what',
      head: audit.what,
      cell: ({ action }) => <b>{audit.actions[action]}</b>,
    },
    {
      id: 'target',
      className: 'target',
      head: audit.toWhat,
      cell: (event) => <span title={event.target?.id ?? undefined}>{targetText(event, words)}</span>,
    },
    {
      id: 'who',
      className: 'who',
      head: audit.who,
      cell: (event) => (
        <>
          <span title={event.actor.id ?? undefined}>{actorText(event, words)}</span>
          {event.actor.address === null ? null : <span className="subtext mono">{event.actor.address}</span>}
        </>
      ),
    },
    { id: 'details', className: 'details', head: audit.details, cell: (event) => detailText(event, words, figures) },
  ]
  return (
    <Table className="cards audit" caption={audit.caption} columns={columns} rows={events} rowKey={({ id }) => id} />
  )
}
