export const agents = {
  title: 'Agents',
  description: 'Connect coding agents and agent libraries to this server, and choose a model with enough context.',
  lead: 'Your agent, this server’s models.',
  leadRest: 'Set the address, the key and the model.',
  question: 'What is the weather in Oslo?',
  toolText: 'The current weather in a city',
  result: '18 °C and sunny in',
  sections: {
    context: {
      title: 'Choose the model first',
      text: 'Agents send long instructions with every request: Claude Code about 12,500 tokens, opencode 8,100 and Codex 6,800 before you have typed anything. Use a model with a context of at least 32,768 tokens. With the 8,192 tokens of helix-v1, Claude Code and opencode cannot work and Codex only in short conversations.',
    },
    claude: {
      title: 'Claude Code',
      text: 'It uses `/v1/messages`. Leave `/v1` out of the address.',
    },
    codex: {
      title: 'Codex',
      text: 'It uses `/v1/responses`. Add this to `~/.codex/config.toml`:',
      after:
        'Codex always sends some built-in tools, such as web search. They are left out, and the response header `x-helix-ignored-tools` lists them. If the model is at an upstream with the Responses API, the operator must allow them there (`builtInTools`); otherwise, such requests are refused.',
    },
    opencode: {
      title: 'opencode',
      text: 'It uses `/v1/chat/completions`. Add this to `opencode.json`, with the context of your model as `limit`:',
    },
    library: {
      title: 'Your own agent',
      text: 'Libraries run the loop for you: they call your function and send the result back until there is an answer. The Python sample needs the package `openai-agents`.',
    },
    limits: {
      title: 'Give it a key of its own',
      text: 'An agent that goes wrong can send many requests. Create a key for it with a limit of tokens or cost per day: when the limit is reached, requests end with 429, and your other keys keep working.',
    },
  },
} as const
