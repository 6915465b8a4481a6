export const welcome = {
  head: 'This is your key. It is shown once.',
  secretLabel: 'API key',
  note: (lastFour: string) =>
    `Helix stores only a hash and can’t show the key again. In lists, you can recognise it by its last four characters, ${lastFour}.`,
  codeHead: 'Call it from your code',
  codeLabel: 'Language',
  environment: 'Environment',
  codeNote: 'The copied code contains the full key.',
  liveHead: 'See it answer',
  run: 'Run it here',
  runAgain: 'Run again',
  question: 'What is the capital of Japan?',
  before: 'The answer appears here, token by token.',
  notCopied: 'The key has not been copied yet.',
  copied: 'Key copied. Keep it somewhere safe.',
  goOn: 'Go to the console',
  goneHead: 'The key was shown once.',
  goneText:
    'It can’t be shown again: the server stores only a hash. If you copied it, it works. Otherwise create a new one here and revoke the old one under Keys.',
  createAnother: 'Create a new key',
  anotherName: 'New key',
} as const
