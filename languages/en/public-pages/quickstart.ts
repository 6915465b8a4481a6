export const quickstart = {
  description: 'From an empty machine to the first streamed token: start Helix, get a key, call it.',
  lead: 'Three steps to the first token.',
  leadRest: 'The third is your own code.',
  startTitle: 'Start the server',
  startText:
    'To start one of your own, you need Linux, Node 20 or newer, and npm. Nothing is compiled and no model is downloaded. In the folder of Helix:',
  startAfter: 'The first start prints a “Claim this server” line. Open that link to create the owner’s account.',
  startedText: 'This page comes from a running server. To use it, go on with the next step.',
  keyTitle: 'Get a key',
  keyText: 'Sign up to get a key. It is shown once. Store it in an environment variable, not in your code.',
  keyLink: 'Sign up',
  memberKeyText: 'A key is shown once. Store it in an environment variable, not in your code.',
  memberKeyLink: 'Create a key',
  callTitle: 'Call the API',
  callText:
    'Any OpenAI API client works: set the base URL and the key. The samples below contain this server’s address.',
  installText: 'curl is enough to try it. For a program, add the official client of your language first:',
  streamTitle: 'What you get back',
  streamText:
    'With `stream: true` the answer arrives as server-sent events while it is generated, ending with `[DONE]`. Without it, you get one JSON object, and `choices[0].message.content` is the answer.',
  nextTitle: 'Next steps',
  nextMigration: 'Move code that was written for OpenAI or Anthropic',
  nextPlayground: 'Try prompts and parameters in the playground',
  nextApi: 'Look up every field and response in the API reference',
  nextErrors: 'See what each error means and whether to retry',
  nextTroubleshooting: 'Find out why a request fails',
  nextCompatibility: 'See what is supported, field by field',
  nextPrograms: 'Give this documentation to an agent: llms.txt lists every page as Markdown',
  modelTitle: 'The model',
  modelText:
    'helix-v1 is small: of 320 everyday questions in English and Japanese it answered 234 right, so about one in four is wrong. For real work, serve a larger one. This starts Helix with a GGUF file:',
} as const
