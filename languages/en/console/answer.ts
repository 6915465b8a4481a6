/** Words around a streaming answer. */
export const answer = {
  request: 'Request',
  waiting: 'Waiting for the first token',
  stopped: 'Stopped.',
  failedTitle: 'No answer was received.',
  brokenTitle: 'The answer broke off.',
  speed: 'Speed',
  tokens: 'Tokens',
  copy: 'Copy the answer',
  showRaw: 'Show raw text',
  showFormatted: 'Show formatted',
  code: 'Code',
  table: 'Table',
  image: (description: string) => (description === '' ? 'Image' : `Image: ${description}`),
  taskDone: 'Done',
  taskOpen: 'Not done',
  strip: (count: number) => (count === 1 ? 'Timing of the answer: 1 token' : `Timing of the answer: ${count} tokens`),
} as const
