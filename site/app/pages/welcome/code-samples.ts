import type { CodePart, CodeTab } from '../../components/code-tabs.tsx'

type SampleOptions = { baseUrl: string; key: CodePart; model: string; question: string; environmentName: string }

/** The first call in several languages, with the reader's key, address and model filled in: it runs as it is. */
export const codeSamples = (options: SampleOptions): CodeTab[] => [
  { id: 'curl', name: 'curl', parts: curl(options) },
  { id: 'python', name: 'Python', parts: python(options) },
  { id: 'typescript', name: 'TypeScript', parts: typescript(options) },
  { id: 'environment', name: options.environmentName, parts: environment(options) },
]

const curl = ({ baseUrl, key, model, question }: SampleOptions): CodePart[] => [
  'BASE_URL=',
  { yours: baseUrl },
  '\ncurl -N "$BASE_URL/chat/completions" \\\n  -H "Authorization: Bearer ',
  key,
  '" \\\n  -H "Content-Type: application/json" \\\n  -d \'{\n    "model": "',
  { yours: model },
  `",\n    "stream": true,\n    "messages": [{\n      "role": "user",\n      "content": "${question}"\n    }]\n  }'`,
]

const python = ({ baseUrl, key, model, question }: SampleOptions): CodePart[] => [
  'from openai import OpenAI\n\nbase_url = "',
  { yours: baseUrl },
  '"\nclient = OpenAI(base_url=base_url, api_key="',
  key,
  '")\nstream = client.chat.completions.create(\n    model="',
  { yours: model },
  `",\n    stream=True,\n    messages=[{\n        "role": "user",\n        "content": "${question}",\n    }],\n)\n`,
  'for chunk in stream:\n    for choice in chunk.choices:\n        print(choice.delta.content or "", end="", flush=True)',
]

const typescript = ({ baseUrl, key, model, question }: SampleOptions): CodePart[] => [
  "import OpenAI from 'openai'\n\nconst baseURL = '",
  { yours: baseUrl },
  "'\nconst client = new OpenAI({ baseURL, apiKey: '",
  key,
  "' })\nconst stream = await client.chat.completions.create({\n  model: '",
  { yours: model },
  `',\n  stream: true,\n  messages: [{\n    role: 'user',\n    content: '${question}',\n  }],\n})\n`,
  "for await (const chunk of stream) {\n  process.stdout.write(chunk.choices[0]?.delta.content ?? '')\n}",
]

/**
 * The key, which every sample reads, and the address where OpenAI's libraries look for it. The model stays a comment: as a
 * HELIX_* variable `helix` itself would take it for its setting.
 */
const environment = ({ baseUrl, key, model }: SampleOptions): CodePart[] => [
  '# Model: ',
  { yours: model },
  '\nexport OPENAI_BASE_URL="',
  { yours: baseUrl },
  '"\nexport HELIX_API_KEY="',
  key,
  '"',
]
