import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readDebianPackage } from './read-debian-package.ts'
import { runCommand } from './run-command.ts'

type SystemLibraries = {
  origin: string
  /** `path` in the package becomes `copy`. */
  packages: { debian: string; file: string; sha256: string; path: string; copy: string }[]
}

const { origin, packages }: SystemLibraries = JSON.parse(
  readFileSync(new URL('./system-libraries.json', import.meta.url), 'utf8'),
)

export const systemPackages = (debian: string): SystemLibraries['packages'] =>
  packages.filter((each) => each.debian === debian)

/**
 * The libraries that Node and llama.cpp need besides glibc, from Debian's packages for that processor, with their licences.
 * Packages are kept in `cache`: Debian removes them from its servers with the next version.
 */
export const copySystemLibraries = async (debian: string, target: string, cache: string): Promise<void> => {
  mkdirSync(target, { recursive: true })
  for (const { file, sha256, path, copy } of systemPackages(debian)) {
    const content = await download(file, sha256, cache)
    const unpacked = join(cache, `${file}-unpacked`)
    mkdirSync(unpacked, { recursive: true })
    writeFileSync(join(unpacked, 'data.tar.xz'), readDebianPackage(content, 'data.tar.xz'))
    await runCommand('tar', ['-xJf', 'data.tar.xz'], unpacked)
    const [found] = globSync(path, { cwd: unpacked })
    if (found === undefined) throw new Error(`${file} contains no ${path}.`)
    // Follows the link to the file of the exact version.
    copyFileSync(join(unpacked, found), join(target, copy))
  }
}

const download = async (file: string, sha256: string, cache: string): Promise<Buffer> => {
  const kept = join(cache, file)
  mkdirSync(cache, { recursive: true })
  if (!existsSync(kept)) writeFileSync(kept, await fetchContent(`${origin}${file}`))
  const content = readFileSync(kept)
  if (createHash('sha256').update(content).digest('hex') !== sha256) throw new Error(`${kept} has another digest.`)
  return content
}

/** Servers fail for moments; what they do not have, they will not have later. */
const fetchContent = async (url: string, attemptsLeft = 4): Promise<Buffer> => {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(60_000) })
    if (answer.ok) return Buffer.from(await answer.arrayBuffer())
    if (answer.status < 500) throw new UnavailableError(`${url} answered ${answer.status}.`)
    throw new Error(`${url} answered ${answer.status}.`)
  } catch (error) {
    if (attemptsLeft === 1 || error instanceof UnavailableError) throw error
    await setTimeout(2000)
    return fetchContent(url, attemptsLeft - 1)
  }
}
class UnavailableError extends Error {}
