import type { Rule } from '../violation.ts'

/** The errors that this load may cause: the upstream broke, the stream cannot be resumed, the server is full. */
const expected = new Set(['upstream_failed', 'stream_not_resumable', 'queue_full', 'queue_timeout', 'shutting_down'])

/** Every call ends, and only with an expected outcome. */
export const expectedAnswers: Rule = ({ journals }) =>
  journals.calls.flatMap(({ call, how, status, code }) => {
    if (how === 'silent') return [{ rule: 'answers', detail: `call ${call} was never answered` }]
    if ((how !== 'refused' && how !== 'failed') || expected.has(code ?? '')) return []
    return [{ rule: 'answers', detail: `call ${call} was answered with status ${status}, code ${code}` }]
  })
