import { useQuery } from '@tanstack/react-query'
import { usePlatform } from '../../app-state.ts'
import '../../../styles/models.css'
import type { ListedModel } from '../../../../src/platform/contract/models.ts'
import { useWords } from '../../admin-words-context.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { OwnerPage } from '../../components/owner-page.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ModelCommands } from './model-commands.tsx'
import { modelsQuery } from './models-query.ts'
import { ModelsTable } from './models-table.tsx'

/** For the server's owner: every model with its state, memory and load, and how to add others. */
export const ModelsPage = () => {
  const { admin } = useWords()
  return (
    <OwnerPage title={admin.models}>
      <Models />
    </OwnerPage>
  )
}

const Models = () => {
  const { admin } = useWords()
  const { models } = useWords()
  const query = useQuery(modelsQuery(usePlatform()))
  return (
    <>
      <PageHead title={admin.models} lede={<ModelsLede models={query.data} />} />
      <Loaded query={query} errorTitle={models.notLoaded} lines={4}>
        {(data) => <ModelsTable models={data} />}
      </Loaded>
      <ModelCommands />
    </>
  )
}

const ModelsLede = ({ models: listed }: { models: readonly ListedModel[] | undefined }) => {
  const { models } = useWords()
  if (listed === undefined) return <span className="skeleton-line" />
  const countModels = (wanted: ListedModel['state']): number => listed.filter(({ state }) => state === wanted).length
  const failed = countModels('failed')
  return (
    <>
      <b>{models.lede(listed.length)}</b>{' '}
      <span className="muted">
        {models.loaded(countModels('ready'))} {failed === 0 ? null : models.failed(failed)}
      </span>
    </>
  )
}
