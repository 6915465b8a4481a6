export const migration = {
  title: 'Moving from OpenAI',
  description: 'Point code written for OpenAI or Anthropic at this server, and find out what is different here.',
  lead: 'Keep your code.',
  leadRest: 'Change the address, the key and the name of the model.',
  sections: {
    environment: {
      title: 'Without touching the code',
      text: 'The official OpenAI clients for Python, TypeScript and Go read the address and the key from the environment, and so does the one for Java if it is created with `fromEnv()`. Anthropic’s clients do the same: leave `/v1` out of their address. In C# the address is set in the code, as the quickstart shows.',
      after: 'Only the name of the model remains in the code.',
    },
    models: {
      title: 'Names of models',
      text: 'Ask the server which models your key may use, what they can do and how long their context is. If a name such as `gpt-4o` has to stay in the code, the server’s operator can give it to a model as an alias. The answer then contains the model’s own name.',
    },
    check: {
      title: 'Find out what is different',
      text: 'Fields that Helix does not know are ignored, so that code written for other services works. The response header `x-helix-ignored-fields` lists them. While you are moving, send `x-helix-strict: 1`: such fields are then refused with 400, and the error names them.',
      after:
        'Compatibility lists every field of chat completions. Error codes, streaming events and the names of the rate limit headers are those of OpenAI, so handling of errors and retries in your code and in its libraries keeps working.',
    },
    missing: {
      title: 'What is not here',
      text: 'Files, batches, assistants, vector stores, fine-tuning, image generation, speech and realtime sessions: these addresses return 404 `unknown_url`. Conversations are stored with `/v1/responses` and `previous_response_id`. Images and audio in a prompt are accepted where the model accepts them.',
    },
  },
} as const
