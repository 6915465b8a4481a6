const groups = {
  '/docs/api/chat-completions': {
    title: 'Chat completions',
    lead: 'A conversation goes in, the next message comes back.',
    description: 'Creates answers to conversations, and reads, changes and deletes the stored ones.',
  },
  '/docs/api/responses': {
    title: 'Responses',
    lead: 'Items go in, items come back, and the server can keep the conversation.',
    description: 'Creates responses from text or items, continues stored ones and counts input tokens.',
  },
  '/docs/api/messages': {
    title: 'Messages',
    lead: 'Conversations in the form of Anthropic’s API.',
    description: 'Creates messages in the format of Anthropic’s API and counts the tokens of their prompts.',
  },
  '/docs/api/completions': {
    title: 'Completions',
    lead: 'Continues a text as it stands, without a chat template.',
    description: 'Continues a text without a chat template, as JSON or as a stream.',
  },
  '/docs/api/embeddings': {
    title: 'Embeddings',
    lead: 'A vector for each text, to compare texts by their meaning.',
    description: 'Turns texts into vectors that can be compared and searched.',
  },
  '/docs/api/rerank': {
    title: 'Rerank and score',
    lead: 'Sorts documents by how well they answer a query.',
    description: 'Sorts documents by their relevance to a query, and scores pairs of texts.',
  },
  '/docs/api/models': {
    title: 'Models',
    lead: 'The models that a key can use.',
    description: 'Lists the models of this server with their context length, abilities and prices.',
  },
  '/docs/api/tokens': {
    title: 'Tokens',
    lead: 'Counts and converts tokens without generating anything.',
    description: 'Turns text into tokens and back, and describes the tokenizer of a model.',
  },
  '/docs/api/keys': {
    title: 'Keys',
    lead: 'Creates, limits, rotates and revokes API keys.',
    description: 'Reads the key of a request, and manages the keys of an organisation with a management key.',
  },
  '/docs/api/usage': {
    title: 'Usage',
    lead: 'What an organisation used, by day, key or model.',
    description: 'Requests, tokens and costs of an organisation over time.',
  },
  '/docs/api/other': {
    title: 'Other endpoints',
    lead: 'Endpoints that belong to no other group.',
    description: 'Moderations, which are refused with a reason, and the OpenAPI document of this server.',
  },
} as const

const parameters: Readonly<Record<string, string>> = {
  completion: 'The ID of a stored chat completion.',
  response: 'The ID of a stored response.',
  model: 'The name of a model, or one of its other names.',
  key: 'The ID of an API key.',
}

export const reference = {
  overview: 'Overview',
  groups,
  otherAnswer: 'Response in the form of Anthropic’s API',
  samples: (call: string) => `Samples: ${call}`,
  pathParameter: (name: string) => parameters[name] ?? '',
} as const
