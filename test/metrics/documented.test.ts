import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../harness/run-program.ts'
import { startHelix } from '../harness/start-helix.ts'

/** Those that this server has no reason to serve. */
const absent = [
  'helix_certificate_expiry_timestamp_seconds',
  'helix_organisation_cost',
  'helix_organisation_requests',
  'helix_organisation_tokens',
  'helix_worker_busy_ratio',
  'helix_worker_deaths',
  'helix_worker_eventloop_lag_max_seconds',
  'helix_worker_external_memory_bytes',
  'helix_worker_heap_size_used_bytes',
  'helix_workers',
]

test('docs/operate/metrics.md has every metric, and no other', async () => {
  const helix = await startHelix({ config: { metricsPort: 0, tracesEndpoint: 'http://127.0.0.1:1/v1/traces' } })
  const { port } = await helix.logged({ event: 'metrics_listening' })
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const served = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
  const rows = readFileSync(join(repository, 'docs/operate/metrics.md'), 'utf8').match(/^\| `.*$/gm) ?? []
  const named = rows.flatMap((row) =>
    [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )
  const families = named.map((name) => name.replace(/_(total|info)$/, ''))
  expect(families.toSorted()).toEqual([...served, ...absent].toSorted())
})
