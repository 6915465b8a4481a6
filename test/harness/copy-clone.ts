import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './run-program.ts'
import { scratchPath } from './scratch-path.ts'

const copied = ['src', 'site', 'languages', 'docs', 'conformance', 'helix', 'package.json', 'package-lock.json']
const alsoCopied = ['tsconfig.json', 'CHANGELOG.md', 'LICENSE', 'last-release.json']
/** Too large to copy, and nothing is written there. */
const linked = ['node_modules', 'models']

/** What `git clone` and `npm ci` leave: nothing is built. Resolves to its folder. */
export const copyClone = (): string => {
  const clone = scratchPath()
  for (const path of [...copied, ...alsoCopied]) cpSync(join(repository, path), join(clone, path), { recursive: true })
  for (const path of linked) symlinkSync(join(repository, path), join(clone, path))
  return clone
}
