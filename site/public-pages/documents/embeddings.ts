import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { callSamples } from '../parts/call-samples.ts'
import type { CodeSample } from '../parts/code-block.ts'
import { guidePage } from '../parts/guide-page.ts'

export const renderEmbeddings = (context: PageContext): Page => {
  const words = context.words.guides.embeddings
  return guidePage(context, {
    words,
    samples: [
      ['model', []],
      ['vectors', vectors(words)],
      ['rerank', rerank(words)],
      ['limits', []],
    ],
    related: ['/docs/limits', '/docs/api'],
  })
}

type Texts = Record<'first' | 'second' | 'query', string>

const vectors = ({ first, second }: Texts): CodeSample[] =>
  callSamples({
    path: '/embeddings',
    body: `
{
  "model": "%embedding%",
  "input": ["${first}", "${second}"]
}`,
    python: `
answer = client.embeddings.create(
    model="%embedding%",
    input=["${first}", "${second}"],
)
one, two = [each.embedding for each in answer.data]
print(sum(a * b for a, b in zip(one, two)))`,
    typescript: `
const answer = await client.embeddings.create({
  model: '%embedding%',
  input: ['${first}', '${second}'],
})
const [one = [], two = []] = answer.data.map(({ embedding }) => embedding)
console.log(one.reduce((sum, value, index) => sum + value * (two[index] ?? 0), 0))`,
  })

const rerank = ({ first, second, query }: Texts): CodeSample[] =>
  callSamples({
    path: '/rerank',
    body: `
{
  "model": "%rerank%",
  "query": "${query}",
  "documents": ["${first}", "${second}"],
  "top_n": 1
}`,
    python: `
answer = client.post("/rerank", cast_to=object, body={
    "model": "%rerank%",
    "query": "${query}",
    "documents": ["${first}", "${second}"],
    "top_n": 1,
})
for result in answer["results"]:
    print(result["index"], result["relevance_score"])`,
    typescript: `
type Ranked = { results: { index: number; relevance_score: number }[] }
const answer = await client.post<Ranked>('/rerank', {
  body: {
    model: '%rerank%',
    query: '${query}',
    documents: ['${first}', '${second}'],
    top_n: 1,
  },
})
for (const { index, relevance_score } of answer.results) console.log(index, relevance_score)`,
  })
