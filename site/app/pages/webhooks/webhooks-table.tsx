import type { ShownEndpoint } from '../../../../src/platform/contract/webhooks.ts'
import type { EventScope } from '../../../../src/webhooks/event-types.ts'
import { useLocale } from '../../admin-words-context.tsx'
import { actionColumn } from '../../components/action-column.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Tag } from '../../components/tag.tsx'
import { momentText } from '../../time/moments.ts'
import { WebhookActions } from './webhook-actions.tsx'

type WebhooksTableProps = {
  scope: EventScope
  endpoints: readonly ShownEndpoint[]
  onEdit(id: string): void
  onRotate(id: string): void
  onLog(id: string): void
}

export const WebhooksTable = ({ scope, endpoints, ...on }: WebhooksTableProps) => {
  const { language, words } = useLocale()
  const { shell, webhooks } = words
  const columns: Column<ShownEndpoint>[] = [
    {
      id: 'name',
      className: 'name',
      head: shell.name,
      cell: ({ url, description }) => (
        <>
          {url === null ? (
            <b>{webhooks.mailName}</b>
          ) : (
            <b className="mono" translate="no">
              {url}
            </b>
          )}
          {description === '' ? null : <span className="subtext">{description}</span>}
        </>
      ),
    },
    {
      id: 'state',
      className: 'state',
      head: shell.state,
      cell: ({ isEnabled, previousUntil }) => (
        <>
          <Tag state={isEnabled ? 'ok' : 'off'}>{isEnabled ? webhooks.on : webhooks.off}</Tag>
          {previousUntil === null || previousUntil < Date.now() ? null : (
            <span className="subtext">{webhooks.twoSecrets(momentText(previousUntil, language))}</span>
          )}
        </>
      ),
    },
    {
      id: 'events',
      className: 'events',
      head: webhooks.events,
      labelled: true,
      cell: ({ events }) => (
        <ul className="event-types">
          {events.map((type) => (
            <li key={type}>{webhooks.types[type]}</li>
          ))}
        </ul>
      ),
    },
    actionColumn(shell.action, (endpoint) => <WebhookActions scope={scope} endpoint={endpoint} {...on} />),
  ]
  return (
    <Table
      className="cards webhooks"
      caption={webhooks.caption}
      columns={columns}
      rows={endpoints}
      rowKey={({ id }) => id}
      isDim={({ isEnabled }) => !isEnabled}
    />
  )
}
