import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../harness/run-program.ts'

const read = (path: string): string => readFileSync(join(repository, path), 'utf8')
const documented = new Set(
  [...read('docs/operate/metrics.md').matchAll(/`((?:helix|gen_ai|process|nodejs)_[a-z0-9_]+)`/g)].map(
    ([, name]) => name,
  ),
)
const queries = [
  ...[...read('deploy/prometheus/helix.rules.yml').matchAll(/expr: (?:\|\n)?((?:.|\n {10})+)/g)].map(
    ([, text = '']) => text,
  ),
  ...globSync('deploy/grafana/*.json', { cwd: repository }).flatMap((path) =>
    [...read(path).matchAll(/"expr": "(.+)"/g)].map(([, text = '']) => text),
  ),
]

test('alerts and dashboards ask only for metrics that exist', () => {
  const asked = queries.flatMap((query) => query.match(/\b(?:helix|gen_ai_server|process|nodejs)_[a-z0-9_]+/g) ?? [])
  expect(asked.length).toBeGreaterThan(30)
  const known = (name: string): boolean =>
    documented.has(name) || documented.has(name.replace(/_(?:bucket|sum|count)$/, ''))
  expect(asked.filter((name) => !known(name))).toEqual([])
})

test('every alert says what to do', () => {
  const rules = read('deploy/prometheus/helix.rules.yml')
  const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
  const sections = [...read('docs/operate/alerts.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
  expect(sections).toEqual(alerts)
  for (const alert of alerts) expect(rules).toContain(`runbook_url: docs/operate/alerts.md#${alert.toLowerCase()}`)
})
