export const compare = {
  title: 'Compare',
  lede: 'One prompt, two settings, side by side.',
  toPlayground: 'Back to the playground',
  side: (letter: string) => `Setting ${letter}`,
  prompt: 'Prompt',
  promptNeeded: 'Type a prompt.',
  run: 'Ask both',
  stop: 'Stop',
  before: 'The answer appears here.',
  wrong: 'A field below needs your attention. Nothing was sent.',
} as const
