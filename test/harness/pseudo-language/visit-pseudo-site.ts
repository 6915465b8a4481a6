import { spawn } from 'node:child_process'
import { cp, mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pseudoCode, writePseudoLanguage } from './write-pseudo-language.ts'

const root = join(import.meta.dirname, '../../..')

/** What the server, the build of the site and the visit read. */
const sources = [
  'CHANGELOG.md',
  'LICENSE',
  'docs',
  'conformance',
  'languages',
  'models/helix-v1/model.json',
  'package-lock.json',
  'package.json',
  'scripts/screenshots',
  'site',
  'src',
  'test/harness',
  'tsconfig.json',
]

/** What one page looks like at one width: in which language it is, what does not fit, and which figures of cards say not of what. */
export type SeenPage = { name: string; width: number; lang: string; title: string; cut: string[]; bare: string[] }

/**
 * Copies the repository, adds a folder with the pseudo-language to the copy, and visits every page of its site with the
 * copy's own server and build.
 */
export const visitPseudoSite = async (folder: string, browserEndpoint: string): Promise<SeenPage[]> => {
  for (const path of sources) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await cp(join(root, path), join(folder, path), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writePseudoLanguage(folder)
  const visit = 'test/harness/pseudo-language/visit-site.ts'
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', visit, browserEndpoint, pseudoCode], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (!output.endsWith('}\n') || errors !== '') throw new Error(`the visit ended early: ${errors}`)
  return output.trimEnd().split('\n').map(readSeenPage)
}

/** `visit-site.ts` wrote it. */
const readSeenPage = (line: string): SeenPage => JSON.parse(line) as SeenPage
