import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** Writes `last-release.json` for a commit, by default the current one: its version, and the defaults of its settings. */
const { positionals } = parseArgs({ allowPositionals: true })
const root = fileURLToPath(new URL('../', import.meta.url))
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' })

const commit = git('rev-parse', positionals[0] ?? 'HEAD').trim()
const { version }: { version: string } = JSON.parse(git('show', `${commit}:package.json`))
const rows = git('show', `${commit}:docs/config.md`).matchAll(/^\| `(\w+)` \|[^|]+\|[^|]+\|[^|]+\| ([^|]+) \|/gm)
const settings = Object.fromEntries([...rows].map(([, name = '', fallback = '']) => [name, fallback]))
writeFileSync(`${root}last-release.json`, `${JSON.stringify({ version, commit, settings }, null, 2)}\n`)
