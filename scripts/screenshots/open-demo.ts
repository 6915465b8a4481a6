import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ScreenshotWords } from '../../languages/words.ts'
import { createLog } from '../../src/base/log.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { openScriptedEngine } from '../../src/engine/scripted.ts'
import { singleModel } from '../../src/models/single-model.ts'
import { serve } from '../../src/serve.ts'
import { builtSiteFolder } from '../../test/harness/built-site.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { openBuiltSite } from '../../test/harness/open-built-site.ts'

/** About as fast as the real model on two cores, so that the timing looks realistic. */
const tokenMs = 24

/** An unclaimed server at a fixed time whose model gives these answers. Its clock moves only on request. */
export const openDemo = async ({ answer, further }: Pick<ScreenshotWords, 'answer' | 'further'>) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'helix-screenshots-'))
  const clock = createManualClock()
  clock.set(Date.UTC(2026, 9, 20, 0, 30) - clock.now())
  const engine = openScriptedEngine({
    model: { id: 'helix-v1', sampling: { temperature: 0.3, topP: 0.9 } },
    async *answer(messages) {
      const asked = messages.at(-1)?.content
      const given = further.find(({ question }) => question === asked)?.answer ?? answer
      for (const token of given.match(/[a-z']+\s?|[^a-z']/giu) ?? []) {
        await new Promise((resolve) => setTimeout(resolve, tokenMs))
        // Uses the server's own clock, so that its figures are the same in every run.
        clock.advance(tokenMs)
        yield token
      }
    },
  })
  const site = await openBuiltSite(await builtSiteFolder())
  const config = { ...loadConfig({ flags: {}, environment: {}, configFile: null }), port: 0, dataDir }
  const log = createLog({ clock, format: 'json', write: () => {}, hideSecrets: (text) => text })
  const openModels = () => singleModel(engine, config, clock)
  const server = await serve({ config, clock, log, openModels, openSite: () => site })
  const close = async (): Promise<void> => {
    await server.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { server, clock, close }
}

export type Demo = Awaited<ReturnType<typeof openDemo>>
