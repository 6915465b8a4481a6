import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { callSamples } from '../parts/call-samples.ts'
import type { CodeSample } from '../parts/code-block.ts'
import { guidePage } from '../parts/guide-page.ts'
import { pythonClient, typescriptClient } from '../parts/plain-samples.ts'
import { sampleCode } from '../parts/sample-code.ts'

export const renderEmbeddings = (context: PageContext): Page => {
  const words = context.words.guides.embeddings
  return guidePage(context, {
    words,
    samples: [
      ['model', []],
      ['vectors', vectors(words)],
      ['rerank', rerank(words)],
      ['search', search(words)],
      ['limits', []],
    ],
    related: ['/docs/limits', '/docs/api'],
  })
}

type Texts = Record<'first' | 'second' | 'query' | 'answerFrom', string>

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

/** All three kinds of models in one program. */
const search = (texts: Texts): CodeSample[] => [
  { id: 'python', name: 'Python', language: 'python', code: sampleCode(searchInPython(texts)) },
  { id: 'typescript', name: 'TypeScript', language: 'typescript', code: sampleCode(searchInTypescript(texts)) },
]

const searchInPython = ({
  first,
  second,
  query,
  answerFrom,
}: Texts): string => `${pythonClient}documents = ["${first}", "${second}"]
question = "${query}"

def embed(texts):
    answer = client.embeddings.create(model="%embedding%", input=texts)
    return [each.embedding for each in answer.data]

def closeness(one, two):
    return sum(a * b for a, b in zip(one, two))

vectors = embed(documents)
[asked] = embed([question])
order = sorted(range(len(documents)), key=lambda index: -closeness(asked, vectors[index]))
closest = [documents[index] for index in order[:20]]

ranked = client.post("/rerank", cast_to=object, body={
    "model": "%rerank%", "query": question, "documents": closest, "top_n": 3,
})
best = [closest[result["index"]] for result in ranked["results"]]

completion = client.chat.completions.create(
    model="%chat%",
    messages=[
        {"role": "system", "content": "\\n".join(["${answerFrom}", *best])},
        {"role": "user", "content": question},
    ],
)
print(completion.choices[0].message.content)`

const searchInTypescript = ({
  first,
  second,
  query,
  answerFrom,
}: Texts): string => `${typescriptClient}const documents = ['${first}', '${second}']
const question = '${query}'

const embed = async (input: string[]) => {
  const answer = await client.embeddings.create({ model: '%embedding%', input })
  return answer.data.map(({ embedding }) => embedding)
}
const closeness = (one: number[], two: number[]) =>
  one.reduce((sum, value, index) => sum + value * (two[index] ?? 0), 0)

const vectors = await embed(documents)
const [asked = []] = await embed([question])
const closest = documents
  .map((text, index) => ({ text, score: closeness(asked, vectors[index] ?? []) }))
  .sort((one, two) => two.score - one.score)
  .slice(0, 20)
  .map(({ text }) => text)

type Ranked = { results: { index: number }[] }
const ranked = await client.post<Ranked>('/rerank', {
  body: { model: '%rerank%', query: question, documents: closest, top_n: 3 },
})
const best = ranked.results.map(({ index }) => closest[index])

const completion = await client.chat.completions.create({
  model: '%chat%',
  messages: [
    { role: 'system', content: ['${answerFrom}', ...best].join('\\n') },
    { role: 'user', content: question },
  ],
})
console.log(completion.choices[0]?.message.content)`
