import { expect, test } from 'vitest'
import { firstCalls, preloadField } from './first-calls.ts'

const signedIn = { cookie: 'theme=dark; helix_signed_in=1' }

test('the document of a page announces what the page asks first', () => {
  const calls = ['/platform/session', '/platform/notices', '/platform/keys']
  expect(firstCalls('/keys', { url: '/keys', headers: signedIn })).toEqual(calls)
  expect(firstCalls('/keys', { url: '/keys', headers: { cookie: '__Host-helix_signed_in=1' } })).toEqual(calls)
  expect(preloadField(calls.slice(0, 1))).toBe('</platform/session>; rel=preload; as=fetch; crossorigin')
})

test('what depends on the rest of the address is not announced', () => {
  const calls = ['/platform/session', '/platform/notices']
  expect(firstCalls('/requests', { url: '/requests?outcome=failed', headers: signedIn })).toEqual(calls)
  expect(firstCalls('/keys/{key}', { url: '/keys/key_1', headers: signedIn })).toEqual(calls)
})

test('nothing is announced to strangers, whom the server would refuse', () => {
  for (const cookie of [undefined, 'helix_signed_in=0', 'not_helix_signed_in=1'])
    expect(firstCalls('/keys', { url: '/keys', headers: { cookie } })).toEqual([])
})

test('what the server refuses members is not announced either', () => {
  expect(firstCalls('/team', { url: '/team', headers: signedIn })).not.toContain('/platform/organisation/invitations')
})
