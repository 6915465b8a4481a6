import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repository } from './run-program.ts'

/** The last release: a cluster is upgraded from it, node by node. A clone may lack its tag, so the file names the commit. */
const { commit: previousCommit }: { commit: string } = JSON.parse(
  readFileSync(join(repository, 'last-release.json'), 'utf8'),
)

/** Why the previous version cannot be started here; null if it can. */
export const noPreviousVersion = (): string | null => {
  try {
    const before = git(`show ${previousCommit}:package.json`)
    const now = readFileSync(join(repository, 'package.json'), 'utf8')
    // It is started with the packages of this one.
    return dependenciesOf(before) === dependenciesOf(now) ? null : 'its dependencies are not installed'
  } catch {
    return `its commit is not in this clone: git fetch --unshallow`
  }
}

/** Not below `node_modules`: Node reads no TypeScript there. */
const unpacked = join(tmpdir(), `helix-previous-version-${process.getuid?.() ?? 0}`)

/** The path of its `helix`, which can serve but has no pages. It stays where it is, so that it is compiled once. */
export const unpackPreviousVersion = async (): Promise<string> => {
  const place = join(unpacked, previousCommit)
  if (existsSync(place)) return join(place, 'helix')
  mkdirSync(unpacked, { recursive: true })
  const folder = mkdtempSync(join(unpacked, 'draft-'))
  const archive = join(folder, 'source.tar')
  await run('git', ['-C', repository, 'archive', '-o', archive, previousCommit, 'helix', 'package.json', 'src'])
  await run('tar', ['-xf', archive, '-C', folder])
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  try {
    renameSync(folder, place)
  } catch (error) {
    // Another test was faster.
    if (!existsSync(place)) throw error
    rmSync(folder, { recursive: true })
  }
  return join(place, 'helix')
}

const run = promisify(execFile)

const git = (command: string): string =>
  execFileSync('git', ['-C', repository, ...command.split(' ')], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })

const dependenciesOf = (packageJson: string): string => JSON.stringify(JSON.parse(packageJson).dependencies)
