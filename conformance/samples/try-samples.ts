import { environment } from '../../src/config/load-config.ts'
import { startSampleService } from '../start-service.ts'
import { runLanguage, type Verdict } from './run-language.ts'
import { sampleLanguages } from './sample-languages.ts'
import { createSampleSubjects } from './sample-subjects.ts'

/**
 * Runs every sample of the documentation as it is copied, against the real server with helix-v1, an embedding model and a
 * reranker, and ends with a line for each language. Returns the exit code: 2 if a language named cannot be tried.
 */
export const trySamples = async (named: readonly string[], signal: AbortSignal): Promise<number> => {
  const unknown = named.find((name) => !sampleLanguages.some(({ tab }) => tab === name))
  if (unknown !== undefined) {
    console.error(
      `There are no samples in '${unknown}'. There are: ${sampleLanguages.map(({ tab }) => tab).join(', ')}.`,
    )
    return 2
  }
  const summary: string[] = []
  const outcomes = new Set<Verdict['outcome']>()
  const service = await startSampleService()
  try {
    const subjects = await createSampleSubjects(service)
    for (const language of sampleLanguages) {
      if (named.length > 0 && !named.includes(language.tab)) continue
      const startedMs = performance.now()
      const verdict = await runLanguage(language, { environment: environment(), prepare: subjects.prepare, signal })
      const seconds = Math.round((performance.now() - startedMs) / 1000)
      outcomes.add(verdict.outcome)
      summary.push(`${language.tab.padEnd(10)} ${verdict.outcome.padEnd(7)} ${verdict.detail}, ${seconds} s`)
    }
  } catch (error) {
    if (!signal.aborted) throw error
    console.error('stopped')
    return 130
  } finally {
    await service.close()
  }
  console.log(`\n${summary.join('\n')}`)
  if (outcomes.has('FAILED')) return 1
  return outcomes.has('NOT RUN') && named.length > 0 ? 2 : 0
}
