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
    ...chat.filter(({ id }) => id === 'environment'),
  ]
}
