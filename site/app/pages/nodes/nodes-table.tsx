import type { ShownNode } from '../../../../src/platform/contract/nodes.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Tag } from '../../components/tag.tsx'
import { bytesText, durationText, percentText, wholeText } from '../../figures.ts'
import { momentText } from '../../time/moments.ts'

/** Heartbeats come every five seconds. */
const lateMs = 12_000

export const NodesTable = ({ nodes: listed }: { nodes: readonly ShownNode[] }) => {
  const { language, words } = useLocale()
  const { admin, shell } = words
  const { models } = useWords()
  const { nodes } = useWords()
  const count = (value: number): string => wholeText(value, language)
  const none = <span className="muted">{models.none}</span>
  const columns: Column<ShownNode>[] = [
    {
      id: 'name',
      className: 'name',
      head: shell.name,
      cell: ({ name, kind, address, isOwn }) => (
        <>
          <b className="mono">{name}</b> {isOwn && listed.length > 1 ? <span className="chip">{nodes.own}</span> : null}
          <span className="subtext mono">{address}</span>
          {kind === 'engine' ? <span className="subtext">{nodes.engine}</span> : null}
        </>
      ),
    },
    {
      id: 'state',
      className: 'state',
      head: shell.state,
      cell: ({ seenMsAgo }) => (
        <>
          <Tag state={seenMsAgo < lateMs ? 'ok' : 'warn'}>{seenMsAgo < lateMs ? nodes.running : nodes.silent}</Tag>
          {listed.length === 1 ? null : (
            <span className="subtext">{nodes.seen(durationText(seenMsAgo, language))}</span>
          )}
        </>
      ),
    },
    {
      id: 'version',
      className: 'kind',
      head: nodes.version,
      labelled: true,
      cell: ({ version, startedAt }) => (
        <>
          <span className="mono">{version}</span>
          <span className="subtext">{nodes.since(momentText(startedAt, language))}</span>
        </>
      ),
    },
    {
      id: 'models',
      className: 'kind',
      head: admin.models,
      labelled: true,
      cell: ({ status }) => {
        if (status === null || status.models.length === 0) return none
        const { gpus, gpuFault } = status
        return (
          <>
            {status.models.map(({ id, state }) => (
              <span key={id} className="node-model">
                <span className="mono">{id}</span> <span className="muted">{stateText(models.states, state)}</span>
              </span>
            ))}
            {gpus.map((gpu) => (
              <span key={gpu} className="subtext">
                {models.onGpu(gpu)}
              </span>
            ))}
            {gpuFault === null ? null : <span className="subtext">{models.withoutGpu(gpuFault)}</span>}
          </>
        )
      },
    },
    {
      id: 'load',
      className: 'figures-cell',
      end: true,
      head: models.load,
      labelled: true,
      cell: ({ status }) =>
        status === null ? (
          none
        ) : (
          <>
            {count(status.running)}
            {status.waiting === 0 ? null : <span className="subtext">{models.waiting(count(status.waiting))}</span>}
          </>
        ),
    },
    {
      id: 'busy',
      className: 'figures-cell',
      end: true,
      head: nodes.busy,
      labelled: true,
      cell: ({ status }) => (status === null ? none : percentText(status.busy, language)),
    },
    {
      id: 'memory',
      className: 'figures-cell',
      end: true,
      head: models.memory,
      labelled: true,
      cell: ({ status }) =>
        status === null ? (
          none
        ) : (
          <>
            {bytesText(status.memoryBytes, language)}
            {status.engineMemoryBytes === null ? null : (
              <span className="subtext">{nodes.engineMemory(bytesText(status.engineMemoryBytes, language))}</span>
            )}
          </>
        ),
    },
  ]
  return (
    <Table
      className="cards halves models nodes"
      caption={nodes.caption}
      columns={columns}
      rows={listed}
      rowKey={({ id }) => id}
    />
  )
}

/** A node of another version may know other states. */
const stateText = (states: Readonly<Record<string, string>>, state: string): string => states[state] ?? state
