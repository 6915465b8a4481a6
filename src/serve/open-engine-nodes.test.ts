import { expect, onTestFinished, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { createLocalMessages } from '../base/messages.ts'
import type { ListedNode } from '../nodes/node-lease.ts'
import { leaseTimes } from '../nodes/open-node-lease.ts'
import type { UpstreamEntry } from '../upstreams/upstream-entry.ts'
import { createClosers } from './closers.ts'
import { createNodeIdentity } from './create-node-identity.ts'
import { openEngineNodes } from './open-engine-nodes.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

const engineNode = (name: string, certificate: string): ListedNode => ({
  ...{ id: `node_${name}`, name, kind: 'engine', address: '', version: '1', certificate },
  ...{ startedAt: 0, seenMsAgo: 0, status: null, isOwn: false },
  engine: { url: `https://${name}.example`, slots: 1, isDraining: false, models: [] },
})

test('engine nodes that say that something changed are read at once, however many do', async () => {
  const clock = createManualClock()
  const closers = createClosers()
  onTestFinished(() => closers.closeAll())
  const messages = createLocalMessages()
  const { certPem } = createNodeIdentity()
  let listed: ListedNode[] = []
  let reads = 0
  const lists: string[][] = []
  const changed = Promise.withResolvers<void>()
  await openEngineNodes({
    node: {
      async list() {
        reads += 1
        return listed
      },
    },
    identity: createNodeIdentity(),
    messages: messages.join(),
    upstreams: {
      setNodes(entries: readonly UpstreamEntry[]) {
        lists.push(entries.map(({ setting }) => setting.name))
        changed.resolve()
      },
    },
    ...{ times: leaseTimes, clock, log: silent, closers },
  })
  expect(reads).toBe(1)
  listed = [engineNode('a', certPem)]
  const engine = messages.join()
  for (let count = 0; count < 100; count += 1) engine.publish('engines', [])
  await changed.promise
  expect(lists).toEqual([['engine:a']])
  expect(reads).toBeLessThanOrEqual(3)
})
