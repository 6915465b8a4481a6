/** Words around a streaming answer. */
export const answer = {
  request: 'Request',
  waiting: 'Waiting for the first token',
  stopped: 'Stopped.',
  failedTitle: 'No answer was received.',
  brokenTitle: 'The answer broke off.',
  speed: 'Speed',
  tokens: 'Tokens',
  ms: (count: number) => (count < 1000 ? `${count} ms` : `${(count / 1000).toFixed(2)} s`),
  strip: (count: number) => (count === 1 ? 'Timing of the answer: 1 token' : `Timing of the answer: ${count} tokens`),
} as const
