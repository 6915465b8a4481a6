import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import { findAnyBuild, findBuild } from './build-folders.ts'
import { type BuiltSite, readBuiltSite } from './built-site.ts'
import { createHeldRequests, type HeldRequests } from './held-requests.ts'
import { BuildFailed, runBuild } from './run-build.ts'
import { digestSources } from './source-digest.ts'

/**
 * The platform site: finds the built files, or builds them in the background, and serves them. The API never
 * waits for it.
 */
export interface Site extends Pick<HeldRequests, 'hold'> {
  readonly state: SiteState
  /** Settles once the files are ready, or it is clear that there will be none. */
  readonly settled: Promise<void>
  /** Stops a build, and ends requests that wait for it. Pages that are there are still served. */
  close(): Promise<void>
}

export type SiteState =
  | { kind: 'ready'; site: BuiltSite }
  /** `site` has the pages that are there already. `files` counts what was read and written. */
  | { kind: 'building'; site: BuiltSite | null; files: number }
  /** `failure` is what the build said; null: there was none. */
  | { kind: 'absent'; site: BuiltSite | null; failure: string | null }

type SiteOptions = { log: Log; clock: Clock; root?: string; sourceUrl?: string | null }

const ownRoot = fileURLToPath(new URL('../../', import.meta.url))

export const openSite = ({ log, clock, root = ownRoot, sourceUrl = null }: SiteOptions): Site => {
  const stop = new AbortController()
  const held = createHeldRequests(clock)
  let state: SiteState = { kind: 'building', site: null, files: 0 }
  const become = (next: SiteState): void => {
    state = next
    held.release()
  }
  const preparation = { root, log, held, signal: stop.signal, sourceUrl, getState: () => state, become }
  const settled = prepare(preparation).catch((error: unknown) => {
    if (stop.signal.aborted) return
    log.error('site_not_built', {
      cause: errorText(error),
      next: 'The API is available. Correct the error and start again. `npm run build` shows it too.',
    })
    // Better the pages of the previous build than none.
    if (state.kind !== 'ready') become({ kind: 'absent', site: state.site, failure: failureText(error, root) })
  })
  return {
    get state() {
      return state
    },
    settled,
    hold: held.hold,
    async close() {
      stop.abort()
      held.close()
      await settled
    },
  }
}

/** For servers without pages: most tests, and programs that embed only the API. */
export const noSite: Site = {
  state: { kind: 'absent', site: null, failure: null },
  settled: Promise.resolve(),
  hold: async () => false,
  close: async () => {},
}

type Preparation = {
  root: string
  log: Log
  held: HeldRequests
  signal: AbortSignal
  sourceUrl: string | null
  getState(): SiteState
  become(state: SiteState): void
}

const prepare = async (preparation: Preparation): Promise<void> => {
  const { root, log, sourceUrl, become } = preparation
  if (!hasSources(root)) return become(await openRelease(preparation))
  const older = await findAnyBuild(root)
  // Somebody waits for the first build, so it does not wait for the digest.
  if (older === null && canBuild(root)) return build(preparation, () => digestSources(root))
  const digest = await digestSources(root)
  const built = findBuild(root, digest)
  if (built !== null) return become({ kind: 'ready', site: await readBuiltSite(built, { sourceUrl }) })
  if (!canBuild(root)) {
    const fields = { reason: 'Vite is not installed', next: 'Run `npm ci` and start again to build it.' }
    if (older === null) log.warn('site_not_built', fields)
    else log.warn('site_older_than_sources', fields)
    if (older === null) return become({ kind: 'absent', site: null, failure: null })
    return become({ kind: 'ready', site: await readBuiltSite(older, { sourceUrl }) })
  }
  // Meanwhile visitors get the previous build, unless another server has just deleted it.
  const meanwhile = older === null ? null : await readBuiltSite(older, { sourceUrl }).catch(() => null)
  if (meanwhile !== null) become({ kind: 'ready', site: meanwhile })
  await build(preparation, async () => digest)
}

const build = async (preparation: Preparation, digest: () => Promise<string>): Promise<void> => {
  const { root, log, held, signal, sourceUrl, getState, become } = preparation
  signal.throwIfAborted()
  log.info('site_building')
  const startedMs = performance.now()
  const folder = await runBuild(root, digest, signal, {
    isAwaited: getState().kind === 'building',
    onFiles(files) {
      const state = getState()
      // Nothing that a held request waits for.
      if (state.kind === 'building') state.files = files
    },
    async onPages(draft) {
      // If it cannot be read, pages are there when the build is complete.
      const site = await readBuiltSite(draft, { sourceUrl, isDraft: true }).catch(() => null)
      const state = getState()
      if (state.kind === 'building') become({ ...state, site })
    },
  })
  become({ kind: 'ready', site: await readBuiltSite(folder, { sourceUrl }) })
  log.info('site_built', { durationMs: Math.round(performance.now() - startedMs), heldRequests: held.count })
}

/** A release has no sources: its pages were built with the server. */
const hasSources = (root: string): boolean => existsSync(`${root}/site`)

const openRelease = async ({ root, log, sourceUrl }: Preparation): Promise<SiteState> => {
  const built = await findAnyBuild(root)
  if (built !== null) return { kind: 'ready', site: await readBuiltSite(built, { sourceUrl }) }
  log.warn('site_not_built', { reason: 'this installation has no pages', next: 'Install a complete release.' })
  return { kind: 'absent', site: null, failure: null }
}

const canBuild = (root: string): boolean => existsSync(`${root}/node_modules/vite/package.json`)

/** For the page that says it: without the places in the code, and the folder of the installation is nobody's business. */
const failureText = (error: unknown, root: string): string => {
  const text = error instanceof BuildFailed ? error.said : String(error)
  return text
    .replaceAll(root.replace(/\/$/, ''), '.')
    .split('\n')
    .filter((line) => !/^\s+(at |\d+: |\^)|^node:internal|triggerUncaughtException|^Node\.js v/.test(line))
    .join('\n')
    .trim()
}
