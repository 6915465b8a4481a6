import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { packFiles } from '../site/build/pack-files.ts'
import { commit, version } from '../src/base/version.ts'
import { sumsName } from '../src/cli/verify-release.ts'
import { findBuild } from '../src/site-server/build-folders.ts'
import { digestSources } from '../src/site-server/source-digest.ts'
import { buildSite } from './build/build-site.ts'
import { macPlatforms, platforms } from './release/platforms.ts'
import { requireClean } from './release/require-clean.ts'
import { runCommand } from './release/run-command.ts'
import { signSums } from './release/sign-sums.ts'
import { writePlatform } from './release/write-platform.ts'

/**
 * Writes the archives of a release and their digests to `release/`, signed if the environment has `RELEASE_SIGNING_KEY`. Two
 * runs on one commit write the same bytes.
 */
const { values } = parseArgs({
  options: { platform: { type: 'string', multiple: true }, target: { type: 'string', default: 'release' } },
})
const root = fileURLToPath(new URL('../', import.meta.url))
const target = join(root, values.target)
const cache = join(root, 'node_modules/.cache/release')
/** What a release is made from. Other files may be anything. */
const released = [
  'src',
  'languages',
  'site',
  'models',
  'scripts',
  'docs',
  'deploy',
  'helix',
  '*.json',
  '*.md',
  'LICENSE',
  '.npmrc',
]
const wanted = [...platforms, ...macPlatforms].filter(({ name }) => values.platform?.includes(name) ?? true)

// Archives name the commit and have its time: they must contain nothing else.
requireClean(await runCommand('git', ['status', '--porcelain', '--untracked-files=all', '--', ...released], root))
await buildSite(root)
const site = findBuild(root, await digestSources(root))
if (site === null) throw new Error('The site was not built.')
const modifiedAt = Number(await runCommand('git', ['log', '-1', '--format=%ct'], root))
rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
// The build compresses quickly, because somebody may wait for it. A release is built once and read by many.
const packed = join(target, '.site', basename(site))
cpSync(site, packed, { recursive: true })
await packFiles(join(packed, 'files'), 'highest')
const sums = new Map<string, string>()
const common = wanted.find(({ os }) => os === 'linux')
for (const platform of wanted) {
  const scratch = join(target, '.staged')
  const places = { root, site: packed, target, scratch, cache, withCommonPackages: platform === common }
  for (const [file, sum] of await writePlatform({ ...places, version, commit, modifiedAt, platform })) {
    sums.set(file, sum)
    console.log(`${values.target}/${file}`)
  }
}
rmSync(dirname(packed), { recursive: true })
const lines = [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([file, sum]) => `${sum}  ${file}\n`)
writeFileSync(join(target, sumsName), lines.join(''))
const key = process.env.RELEASE_SIGNING_KEY
if (key === undefined) console.log('Not signed: RELEASE_SIGNING_KEY is not set.')
else signSums(target, key)
