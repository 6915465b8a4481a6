import { fileURLToPath } from 'node:url'
import { type TinyModelName, writeTinyModel } from '../../scripts/tiny-models/tiny-models.ts'
import { systemClock } from '../../src/base/clock.ts'
import { type EmbeddedEngine, openEmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import { readModel } from '../../src/engine/model-folder.ts'
import { endsWithFile } from './ends-with-file.ts'
import { engineThreads } from './engine-threads.ts'
import { scratchPath } from './scratch-path.ts'

const workerPath = fileURLToPath(new URL('../../src/engine-process.ts', import.meta.url))
const silent = { info: () => {}, warn: () => {}, error: () => {} }

/**
 * The real engine with a tiny model, closed after the last test of the file. `loaded` is the file that the process loads,
 * if another one than the server checked.
 */
export const openTinyEngine = async (name: TinyModelName, loaded = name, slots = 2): Promise<EmbeddedEngine> => {
  const checked = await readModel(writeTinyModel(scratchPath(), name))
  const modelFiles = { ...checked, weightsPath: writeTinyModel(scratchPath(), loaded) }
  const engine = openEmbeddedEngine({
    ...{ modelFiles, slots, threads: engineThreads, clock: systemClock, log: silent, workerPath },
  })
  endsWithFile(() => engine.close())
  return engine
}
