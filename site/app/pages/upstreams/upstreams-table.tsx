import type { UpstreamShown } from '../../../../src/platform/contract/upstreams.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { actionColumn } from '../../components/action-column.tsx'
import { CopyIcon } from '../../components/copy-icon.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Tag } from '../../components/tag.tsx'
import { wholeText } from '../../figures.ts'
import { momentText } from '../../time/moments.ts'
import { UpstreamActions } from './upstream-actions.tsx'

const tags = { active: 'ok', draining: 'off', paused: 'warn', failing: 'bad' } as const
const maxNames = 6

export const UpstreamsTable = ({ upstreams: listed }: { upstreams: readonly UpstreamShown[] }) => {
  const { language, words } = useLocale()
  const { shell } = words
  const { upstreams } = useWords()
  const count = (value: number): string => wholeText(value, language)
  const keyText = ({ hasKey, keyEnd }: UpstreamShown): string => {
    if (!hasKey) return upstreams.noKey
    return keyEnd === null ? upstreams.keySet : upstreams.key(keyEnd)
  }
  const firstNames = (names: readonly string[]): string =>
    [...names.slice(0, maxNames), ...(names.length > maxNames ? ['…'] : [])].join(language.listSeparator)
  const servedNames = ({ models, clashes }: UpstreamShown): string[] =>
    models.map(({ name }) => name).filter((name) => !clashes.includes(name))
  const takenNames = ({ clashes }: UpstreamShown): string => firstNames(clashes)
  const pricesDate = ({ models }: UpstreamShown): string | null =>
    models.find(({ priceDate }) => priceDate !== null)?.priceDate ?? null
  const columns: Column<UpstreamShown>[] = [
    {
      id: 'name',
      className: 'name',
      head: shell.name,
      cell: (upstream) => (
        <>
          <b className="mono">{upstream.name}</b>
          <span className="subtext mono with-copy">
            <span translate="no">{upstream.url}</span> <CopyIcon text={upstream.url} label={shell.copyUrl} />
          </span>
          <span className="subtext">
            {upstream.source === 'node' ? upstreams.engineNode : keyText(upstream)}
            {upstream.source === 'settings' ? ` · ${upstreams.inSettings}` : ''}
          </span>
        </>
      ),
    },
    {
      id: 'state',
      className: 'state',
      head: shell.state,
      cell: ({ state, pauseReason, pausedNodes, nodes, lastCheck }) => {
        const problem = state === 'failing' ? (lastCheck?.problem ?? null) : null
        return (
          <>
            <Tag state={tags[state]}>{upstreams.states[state]}</Tag>
            {state === 'draining' ? <span className="subtext">{upstreams.drainingText}</span> : null}
            {pauseReason === null ? null : <span className="subtext">{upstreams.pauses[pauseReason]}</span>}
            {state === 'paused' && pausedNodes < nodes ? (
              <span className="subtext">{upstreams.pausedOn(count(pausedNodes), count(nodes))}</span>
            ) : null}
            {problem === null ? null : <span className="subtext">{upstreams.faults[problem.fault]}</span>}
          </>
        )
      },
    },
    {
      id: 'models',
      className: 'models',
      head: upstreams.models,
      labelled: true,
      cell: (upstream) => (
        <>
          {servedNames(upstream).length === 0 ? (
            upstreams.noModels
          ) : (
            <span className="mono">{firstNames(servedNames(upstream))}</span>
          )}
          {upstream.clashes.length === 0 ? null : (
            <span className="subtext">{upstreams.modelsTaken(takenNames(upstream))}</span>
          )}
          {pricesDate(upstream) === null ? null : (
            <span className="subtext">{upstreams.pricesOf(pricesDate(upstream) ?? '')}</span>
          )}
          {upstream.areModelsNamed ? null : <span className="subtext">{upstreams.modelsListed}</span>}
        </>
      ),
    },
    {
      id: 'load',
      end: true,
      className: 'figures-cell',
      head: upstreams.load,
      labelled: true,
      cell: ({ inFlight, maxInFlight, nodes, limit }) => (
        <>
          {upstreams.of(count(inFlight), count(maxInFlight * nodes))}
          {limit < maxInFlight ? <span className="subtext">{upstreams.lowered(count(limit))}</span> : null}
        </>
      ),
    },
    {
      id: 'errors',
      end: true,
      className: 'figures-cell',
      head: upstreams.errors,
      labelled: true,
      cell: ({ recent }) => upstreams.errorsOf(count(recent.errors), count(recent.requests)),
    },
    {
      id: 'checked',
      className: 'checked',
      head: upstreams.checked,
      labelled: true,
      cell: ({ lastCheck }) =>
        lastCheck === null ? (
          <span className="muted">{upstreams.neverChecked}</span>
        ) : (
          <>
            {momentText(lastCheck.at, language)}
            {lastCheck.problem === null ? <span className="subtext">{upstreams.works}</span> : null}
          </>
        ),
    },
    actionColumn(shell.action, (upstream) => <UpstreamActions upstream={upstream} />),
  ]
  return (
    <Table
      className="cards halves upstreams"
      caption={upstreams.caption}
      columns={columns}
      rows={listed}
      rowKey={({ name }) => name}
      isDim={({ isDraining }) => isDraining}
    />
  )
}
