import type { ListedOperation } from '../../../src/api/openapi/operations.ts'
import type { SampleCall } from './plain-samples.ts'

const completion = '«chatcmpl-…»'
const response = '«resp_…»'
const key = '«key_…»'

/** A question, and the beginning of a text to continue. */
type SampleTexts = { prompt: string; beginning: string }

/** What the sample of an endpoint sends, for those that need more than their path. */
const calls = ({
  prompt,
  beginning,
}: SampleTexts): Readonly<Record<string, Pick<SampleCall, 'body'> & { query?: string }>> => {
  const messages = [{ role: 'user', content: prompt }]
  return {
    createChatCompletion: { body: { model: '%chat%', stream: true, messages } },
    listChatCompletions: { query: '?limit=10' },
    updateChatCompletion: { body: { metadata: { topic: 'rain' } } },
    createResponse: { body: { model: '%chat%', input: prompt } },
    countInputTokens: { body: { model: '%chat%', input: prompt } },
    createCompletion: { body: { model: '%chat%', max_tokens: 64, prompt: beginning } },
    createModeration: { body: { input: prompt } },
    createMessage: { body: { model: '%chat%', max_tokens: 256, messages } },
    countMessageTokens: { body: { model: '%chat%', messages } },
    createEmbedding: { body: { model: '%embedding%', input: prompt } },
    createRerank: { body: { model: '%rerank%', query: prompt, documents: ['Petrichor', 'Snow'], top_n: 1 } },
    createScore: { body: { model: '%rerank%', text_1: prompt, text_2: ['Petrichor', 'Snow'] } },
    tokenize: { body: { model: '%chat%', prompt } },
    detokenize: { body: { model: '%chat%', tokens: [39, 72] } },
    tokenizerInfo: { query: '?model=%chat%' },
    createKey: { body: { name: 'batch', limits: { tokens_per_day: 100_000 } } },
    updateKey: { body: { name: 'nightly batch' } },
    rotateKey: { body: { grace_seconds: 3600 } },
    getUsage: { query: '?group_by=model' },
  }
}

export const sampleCall = ({ id, method, path }: ListedOperation, texts: SampleTexts): SampleCall => {
  const { body, query = '' } = calls(texts)[id] ?? {}
  const filled = path
    .replace(/^\/v1/, '')
    .replace('{completion}', completion)
    .replace('{response}', response)
    .replace('{key}', key)
    .replace('{model}', '%chat%')
  return { method, path: `${filled}${query}`, ...(body === undefined ? {} : { body }) }
}
