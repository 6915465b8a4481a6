import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ShownDelivery, ShownEndpoint } from '../../../../src/platform/contract/webhooks.ts'
import type { EventScope } from '../../../../src/webhooks/event-types.ts'
import { useLocale } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { actionColumn } from '../../components/action-column.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Tag } from '../../components/tag.tsx'
import { useToast } from '../../components/toasts.tsx'
import { momentText } from '../../time/moments.ts'
import { webhookCalls } from './webhook-calls.ts'

const tags = { pending: 'warn', sending: 'off', delivered: 'ok', failed: 'bad' } as const

type DeliveriesTableProps = { scope: EventScope; endpoint: ShownEndpoint; deliveries: readonly ShownDelivery[] }

export const DeliveriesTable = ({ scope, endpoint, deliveries }: DeliveriesTableProps) => {
  const calls = webhookCalls(usePlatform(), scope)
  const { language, words } = useLocale()
  const { audit, shell, webhooks } = words
  const toast = useToast()
  const queryClient = useQueryClient()
  const replay = useMutation({
    mutationFn: (delivery: string) => calls.replay({ params: { endpoint: endpoint.id, delivery } }),
    async onSuccess() {
      toast(webhooks.replayed)
      await queryClient.invalidateQueries({ queryKey: ['webhooks', scope, endpoint.id] })
    },
  })
  const columns: Column<ShownDelivery>[] = [
    {
      id: 'time',
      className: 'when',
      head: audit.time,
      cell: ({ createdAt }) => (
        <time dateTime={new Date(createdAt).toISOString()}>{momentText(createdAt, language)}</time>
      ),
    },
    {
      id: 'event',
      className: 'event',
      head: webhooks.event,
      cell: ({ type, eventId, data }) => (
        <>
          <b>{webhooks.types[type]}</b>
          <span className="subtext mono" translate="no">
            {eventId}
          </span>
          <details className="event-data">
            <summary>{webhooks.payload}</summary>
            <code translate="no">{data}</code>
          </details>
        </>
      ),
    },
    {
      id: 'outcome',
      className: 'outcome',
      head: webhooks.outcome,
      cell: ({ state, attempts, status, error, dueAt }) => (
        <>
          <Tag state={tags[state]}>{webhooks.states[state]}</Tag>
          <span className="subtext">
            {[webhooks.attempts(attempts), ...(status === null ? [] : [webhooks.status(status)])].join(' · ')}
          </span>
          {error === null ? null : <span className="subtext">{webhooks.problems[error]}</span>}
          {state === 'pending' && dueAt !== null && attempts > 0 ? (
            <span className="subtext">{webhooks.retryAt(momentText(dueAt, language))}</span>
          ) : null}
        </>
      ),
    },
    actionColumn(shell.action, ({ id, type, state }) =>
      endpoint.isEnabled && state !== 'sending' ? (
        <Button
          aria-label={webhooks.replayOf(webhooks.types[type])}
          busy={replay.isPending && replay.variables === id}
          onClick={() => replay.mutate(id)}
        >
          {webhooks.replay}
        </Button>
      ) : null,
    ),
  ]
  return (
    <>
      {replay.isError ? <ErrorNotice error={replay.error} title={webhooks.notReplayed} /> : null}
      <Table
        className="cards deliveries"
        caption={webhooks.logCaption}
        columns={columns}
        rows={deliveries}
        rowKey={({ id }) => id}
      />
    </>
  )
}
