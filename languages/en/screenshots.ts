/** Who and what the screenshots show. The answer is the real one of helix-v1. */
export const words = {
  timeZone: 'Europe/London',
  person: 'alex@example.com',
  colleague: 'robin@example.com',
  keys: { report: 'Nightly report', staging: 'Staging', desk: 'Support desk' },
  question: 'What is the capital of Japan?',
  answer: 'Tokyo is the capital of Japan.',
} as const
