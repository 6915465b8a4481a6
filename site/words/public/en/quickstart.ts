export const quickstart = {
  description: 'From an empty machine to the first streamed token: start Helix, get a key, call it.',
  lead: 'Three steps to the first token.',
  leadRest: 'The third one is your own code.',
  startTitle: 'Start the server',
  startText: 'You need Node 20 or newer and npm, on Linux. Nothing is compiled and no model is downloaded.',
  startAfter: 'The first start prints a line “Claim this server”. Open that link to make the owner’s account.',
  keyTitle: 'Get a key',
  keyText: 'Sign up, and the key is there: it is shown once. Keep it in the environment, not in the code.',
  keyLink: 'Sign up',
  callTitle: 'Call it',
  callText:
    'Any client of the OpenAI API works: set the base URL and the key. These lines are filled in with the address of this server.',
  streamTitle: 'What comes back',
  streamText:
    'With stream: true the answer comes as server-sent events, one for each token, and ends with [DONE]. Without it, as one JSON object.',
  nextTitle: 'Where to go on',
  nextPlayground: 'Try prompts and parameters in the playground',
  nextApi: 'Every field and every answer, in the API reference',
  nextErrors: 'What each error means and whether to retry',
  nextCompatibility: 'What is supported, field by field',
  modelTitle: 'The model',
  modelText:
    'helix-v1 is of demonstration size. It is fluent in English and Japanese and right on simple questions, and often wrong on open ones. To serve another model, start Helix with a GGUF file:',
} as const
