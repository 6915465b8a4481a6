import { describe, expect, test } from 'vitest'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { modelName } from '../harness/start-helix.ts'

describe.skipIf(!hasCluster)('the answer cache of a cluster, in Redis', () => {
  test('an answer of one node is sent again by another', async () => {
    const config = { cacheModels: [modelName], cacheStore: 'redis' } as const
    const { node } = await startCluster({ nodes: 2, config })
    const ask = async (number: number) => {
      const response = await node(number).chat({ temperature: 0 }, { headers: node(1).authorized })
      await response.text()
      return response.headers.get('x-helix-cache')
    }
    expect(await ask(1)).toBe('miss')
    // It is stored a moment after it was sent; the first node asks until it is there.
    while ((await ask(1)) === 'miss');
    expect(await ask(2)).toBe('hit')
  })
})
