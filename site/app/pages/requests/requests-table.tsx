import { Link } from '@tanstack/react-router'
import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { type Column, Table } from '../../components/table.tsx'
import { durationText, wholeText } from '../../figures.ts'
import { clockText } from '../../time/exact-moment.ts'
import { dayText } from '../../time/moments.ts'
import { useLocale } from '../../words-context.tsx'
import { limitNameText } from '../limits/limit-words.ts'
import { EndpointName } from './endpoint-name.tsx'
import { KeyName } from './key-name.tsx'
import { OutcomeTag } from './outcome-tag.tsx'
import type { Pace } from './pace.ts'
import { RequestStrip } from './request-strip.tsx'

type RequestsTableProps = {
  requests: readonly ShownRequest[]
  now: number
  /** How requests were seen to go on, by their IDs. */
  paces?: ReadonlyMap<string, Pace>
}

const noPaces: ReadonlyMap<string, Pace> = new Map()

export const RequestsTable = ({ requests: rows, now, paces = noPaces }: RequestsTableProps) => {
  const { requests } = useLocale().words
  return (
    <Table
      className="cards requests"
      caption={requests.caption}
      columns={useColumns(now, paces)}
      rows={rows}
      rowKey={({ id }) => id}
      opensRow
    />
  )
}

const useColumns = (now: number, paces: ReadonlyMap<string, Pace>): Column<ShownRequest>[] => {
  const { language, words } = useLocale()
  const { requests, shell } = words
  const figure = (value: number | null): string => (value === null ? '–' : wholeText(value, language))
  const time = (ms: number | null): string => (ms === null ? '–' : durationText(ms, language))
  return [
    {
      id: 'time',
      className: 'time',
      head: requests.time,
      cell: ({ id, startedAt }) => (
        <Link to="/requests/$request" params={{ request: id }}>
          <span className="tabular">{clockText(startedAt, language)}</span>
          <span className="subtext">{dayText(startedAt, now, language)}</span>
          <span className="visually-hidden">{requests.open}</span>
        </Link>
      ),
    },
    {
      id: 'outcome',
      className: 'outcome',
      head: requests.outcome,
      cell: ({ outcome, error, refusedBy, leftOut }) => (
        <>
          <OutcomeTag outcome={outcome} />
          {error === null ? null : <span className="subtext mono">{error.code ?? error.name}</span>}
          {refusedBy === null ? null : <span className="subtext">{limitNameText(refusedBy.name, words)}</span>}
          {leftOut === 0 ? null : <span className="subtext">{requests.leftOut(figure(leftOut))}</span>}
        </>
      ),
    },
    { id: 'key', className: 'who', head: shell.key, cell: ({ keyId }) => <KeyName keyId={keyId} /> },
    {
      id: 'model',
      className: 'model',
      wideOnly: true,
      head: `${shell.model} · ${requests.endpoint}`,
      cell: ({ model, endpoint }) => (
        <>
          <span className="mono" translate="no">
            {model ?? '–'}
          </span>
          <span className="subtext">
            <EndpointName endpoint={endpoint} />
          </span>
        </>
      ),
    },
    {
      id: 'tokens',
      className: 'tokens',
      end: true,
      head: requests.tokens,
      labelled: true,
      cell: (request) => {
        const { id, outcome, promptTokens, completionTokens } = request
        const pace = paces.get(id)
        return outcome === 'refused' ? (
          '–'
        ) : (
          <>
            <span className="tabular">
              {figure(promptTokens)} <span className="muted">→</span> {figure(completionTokens ?? pace?.tokens ?? null)}
            </span>
            <RequestStrip request={request} pace={pace} />
          </>
        )
      },
    },
    {
      id: 'first',
      className: 'first',
      wideOnly: true,
      end: true,
      head: shell.firstToken,
      cell: ({ firstTokenMs }) => <span className="tabular">{time(firstTokenMs)}</span>,
    },
    {
      id: 'total',
      className: 'total',
      end: true,
      head: requests.total,
      labelled: true,
      cell: ({ durationMs }) => <span className="tabular">{time(durationMs)}</span>,
    },
  ]
}
