import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { errorText, type Log } from '../base/log.ts'
import { findAnyBuild, findBuild } from './build-folders.ts'
import { type BuiltSite, readBuiltSite } from './built-site.ts'
import { runBuild } from './run-build.ts'
import { digestSources } from './source-digest.ts'

/**
 * The platform site: finds the built files, or builds them in the background, and serves them. The API never
 * waits for it.
 */
export interface Site {
  readonly state: SiteState
  /** Settles once the files are ready, or it is clear that there will be none. */
  readonly settled: Promise<void>
  close(): Promise<void>
}

type SiteState = { kind: 'ready'; site: BuiltSite } | { kind: 'building' } | { kind: 'absent' }

type SiteOptions = { log: Log; root?: string; sourceUrl?: string | null }

const ownRoot = fileURLToPath(new URL('../../', import.meta.url))

export const openSite = ({ log, root = ownRoot, sourceUrl = null }: SiteOptions): Site => {
  const read = (folder: string): Promise<BuiltSite> => readBuiltSite(folder, sourceUrl)
  const stop = new AbortController()
  let state: SiteState = { kind: 'building' }
  const become = (next: SiteState): void => {
    state = next
  }
  const settled = prepare({ root, log, signal: stop.signal, read, become }).catch((error: unknown) => {
    if (stop.signal.aborted) return
    log.error('site_not_built', {
      cause: errorText(error),
      next: 'The API is available. Run `npm run build` to see the error.',
    })
    // Better the pages of the previous build than none.
    if (state.kind !== 'ready') become({ kind: 'absent' })
  })
  return {
    get state() {
      return state
    },
    settled,
    async close() {
      stop.abort()
      await settled
    },
  }
}

/** For servers without pages: most tests, and programs that embed only the API. */
export const noSite: Site = { state: { kind: 'absent' }, settled: Promise.resolve(), close: async () => {} }

type Preparation = {
  root: string
  log: Log
  signal: AbortSignal
  read(folder: string): Promise<BuiltSite>
  become(state: SiteState): void
}

const prepare = async (preparation: Preparation): Promise<void> => {
  const { root, log, signal, read, become } = preparation
  if (!hasSources(root)) return become(await openRelease(preparation))
  const digest = await digestSources(root)
  const built = findBuild(root, digest)
  if (built !== null) return become({ kind: 'ready', site: await read(built) })
  const older = await findAnyBuild(root)
  if (!canBuild(root)) {
    const fields = { reason: 'Vite is not installed', next: 'Run `npm ci` and start again to build it.' }
    if (older === null) log.warn('site_not_built', fields)
    else log.warn('site_older_than_sources', fields)
    return become(older === null ? { kind: 'absent' } : { kind: 'ready', site: await read(older) })
  }
  // Meanwhile visitors get the previous build, unless another server has just deleted it.
  const meanwhile = older === null ? null : await read(older).catch(() => null)
  if (meanwhile !== null) become({ kind: 'ready', site: meanwhile })
  signal.throwIfAborted()
  log.info('site_building')
  const startedMs = performance.now()
  const folder = await runBuild(root, digest, signal)
  become({ kind: 'ready', site: await read(folder) })
  log.info('site_built', { durationMs: Math.round(performance.now() - startedMs) })
}

/** A release has no sources: its pages were built with the server. */
const hasSources = (root: string): boolean => existsSync(`${root}/site`)

const openRelease = async ({ root, log, read }: Preparation): Promise<SiteState> => {
  const built = await findAnyBuild(root)
  if (built !== null) return { kind: 'ready', site: await read(built) }
  log.warn('site_not_built', { reason: 'this installation has no pages', next: 'Install a complete release.' })
  return { kind: 'absent' }
}

const canBuild = (root: string): boolean => existsSync(`${root}/node_modules/vite/package.json`)
