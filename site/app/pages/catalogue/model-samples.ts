import type { CatalogueModel } from '../../../../src/platform/contract/models.ts'
import type { CodeTab } from '../../components/code-tabs.tsx'
import { codeSamples } from '../welcome/code-samples.ts'

const yourKey = 'YOUR_API_KEY'

type Sample = { baseUrl: string; model: string; question: string; environmentName: string }

/** A call of the model in several languages. The reader puts a key in. */
export const modelSamples = (kind: CatalogueModel['kind'], sample: Sample): CodeTab[] => {
  const chat = codeSamples({ ...sample, key: { yours: yourKey } })
  if (kind === 'chat') return chat
  const { baseUrl, model, question } = sample
  const others = kind === 'embedding' ? embeddingSamples(sample) : []
  const call =
    kind === 'embedding'
      ? { path: 'embeddings', fields: `"input": "${question}"` }
      : { path: 'rerank', fields: `"query": "${question}", "documents": ["A", "B"]` }
  return [
    {
      id: 'curl',
      name: 'curl',
      parts: [
        'BASE_URL=',
        { yours: baseUrl },
        `\ncurl "$BASE_URL/${call.path}" \\\n  -H "Authorization: Bearer `,
        { yours: yourKey },
        '" \\\n  -H "Content-Type: application/json" \\\n  -d \'{\n    "model": "',
        { yours: model },
        `",\n    ${call.fields}\n  }'`,
      ],
    },
    ...others,
    ...chat.filter(({ id }) => id === 'environment'),
  ]
}

const embeddingSamples = ({ baseUrl, model, question }: Sample): CodeTab[] => [
  {
    id: 'python',
    name: 'Python',
    parts: [
      'from openai import OpenAI\n\nbase_url = "',
      { yours: baseUrl },
      '"\nclient = OpenAI(base_url=base_url, api_key="',
      { yours: yourKey },
      '")\nanswer = client.embeddings.create(\n    model="',
      { yours: model },
      `",\n    input="${question}",\n)\nprint(answer.data[0].embedding)`,
    ],
  },
  {
    id: 'typescript',
    name: 'TypeScript',
    parts: [
      "import OpenAI from 'openai'\n\nconst baseURL = '",
      { yours: baseUrl },
      "'\nconst client = new OpenAI({ baseURL, apiKey: '",
      { yours: yourKey },
      "' })\nconst answer = await client.embeddings.create({\n  model: '",
      { yours: model },
      `',\n  input: '${question}',\n})\nconsole.log(answer.data[0]?.embedding)`,
    ],
  },
]
