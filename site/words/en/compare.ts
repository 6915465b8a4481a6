export const compare = {
  title: 'Compare',
  lede: 'One prompt, up to four models or settings, side by side.',
  toPlayground: 'Back to the playground',
  side: (letter: string) => `Setting ${letter}`,
  prompt: 'Prompt',
  promptNeeded: 'Enter a prompt.',
  run: (count: number) => (count === 2 ? 'Run both' : `Run all ${count}`),
  add: 'Add column',
  remove: 'Remove',
  removeOf: (letter: string) => `Remove setting ${letter}`,
  column: 'Setting',
  total: 'Total',
  figures: 'Tokens and times of all settings',
  takenOver: (count: number) =>
    count === 1 ? 'The message before it is sent along.' : `The ${count} messages before it are sent along.`,
  before: 'The answer appears here.',
  wrong: 'Fix the highlighted field below. Nothing was sent.',
} as const
