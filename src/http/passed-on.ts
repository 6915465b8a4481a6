import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** The other end of the connection on which a request arrived, if it was passed on from another thread. */
export type Peer = { address: string; isEncrypted: boolean }

const addressHeader = 'x-helix-peer'
const encryptedHeader = 'x-helix-peer-encrypted'

/** They concern one connection only (RFC 9110 §7.6.1), or are set for each. */
const ofConnection = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
  ...[addressHeader, encryptedHeader],
])

/** Names and values in turn, as they arrived. */
export const headersToPass = (raw: readonly string[], left: (name: string) => boolean = () => false): string[] => {
  const passed: string[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = '', value = ''] = [raw[index], raw[index + 1]]
    const lower = name.toLowerCase()
    if (!ofConnection.has(lower) && !left(lower)) passed.push(name, value)
  }
  return passed
}

export const peerHeaders = ({ socket }: Pick<IncomingMessage, 'socket'>): string[] => [
  ...[addressHeader, socket.remoteAddress ?? ''],
  ...[encryptedHeader, 'encrypted' in socket ? '1' : '0'],
]

/** Sound on a socket that only the threads of this process write to: they drop these headers from what they pass on. */
export const readPeer = (headers: IncomingHttpHeaders): Peer => {
  const { [addressHeader]: address, [encryptedHeader]: encrypted } = headers
  return { address: typeof address === 'string' ? address : '', isEncrypted: encrypted === '1' }
}
