import type { lookup as systemLookup } from 'node:dns'
import { expect, test } from 'vitest'
import { createTargetGuard, TargetRefused } from './target-guard.ts'

const refusal = (guard: ReturnType<typeof createTargetGuard>, url: string): string | null => {
  try {
    guard.requirePermitted(new URL(url))
    return null
  } catch (error) {
    return error instanceof TargetRefused ? error.reason : String(error)
  }
}

const closed = [
  ...['127.0.0.1', '0.0.0.0', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '224.0.0.1'],
  ...['2130706433', '0x7f.1', '[::1]', '[::]', '[fe80::1]', '[fd00::1]', '[::ffff:10.0.0.1]', '[64:ff9b::7f00:1]'],
  ...['[2002:7f00:1::]', '[2001:db8::1]', '[ff02::1]', '255.255.255.255'],
  ...['168.63.129.16', '192.31.196.1', '192.52.193.1', '192.175.48.255', '[2620:4f:8000::1]'],
]

test.each(closed)('https://%s is not permitted, however it is written', (host) => {
  expect(refusal(createTargetGuard([]), `https://${host}/`)).toBe('address_not_allowed')
})

test('public addresses are permitted with HTTPS only, and those of networks that the operator opened in any way', () => {
  const guard = createTargetGuard(['10.0.0.0/8', 'fd00::/8'])
  expect(refusal(guard, 'https://8.8.8.8/')).toBeNull()
  expect(refusal(guard, 'https://[2606:4700::1]/')).toBeNull()
  // The neighbours of what is closed.
  for (const host of ['168.63.129.15', '168.63.129.17', '192.31.197.1', '192.175.49.0', '[2620:4f:8001::]'])
    expect(refusal(guard, `https://${host}/`)).toBeNull()
  expect(refusal(guard, 'http://8.8.8.8/')).toBe('insecure')
  expect(refusal(guard, 'http://10.9.9.9:8080/')).toBeNull()
  expect(refusal(guard, 'http://[fd00::1]/')).toBeNull()
  expect(refusal(guard, 'https://192.168.0.1/')).toBe('address_not_allowed')
  expect(refusal(guard, 'https://name.example/')).toBeNull()
})

/** What a name server would answer. */
const answering = (addresses: readonly string[]) => {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return ((_name: string, _options: object, callback: (error: null, found: unknown) => void) =>
    callback(null, found)) as unknown as typeof systemLookup
}

const lookUp = (url: string, addresses: readonly string[], all: boolean): Promise<unknown> =>
  new Promise((resolve) => {
    const target = new URL(url)
    createTargetGuard(['10.0.0.0/8'], answering(addresses)).lookup(target)(target.hostname, { all }, (error, found) =>
      resolve(error instanceof TargetRefused ? error.reason : found),
    )
  })

test('a name leads to its permitted addresses only, whatever its name server says', async () => {
  expect(await lookUp('https://a.example/', ['127.0.0.1'], true)).toBe('address_not_allowed')
  expect(await lookUp('https://a.example/', ['127.0.0.1', '8.8.8.8'], true)).toEqual([
    { address: '8.8.8.8', family: 4 },
  ])
  expect(await lookUp('https://a.example/', ['::1', '10.0.0.1'], false)).toBe('10.0.0.1')
  expect(await lookUp('http://a.example/', ['8.8.8.8'], true)).toBe('insecure')
  expect(await lookUp('http://a.example/', ['8.8.8.8', '10.0.0.1'], false)).toBe('10.0.0.1')
})
