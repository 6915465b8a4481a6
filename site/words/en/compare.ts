export const compare = {
  title: 'Compare',
  lede: 'One prompt, two settings, side by side.',
  toPlayground: 'Back to the playground',
  side: (letter: string) => `Setting ${letter}`,
  prompt: 'Prompt',
  promptNeeded: 'Enter a prompt.',
  run: 'Run both',
  before: 'The answer appears here.',
  wrong: 'Fix the highlighted field below. Nothing was sent.',
} as const
