import { useQuery } from '@tanstack/react-query'
import { usePlatform } from '../../app-state.ts'
import '../../../styles/settings.css'
import '../../../styles/server.css'
import type { EngineShown } from '../../../../src/platform/contract/server.ts'
import { useWords } from '../../admin-words-context.tsx'
import { LedeText } from '../../components/lede-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { OwnerPage } from '../../components/owner-page.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useReached } from '../../components/use-reached.ts'
import { checklistQuery, Steps } from '../../first-day/first-day.tsx'
import { engineLede } from '../../ledes/admin-ledes.ts'
import { ConfigurationPart } from './configuration-part.tsx'
import { EnginePart } from './engine-part.tsx'
import { configurationQuery, engineQuery } from './server-queries.ts'
import { SettingsParts } from './settings-parts.tsx'

/** For the server's owner: how the engine is doing, and how the server was set up. */
export const ServerPage = () => {
  const { shell } = useWords()
  return (
    <OwnerPage title={shell.server}>
      <ServerState />
    </OwnerPage>
  )
}

const ServerState = () => {
  const { shell } = useWords()
  const { server } = useWords()
  const platform = usePlatform()
  const engine = useQuery(engineQuery(platform))
  const configuration = useQuery(configurationQuery(platform))
  const checklist = useQuery(checklistQuery(platform))
  // All at once, so that nothing is pushed down by what comes a moment later.
  const isComplete = useReached([engine, configuration, checklist].every(({ isLoading }) => !isLoading))
  return (
    <>
      <PageHead title={shell.server} lede={<EngineLede engine={engine.data} failed={engine.isError} />} />
      {isComplete ? (
        <>
          <Steps />
          <Loaded query={engine} errorTitle={server.notLoaded} lines={4}>
            {(data) => <EnginePart engine={data} />}
          </Loaded>
          <Loaded query={configuration} errorTitle={server.configurationNotLoaded} lines={6}>
            {(data) => (
              <>
                <SettingsParts configuration={data} />
                <ConfigurationPart settings={data.data} />
              </>
            )}
          </Loaded>
        </>
      ) : (
        <Skeleton lines={8} />
      )}
    </>
  )
}

const EngineLede = ({ engine, failed }: { engine: EngineShown | undefined; failed: boolean }) => {
  const words = useWords()
  if (engine === undefined) return failed ? words.server.notLoaded : <span className="skeleton-line" />
  return <LedeText parts={engineLede(engine, words)} />
}
