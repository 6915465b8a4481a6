import { createNetworkList, type NetworkList } from '../base/ip-network.ts'
import type { KeyRecord } from '../store/contract.ts'

/** Parsed once per record: the verifier returns the same record for a second. */
const lists = new WeakMap<KeyRecord, NetworkList>()

/** For the socket in the data directory, which only this machine can reach. */
const localAddress = '127.0.0.1'

/** Whether the key may be used from there. `clientAddress` is an IP address, or `local` on the Unix socket. */
export const isAllowedFrom = (key: KeyRecord, clientAddress: string): boolean => {
  if (key.networks === null) return true
  const list = lists.get(key) ?? createNetworkList(key.networks)
  lists.set(key, list)
  return list.has(clientAddress === 'local' ? localAddress : clientAddress)
}
