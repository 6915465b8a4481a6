import type { LimitName } from '../../../../src/platform/contract/limits.ts'
import { limitNames, readNamedLimit } from '../keys/key-draft.ts'

/** An empty field means the default of all organisations, 0 means no limit. */
export const readOwnLimits = (texts: Readonly<Record<LimitName, string>>) => {
  const wrong: LimitName[] = []
  const limits: Partial<Record<LimitName, number | null>> = {}
  for (const name of limitNames) {
    const limit = /^\s*0+(\.0+)?\s*$/.test(texts[name]) ? 0 : readNamedLimit(name, texts[name])
    if (limit === 'wrong') wrong.push(name)
    else limits[name] = limit
  }
  return { limits, wrong }
}
