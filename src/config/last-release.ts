import { readFileSync } from 'node:fs'
import { parseJsonText } from '../base/parse-json-text.ts'

type LastRelease = {
  version: string
  commit: string
  /** The defaults of its settings, as `docs/config.md` had them. */
  settings: Readonly<Record<string, string>>
  /** The `weightsId` of each model that it included, by the name of its folder. */
  models: Readonly<Record<string, string>>
}

/** What `npm run record-release` wrote about the release before this version. */
export const readLastRelease = (): LastRelease =>
  asLastRelease(parseJsonText(readFileSync(new URL('../../last-release.json', import.meta.url), 'utf8')))

/** True of our own file. */
const asLastRelease = (value: unknown): LastRelease => value as LastRelease
