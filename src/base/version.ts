import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseJsonText } from './parse-json-text.ts'
import { buildFileName, readCommit } from './read-commit.ts'

/** True of our own package. */
const asPackage = (value: unknown): { version: string } => value as { version: string }

/** True of what our own build writes. */
const asBuild = (value: unknown): { commit: string } => value as { commit: string }

const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')

export const { version } = asPackage(parseJsonText(text))

/** Of a release, what its build has written; of a clone, what git says. */
const findCommit = (): string => {
  try {
    const built = readFileSync(new URL(`../${buildFileName}`, import.meta.url), 'utf8')
    return asBuild(parseJsonText(built)).commit
  } catch {
    return readCommit(fileURLToPath(new URL('../../', import.meta.url))) ?? 'unknown'
  }
}

/** `unknown` if the sources were copied without git. */
export const commit = findCommit()

/** Tells two builds of the same version apart: `0.2.0+1a2b3c4d5e6f`, as Semantic Versioning writes it. */
export const fullVersion = `${version}+${commit.slice(0, 12)}`
