export const troubleshooting = {
  title: 'Troubleshooting',
  description: 'What to check when a request fails, hangs, or returns something unexpected, by what you see.',
  lead: 'Start from what you see.',
  leadRest: 'Most problems show themselves in one call.',
  sections: {
    first: {
      title: 'First: one call without your code',
      text: 'This call needs only the address and the key. It shows whether the server can be reached, whether the key is right, and what the key may do.',
      after:
        '`scopes` and `models` say what the key may call, and `limit_use` how much of each limit is used. If this works and your program does not, the difference is in the program: its address, its key or its proxy.',
    },
    connect: {
      title: 'Connection refused, or no answer',
      text: 'Check the host and the port. Inside a container, `localhost` is the container itself: use the name or the address of the machine. The status 421 means that the server is known by another name: use the address that its operator has set. With a certificate that is not trusted, such as a self-signed one, give your client the certificate (`SSL_CERT_FILE`, `NODE_EXTRA_CA_CERTS`).',
    },
    address: {
      title: '404 with the code unknown_url',
      text: 'The message shows the address that was called. OpenAI’s clients need a base URL that ends with `/v1`, Anthropic’s one without it. A path such as `/v1/v1/messages` has it twice.',
    },
    key: {
      title: '401 or 403',
      text: 'The message says what is wrong with the key: incomplete, expired, revoked, or not allowed to do this. Print its last four characters in your program and compare them with the list of keys: often a variable is empty or belongs to another server.',
    },
    model: {
      title: '404 with the code model_not_found',
      text: 'The name is misspelt, or the key is limited to other models. The list of models shows every name that this key can use. `model_not_supported` means that the model is of another kind: a chat model cannot create embeddings.',
    },
    limit: {
      title: '429',
      text: '`rate_limit_exceeded`: wait as long as `retry-after` says; the official clients do so by themselves if that is at most a minute. `insufficient_quota`: the budget of the day or the month is used up, and waiting a few seconds does not help. The message names the limit and whom it applies to.',
    },
    context: {
      title: '400 with the code context_length_exceeded',
      text: 'The prompt and the longest possible answer do not fit the model’s context together. Shorten the conversation or lower `max_completion_tokens`. `/v1/tokenize` counts the tokens of a prompt.',
    },
    empty: {
      title: 'The answer is empty or ends in the middle',
      text: 'Look at `finish_reason`. `length`: the token limit was reached; a model that reasons may reach it before it writes any answer. `tool_calls`: the model asks for a function instead of answering.',
    },
    stream: {
      title: 'A stream arrives all at once',
      text: 'Something on the way buffers it: a proxy, or your client. `curl -N` shows whether the events arrive one by one. The operator can turn off buffering for `/v1/` in the proxy.',
    },
    browser: {
      title: 'It works with curl, but not in a browser',
      text: 'The operator may have limited the web pages that can call the API (`corsOrigins`), and a page served over HTTPS cannot call an address without it. Anyone who opens the page can read a key in it, so make the call from your own server.',
    },
    report: {
      title: 'Ask for help',
      text: 'Every response has an `x-request-id`. Your organisation’s members find the request with it under Requests, with its times and its error, and the operator finds it in the log.',
    },
  },
} as const
