import { expect, test } from 'vitest'
import { defaultWorkers } from '../../config/default-workers.ts'
import { loadConfig } from '../../config/load-config.ts'
import { decideWorkers } from './decide-workers.ts'

const defaults = loadConfig({ flags: {}, environment: {}, configFile: null })
const upstream = { tls: null }
const engineNode = { tls: {} }

/** On four cores. */
const decide = (listed: { tls: object | null }[], workers: number | null = null, platform: NodeJS.Platform = 'linux') =>
  decideWorkers(
    { config: { ...defaults, workers }, defaultWorkers: (hasUpstreams) => defaultWorkers(hasUpstreams, 4) },
    { list: () => listed },
    platform,
  )

test('engine nodes do not count as upstreams: the main thread calls them', () => {
  expect([decide([]), decide([engineNode]), decide([engineNode, upstream])]).toEqual([1, 1, 3])
})

test('the setting counts more than the upstreams', () => {
  expect([decide([], 2), decide([upstream], 1)]).toEqual([2, 1])
})

test('there is one worker where threads cannot share a port, whatever the setting says', () => {
  expect([decide([upstream], null, 'darwin'), decide([upstream], 4, 'darwin')]).toEqual([1, 1])
  expect(decide([upstream], 4, 'freebsd')).toBe(4)
})
