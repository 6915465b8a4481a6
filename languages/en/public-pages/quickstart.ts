export const quickstart = {
  description: 'From an empty machine to the first streamed token: start Helix, get a key, call it.',
  lead: 'Three steps to the first token.',
  leadRest: 'The third is your own code.',
  startTitle: 'Start the server',
  startText: 'You need Node 20 or newer and npm, on Linux. Nothing is compiled and no model is downloaded.',
  startAfter: 'The first start prints a “Claim this server” line. Open that link to create the owner’s account.',
  startedText: 'You are signed in, so this server is running: go on with the next step.',
  keyTitle: 'Get a key',
  keyText: 'Sign up to get a key. It is shown once. Store it in an environment variable, not in your code.',
  keyLink: 'Sign up',
  memberKeyText: 'A key is shown once. Store it in an environment variable, not in your code.',
  memberKeyLink: 'Create a key',
  callTitle: 'Call the API',
  callText:
    'Any OpenAI API client works: set the base URL and the key. The samples below contain this server’s address.',
  streamTitle: 'What you get back',
  streamText:
    'With stream: true the answer arrives as server-sent events, one per token, ending with [DONE]. Without it, you get one JSON object.',
  nextTitle: 'Next steps',
  nextPlayground: 'Try prompts and parameters in the playground',
  nextApi: 'Look up every field and response in the API reference',
  nextErrors: 'See what each error means and whether to retry',
  nextCompatibility: 'See what is supported, field by field',
  modelTitle: 'The model',
  modelText:
    'helix-v1 is a demonstration-sized model. It is fluent in English and Japanese and answers simple questions correctly, but is often wrong on open ones. To serve another model, start Helix with a GGUF file:',
} as const
