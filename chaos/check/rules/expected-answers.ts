import type { Rule } from '../violation.ts'

/** What a client of this load may be told: its upstream broke, its stream cannot go on, there is no room. */
const expected = new Set(['upstream_failed', 'stream_not_resumable', 'queue_full', 'queue_timeout', 'shutting_down'])

/** Every call ends, and with nothing but what may happen to it. */
export const expectedAnswers: Rule = ({ journals }) =>
  journals.calls.flatMap(({ call, how, status, code }) => {
    if (how === 'silent') return [{ rule: 'answers', detail: `call ${call} was never answered` }]
    if ((how !== 'refused' && how !== 'failed') || expected.has(code ?? '')) return []
    return [{ rule: 'answers', detail: `call ${call} was answered with status ${status}, code ${code}` }]
  })
