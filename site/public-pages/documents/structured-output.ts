import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { callSamples } from '../parts/call-samples.ts'
import type { CodeSample } from '../parts/code-block.ts'
import { guidePage } from '../parts/guide-page.ts'

export const renderStructuredOutput = (context: PageContext): Page => {
  const words = context.words.guides.structuredOutput
  return guidePage(context, {
    words,
    samples: [
      ['schema', schema(words.question)],
      ['cut', []],
      ['refused', []],
      ['other', choice(words.mood)],
    ],
    related: ['/docs/tools', '/docs/compatibility', '/docs/api'],
  })
}

const schema = (question: string): CodeSample[] =>
  callSamples({
    path: '/chat/completions',
    body: `
{
  "model": "%chat%",
  "messages": [{"role": "user", "content": "${question}"}],
  "response_format": {
    "type": "json_schema",
    "json_schema": {
      "name": "city",
      "strict": true,
      "schema": {
        "type": "object",
        "properties": {
          "name": {"type": "string", "maxLength": 40},
          "population": {"type": "integer"}
        },
        "required": ["name", "population"],
        "additionalProperties": false
      }
    }
  }
}`,
    pythonImports: 'import json\n',
    python: `
completion = client.chat.completions.create(
    model="%chat%",
    messages=[{"role": "user", "content": "${question}"}],
    response_format={
        "type": "json_schema",
        "json_schema": {
            "name": "city",
            "strict": True,
            "schema": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "maxLength": 40},
                    "population": {"type": "integer"},
                },
                "required": ["name", "population"],
                "additionalProperties": False,
            },
        },
    },
)
choice = completion.choices[0]
if choice.finish_reason == "stop":
    print(json.loads(choice.message.content)["name"])`,
    typescript: `
const completion = await client.chat.completions.create({
  model: '%chat%',
  messages: [{ role: 'user', content: '${question}' }],
  response_format: {
    type: 'json_schema',
    json_schema: {
      name: 'city',
      strict: true,
      schema: {
        type: 'object',
        properties: {
          name: { type: 'string', maxLength: 40 },
          population: { type: 'integer' },
        },
        required: ['name', 'population'],
        additionalProperties: false,
      },
    },
  },
})
const choice = completion.choices[0]
if (choice?.finish_reason === 'stop') console.log(JSON.parse(choice.message.content ?? '').name)`,
  })

const choice = (question: string): CodeSample[] =>
  callSamples({
    path: '/chat/completions',
    body: `
{
  "model": "%chat%",
  "messages": [{"role": "user", "content": "${question}"}],
  "structured_outputs": {"choice": ["yes", "no"]}
}`,
    python: `
completion = client.chat.completions.create(
    model="%chat%",
    messages=[{"role": "user", "content": "${question}"}],
    extra_body={"structured_outputs": {"choice": ["yes", "no"]}},
)
print(completion.choices[0].message.content)`,
    typescript: `
const body = {
  model: '%chat%',
  messages: [{ role: 'user' as const, content: '${question}' }],
  structured_outputs: { choice: ['yes', 'no'] },
}
const completion = await client.chat.completions.create(body)
console.log(completion.choices[0]?.message.content)`,
  })
