/** Who and what the screenshots show. The answers are real ones of helix-v1. */
export const words = {
  timeZone: 'Europe/London',
  person: 'alex@example.com',
  colleague: 'robin@example.com',
  keys: { report: 'Nightly report', staging: 'Staging', desk: 'Support desk' },
  question: 'What is the capital of Japan?',
  answer: 'Tokyo is the capital of Japan.',
  /** What the playground is asked after that. */
  further: [
    {
      question: 'Write a Python function that adds two numbers.',
      answer: '```python\ndef add(a, b):\n    return a + b\n```\nFor example, add(2, 3) returns 5.',
    },
  ],
} as const
