import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { identifyWeights } from '../src/engine/identify-weights.ts'

/** Writes `last-release.json` for a commit, by default the current one: its version, the defaults of its settings, and which weights its models have. */
const { positionals } = parseArgs({ allowPositionals: true })
const root = fileURLToPath(new URL('../', import.meta.url))
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' })

const commit = git('rev-parse', positionals[0] ?? 'HEAD').trim()
const { version }: { version: string } = JSON.parse(git('show', `${commit}:package.json`))
const rows = git('show', `${commit}:docs/config.md`).matchAll(/^\| `(\w+)` \|[^|]+\|[^|]+\|[^|]+\| ([^|]+) \|/gm)
const settings = Object.fromEntries([...rows].map(([, name = '', fallback = '']) => [name, fallback]))
const models: Record<string, string> = {}
for (const folder of git('ls-tree', '--name-only', '-d', commit, 'models/').split('\n').filter(Boolean)) {
  const manifest: { files: { name: string; sha256: string }[] } = JSON.parse(
    git('show', `${commit}:${folder}/model.json`),
  )
  models[basename(folder)] = await identifyWeights(manifest.files.map(({ name, sha256 }) => ({ path: name, sha256 })))
}
writeFileSync(`${root}last-release.json`, `${JSON.stringify({ version, commit, settings, models }, null, 2)}\n`)
