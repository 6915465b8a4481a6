import OpenAI from 'openai'
import { startServiceBefore } from '../start-service.ts'
import { engineChecks } from './engine-checks.ts'
import type { EngineKind } from './engine-kinds.ts'

export type CheckResult = { name: string; outcome: 'works' | 'refused' | 'fails'; detail: string }

/** Runs every check with a real engine behind a real server. Throws if the engine does not start. */
export const tryEngine = async (
  { kind, launch }: EngineKind,
  program: string,
  signal: AbortSignal,
): Promise<{ version: string; results: CheckResult[] }> => {
  const engine = await launch(program, signal)
  try {
    const service = await startServiceBefore({ ...engine, kind, name: 'engine' })
    try {
      const client = new OpenAI({ baseURL: service.baseUrl, apiKey: service.key, maxRetries: 0, timeout: 120_000 })
      const results: CheckResult[] = []
      for (const { name, run } of engineChecks) {
        signal.throwIfAborted()
        results.push({ name, ...(await run(client).then(() => works, outcomeOf)) })
      }
      return { version: engine.version, results }
    } finally {
      await service.close()
    }
  } finally {
    await engine.close()
  }
}

const works = { outcome: 'works', detail: '' } as const

/** A request that Helix refuses by name never reaches the engine. */
const outcomeOf = (error: unknown): Pick<CheckResult, 'outcome' | 'detail'> => {
  const detail = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
  const isRefused = error instanceof OpenAI.BadRequestError && /^unsupported_/.test(String(error.code))
  return { outcome: isRefused ? 'refused' : 'fails', detail }
}
