import { setTimeout } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { type RedisServer, startRedis } from './start-redis.ts'

export type RedisCluster = AsyncDisposable & {
  /** The addresses of all nodes, as in the setting. */
  urls: string
  /** The node that has the slot of this key. */
  ownerOf(key: string): Promise<string>
  /** Moves the slot of this key to another node, key by key, as an operator does. */
  moveSlotOf(key: string): Promise<void>
  close(): Promise<void>
}

const slotCount = 16_384

/** A Redis cluster of three nodes, each with a third of the slots. */
export const startRedisCluster = async (program: string): Promise<RedisCluster> => {
  const servers = await Promise.all([0, 1, 2].map(() => startRedis(program, { cluster: 'empty' })))
  const clients = await Promise.all(servers.map(connectTo))
  const all = <Result>(act: (node: Node, index: number) => Promise<Result>) => Promise.all(clients.map(act))
  await all(({ call }, index) => call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1)))
  await all(({ call }, index) => call('CLUSTER', 'ADDSLOTSRANGE', ...thirdOf(index)))
  const [first] = servers
  if (first === undefined) throw new Error('there are three')
  const address = ['127.0.0.1', new URL(first.url).port, String(first.busPort)]
  await all(({ call }, index) => (index === 0 ? Promise.resolve() : call('CLUSTER', 'MEET', ...address)))
  await all(untilComplete)

  const nodeOf = async (slot: string): Promise<{ owner: Node; other: Node }> => {
    const owners = await all(async (node) => ({ node, lines: String(await node.call('CLUSTER', 'NODES')) }))
    const owner = owners.find(({ lines }) => hasSlot(lines, Number(slot)))?.node
    const other = clients.find((node) => node !== owner)
    if (owner === undefined || other === undefined) throw new Error('a node has the slot')
    return { owner, other }
  }
  const slotOf = async (key: string): Promise<string> => String(await clients[0]?.call('CLUSTER', 'KEYSLOT', key))
  const close = async (): Promise<void> => {
    for (const { disconnect } of clients) disconnect()
    await Promise.all(servers.map((server) => server.close()))
  }

  return {
    urls: servers.map(({ url }) => url).join(','),
    ownerOf: async (key) => (await nodeOf(await slotOf(key))).owner.url,
    async moveSlotOf(key) {
      const slot = await slotOf(key)
      const { owner, other } = await nodeOf(slot)
      await other.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', await owner.id())
      await owner.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', await other.id())
      const to = ['127.0.0.1', new URL(other.url).port]
      for (;;) {
        const keys = await owner.call('CLUSTER', 'GETKEYSINSLOT', slot, '100')
        if (!Array.isArray(keys) || keys.length === 0) break
        await owner.call('MIGRATE', ...to, '', '0', '30000', 'REPLACE', 'KEYS', ...keys.map(String))
      }
      const id = await other.id()
      for (const { call } of [other, owner, ...clients]) await call('CLUSTER', 'SETSLOT', slot, 'NODE', id)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

type Node = Awaited<ReturnType<typeof connectTo>>

const connectTo = async ({ url }: RedisServer) => {
  const client = createClient({ url })
  await client.connect()
  const call = (...command: string[]): Promise<unknown> => client.sendCommand(command)
  return { url, call, id: async () => String(await call('CLUSTER', 'MYID')), disconnect: () => client.destroy() }
}

const thirdOf = (index: number): [from: string, to: string] => {
  const from = Math.floor((index * slotCount) / 3)
  return [String(from), String(Math.floor(((index + 1) * slotCount) / 3) - 1)]
}

/** Until the node knows the owner of every slot. */
const untilComplete = async ({ call }: Node): Promise<void> => {
  const isComplete = (info: string): boolean => /cluster_state:ok/.test(info) && /cluster_size:3/.test(info)
  while (!isComplete(String(await call('CLUSTER', 'INFO')))) await setTimeout(20)
}

/** Whether the node that wrote these lines says that it has the slot. */
const hasSlot = (lines: string, slot: number): boolean => {
  const own = lines.split('\n').find((line) => line.includes('myself')) ?? ''
  const ranges = own.split(' ').slice(8)
  return ranges.some((range) => {
    const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? []
    return from !== undefined && slot >= Number(from) && slot <= Number(to)
  })
}
