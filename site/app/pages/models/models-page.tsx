import { useQuery } from '@tanstack/react-query'
import { usePlatform } from '../../app-state.ts'
import '../../../styles/models.css'
import type { ListedModel } from '../../../../src/platform/contract/models.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { LedeText } from '../../components/lede-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { OwnerPage } from '../../components/owner-page.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { modelsLede } from '../../ledes/admin-ledes.ts'
import { HubPart } from './hub-part.tsx'
import { ModelCommands } from './model-commands.tsx'
import { modelsQuery, pullsQuery } from './models-query.ts'
import { ModelsTable } from './models-table.tsx'
import { PullsPart } from './pulls-part.tsx'
import { UploadPart } from './upload-part.tsx'

/** For the server's owner: every model with its state, memory and load, and how to add, change and remove them. */
export const ModelsPage = () => {
  const { admin } = useWords()
  return (
    <OwnerPage title={admin.models}>
      <Models />
    </OwnerPage>
  )
}

type Listed = { data: readonly ListedModel[]; memoryBytes: number; diskBytes: number }

const Models = () => {
  const { admin } = useWords()
  const { models } = useWords()
  const platform = usePlatform()
  const query = useQuery(modelsQuery(platform))
  const pulls = useQuery(pullsQuery(platform))
  const isListed = !query.isPending && !pulls.isPending
  return (
    <>
      <PageHead title={admin.models} lede={<ModelsLede listed={query.data} />} />
      <Loaded query={query} errorTitle={models.notLoaded} lines={4}>
        {({ data }) => <ModelsTable models={data} />}
      </Loaded>
      {/* Below the table and the downloads, which have their height then. */}
      {isListed ? (
        <>
          <PullsPart />
          <HubPart />
          <UploadPart />
          <ModelCommands />
        </>
      ) : null}
    </>
  )
}

const ModelsLede = ({ listed }: { listed: Listed | undefined }) => {
  const { language } = useLocale()
  const words = useWords()
  return listed === undefined ? (
    <span className="skeleton-line" />
  ) : (
    <LedeText parts={modelsLede(listed, words, language)} />
  )
}
