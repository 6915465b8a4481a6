import { expect, test } from 'vitest'
import { describeFault, faultOfStatus } from './upstream-fault.ts'

const url = new URL('https://gpu.example:8443/v1/models')

test.each([
  ['ENOTFOUND', 'dns', 'The name gpu.example cannot be resolved (ENOTFOUND).'],
  ['EAI_AGAIN', 'dns', 'The name gpu.example cannot be resolved (EAI_AGAIN).'],
  ['ECONNREFUSED', 'refused', 'gpu.example:8443 refuses connections. Is the server running?'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls', 'The TLS connection to gpu.example:8443 failed: it broke.'],
  ['EPROTO', 'tls', 'The TLS connection to gpu.example:8443 failed: it broke.'],
  ['EHOSTUNREACH', 'unreachable', 'gpu.example:8443 cannot be reached: it broke.'],
])('%s is named as %s', (code, fault, reason) => {
  expect(describeFault(Object.assign(new Error('it broke\nin detail'), { code }), url)).toEqual({ fault, reason })
})

test('a server without TLS is told from one whose certificate is wrong', () => {
  const message =
    'write EPROTO 404D:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:x.c:77:'
  expect(describeFault(Object.assign(new Error(message), { code: 'EPROTO' }), url)).toEqual({
    fault: 'tls',
    reason: 'gpu.example:8443 does not answer with TLS. Should its URL begin with http://?',
  })
})

test.each([
  [200, null],
  [302, 'redirect'],
  [401, 'key_refused'],
  [403, 'key_refused'],
  [404, 'not_an_api'],
  [500, 'status'],
])('the status %i means %s', (status, fault) => {
  expect(faultOfStatus(status, url.href)?.fault ?? null).toBe(fault)
})
