import { ModelRefused } from '../model-refused.ts'
import { verifyWeights } from '../verify-weights.ts'
import type { LoadSettings } from './load-settings.ts'
import { oneLine } from './one-line.ts'

/** Loads the weights and verifies them in parallel; resolves only when both are done. */
export const loadVerified = async <Model>(
  { files, weightsPath }: Pick<LoadSettings, 'files' | 'weightsPath'>,
  load: () => Promise<Model>,
): Promise<Model> => {
  // A damaged file can also make loading fail; the checksum message is more helpful.
  const [verdict, loaded] = await Promise.allSettled([verifyWeights(files), load()])
  if (verdict.status === 'rejected') throw verdict.reason
  if (loaded.status === 'fulfilled') return loaded.value
  if (loaded.reason instanceof ModelRefused) throw loaded.reason
  throw new ModelRefused(`${weightsPath} cannot be loaded: ${oneLine(loaded.reason)}`)
}
