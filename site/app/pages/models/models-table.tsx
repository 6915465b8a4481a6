import type { ListedModel } from '../../../../src/platform/contract/models.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { actionColumn } from '../../components/action-column.tsx'
import { CopyIcon } from '../../components/copy-icon.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Tag } from '../../components/tag.tsx'
import { bytesText, roundText, wholeText } from '../../figures.ts'
import { ModelActions } from './model-actions.tsx'

const tags = {
  ready: 'ok',
  loading: 'busy',
  unloaded: 'off',
  failed: 'bad',
  stopped: 'bad',
  unreachable: 'warn',
} as const

export const ModelsTable = ({ models: listed }: { models: readonly ListedModel[] }) => {
  const { language, words } = useLocale()
  const { shell } = words
  const { models } = useWords()
  const join = (names: readonly string[]): string => names.join(language.listSeparator)
  const count = (value: number): string => wholeText(value, language)
  const bytes = (value: number): string => bytesText(value, language)
  const factsOf = (installed: ListedModel['installed']): string =>
    installed === null
      ? models.sources.upstream
      : [
          ...(installed.quantisation === null ? [] : [installed.quantisation]),
          ...(installed.parameters === null ? [] : [models.parameters(roundText(installed.parameters, language))]),
          ...(installed.licence === null ? [] : [models.licence(installed.licence)]),
          ...(installed.source === 'settings' ? [models.sources.settings] : []),
        ].join(' · ')
  const none = <span className="muted">{models.none}</span>
  const columns: Column<ListedModel>[] = [
    {
      id: 'name',
      className: 'name',
      head: shell.name,
      cell: ({ id, isDefault, aliases, installed }) => (
        <>
          <b className="mono">{id}</b> <CopyIcon text={id} label={shell.copyModel} />{' '}
          {isDefault ? <span className="chip">{models.isDefault}</span> : null}
          {aliases.length === 0 ? null : <span className="subtext">{models.aliases(join(aliases))}</span>}
          <span className="subtext">{factsOf(installed)}</span>
        </>
      ),
    },
    {
      id: 'state',
      className: 'state',
      head: shell.state,
      cell: ({ state, reason, gpu, gpuFault }) => (
        <>
          <Tag state={tags[state]}>{models.states[state]}</Tag>
          {state === 'unloaded' ? <span className="subtext">{models.unloadedText}</span> : null}
          {reason === null ? null : <span className="subtext">{reason}</span>}
          {gpu === null ? null : <span className="subtext">{models.onGpu(gpu)}</span>}
          {gpuFault === null ? null : <span className="subtext">{models.withoutGpu(gpuFault)}</span>}
        </>
      ),
    },
    {
      id: 'kind',
      className: 'kind',
      head: models.kind,
      labelled: true,
      cell: ({ kind, capabilities }) => (
        <>
          {models.kinds[kind]}
          {kind !== 'chat' || capabilities.length === 0 ? null : (
            <span className="subtext">{join(capabilities.map((name) => models.capabilities[name]))}</span>
          )}
        </>
      ),
    },
    {
      id: 'context',
      className: 'figures-cell',
      end: true,
      head: models.context,
      labelled: true,
      cell: ({ contextTokens }) => (contextTokens === null ? none : count(contextTokens)),
    },
    {
      id: 'memory',
      className: 'memory',
      end: true,
      head: models.memory,
      labelled: true,
      cell: ({ memory, installed, state }) =>
        memory === null ? (
          installed === null || state === 'failed' ? (
            none
          ) : (
            <>
              {bytes(installed.neededBytes)}
              <span className="subtext">{installed.fits ? models.fits : models.tooLarge}</span>
            </>
          )
        ) : (
          <>
            {bytes(memory.weights + memory.cache + memory.buffers)}
            <span className="subtext">
              {models.memoryParts(bytes(memory.weights), bytes(memory.cache), bytes(memory.buffers))}
            </span>
          </>
        ),
    },
    {
      id: 'disk',
      className: 'figures-cell disk',
      end: true,
      head: models.disk,
      labelled: true,
      cell: ({ diskBytes }) => (diskBytes === null ? none : bytes(diskBytes)),
    },
    {
      id: 'load',
      className: 'figures-cell',
      end: true,
      head: models.load,
      labelled: true,
      cell: ({ inFlight, slots, waiting }) => (
        <>
          {models.of(count(inFlight), count(slots))}
          {waiting === 0 ? null : <span className="subtext">{models.waiting(count(waiting))}</span>}
        </>
      ),
    },
    actionColumn(models.actions, (model) => <ModelActions model={model} />),
  ]
  return (
    <Table
      className="cards halves models"
      caption={models.caption}
      columns={columns}
      rows={listed}
      rowKey={({ id }) => id}
      isDim={({ state }) => state === 'failed'}
    />
  )
}
