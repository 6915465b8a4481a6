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
  'curl -N ',
  { yours: baseUrl },
  '/chat/completions \\\n  -H "Authorization: Bearer ',
  key,
  '" \\\n  -H "Content-Type: application/json" \\\n  -d \'{\n    "model": "',
  { yours: model },
  `",\n    "stream": true,\n    "messages": [{\n      "role": "user",\n      "content": "${question}"\n    }]\n  }'`,
]

const python = ({ baseUrl, key, model, question }: SampleOptions): CodePart[] => [
  'from openai import OpenAI\n\nclient = OpenAI(\n    base_url="',
  { yours: baseUrl },
  '",\n    api_key="',
  key,
  '",\n)\nstream = client.chat.completions.create(\n    model="',
  { yours: model },
  `",\n    stream=True,\n    messages=[{\n        "role": "user",\n        "content": "${question}",\n    }],\n)\n`,
  'for chunk in stream:\n    for choice in chunk.choices:\n        print(choice.delta.content or "", end="", flush=True)',
]

const typescript = ({ baseUrl, key, model, question }: SampleOptions): CodePart[] => [
  "import OpenAI from 'openai'\n\nconst client = new OpenAI({\n  baseURL: '",
  { yours: baseUrl },
  "',\n  apiKey: '",
  key,
  "',\n})\nconst stream = await client.chat.completions.create({\n  model: '",
  { yours: model },
  `',\n  stream: true,\n  messages: [{\n    role: 'user',\n    content: '${question}',\n  }],\n})\n`,
  "for await (const chunk of stream) {\n  process.stdout.write(chunk.choices[0]?.delta.content ?? '')\n}",
]

/**
 * The one variable that every sample reads. Address and model stay comments: as HELIX_* variables `helix` itself would take
 * them for its settings.
 */
const environment = ({ baseUrl, key, model }: SampleOptions): CodePart[] => [
  '# Base URL: ',
  { yours: baseUrl },
  '\n# Model: ',
  { yours: model },
  '\nexport HELIX_API_KEY="',
  key,
  '"',
]
