import { useQuery } from '@tanstack/react-query'
import type { HubFileShown } from '../../../../src/platform/contract/models.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { actionColumn } from '../../components/action-column.tsx'
import { Button } from '../../components/button.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Tag } from '../../components/tag.tsx'
import { bytesText } from '../../figures.ts'
import { ModelError } from './model-error.tsx'
import { modelsQuery, pullsQuery } from './models-query.ts'
import { planPull } from './plan-pull.ts'
import { pullTags } from './pull-tags.ts'
import { useStartPull } from './use-start-pull.ts'

const fitTags = { fits: 'ok', memory: 'bad', disk: 'bad' } as const

/** The models in a repository: how large they are, and whether they fit. */
export const HubFiles = ({ repository }: { repository: string }) => {
  const { language } = useLocale()
  const { models } = useWords()
  const platform = usePlatform()
  const start = useStartPull()
  const { data: listed } = useQuery(modelsQuery(platform))
  const { data: pulls = [] } = useQuery(pullsQuery(platform))
  const query = useQuery({
    queryKey: ['model-hub-files', repository],
    queryFn: ({ signal }) => platform.listHubFiles({ query: { repository }, signal }),
    retry: false,
    staleTime: 60_000,
  })
  if (query.error !== null) return <ModelError error={query.error} title={models.notListed} />
  if (query.data === undefined) return <Skeleton lines={3} />
  if (query.data.data.length === 0) return <p className="secondary">{models.noFiles}</p>
  const fitWords = { fits: models.fits, memory: models.tooLarge, disk: models.noDisk }
  const planOf = (file: HubFileShown) => planPull(file, listed?.data ?? [], pulls)
  const columns: Column<HubFileShown>[] = [
    {
      id: 'file',
      className: 'name',
      head: models.file,
      cell: (file) => {
        const { fileName, name, parts } = file
        const plan = planOf(file)
        return (
          <>
            <span className="mono">{fileName}</span>
            {parts === 1 ? null : <span className="subtext">{models.parts(parts)}</span>}
            {plan.kind !== 'offered' || plan.name === name ? null : (
              <span className="subtext">{models.pulledAs(plan.name)}</span>
            )}
          </>
        )
      },
    },
    {
      id: 'quantisation',
      head: models.quantisation,
      labelled: true,
      cell: ({ quantisation }) => quantisation ?? models.none,
    },
    {
      id: 'size',
      end: true,
      head: models.size,
      labelled: true,
      cell: ({ sizeBytes }) => bytesText(sizeBytes, language),
    },
    {
      id: 'fit',
      className: 'fit',
      head: models.fit,
      cell: ({ fit, neededBytes }) => (
        <>
          <Tag state={fitTags[fit]}>{fitWords[fit]}</Tag>
          <span className="subtext">{models.needs(bytesText(neededBytes, language))}</span>
        </>
      ),
    },
    actionColumn(models.actions, (file) => {
      const { source, fileName, fit } = file
      const plan = planOf(file)
      if (plan.kind === 'added') return <Tag state="ok">{models.isInstalled}</Tag>
      if (plan.kind === 'started') return <Tag state={pullTags[plan.state]}>{models.pullStates[plan.state]}</Tag>
      return (
        <Button
          aria-label={models.pullOf(fileName)}
          disabled={fit !== 'fits'}
          busy={start.isPending && start.variables.source === source}
          onClick={() => start.mutate({ source, name: plan.name })}
        >
          {models.pull}
        </Button>
      )
    }),
  ]
  return (
    <>
      <ModelError error={start.error} title={models.notStarted} />
      <Table
        className="cards halves hub-files"
        caption={models.filesCaption(repository)}
        columns={columns}
        rows={query.data.data}
        rowKey={({ source }) => source}
      />
    </>
  )
}
