import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { callSamples } from '../parts/call-samples.ts'
import type { CodeSample } from '../parts/code-block.ts'
import { guidePage } from '../parts/guide-page.ts'

export const renderTools = (context: PageContext): Page => {
  const words = context.words.guides.tools
  return guidePage(context, {
    words,
    samples: [
      ['call', call(words)],
      ['answer', [{ id: 'call', name: 'JSON', code: answer(words) }]],
      ['loop', loop(words)],
      ['choose', []],
    ],
    related: ['/docs/structured-output', '/docs/agents', '/docs/api'],
  })
}

type Texts = Record<'question' | 'city' | 'toolText' | 'result', string>

const call = ({ question, toolText }: Texts): CodeSample[] =>
  callSamples({
    path: '/chat/completions',
    body: `
{
  "model": "%chat%",
  "messages": [{"role": "user", "content": "${question}"}],
  "tools": [${jsonTool(toolText)}]
}`,
    python: `
${pythonTools(toolText)}
completion = client.chat.completions.create(
    model="%chat%",
    messages=[{"role": "user", "content": "${question}"}],
    tools=tools,
)
print(completion.choices[0].finish_reason)
print(completion.choices[0].message.tool_calls)`,
    typescript: `
${typescriptTools(toolText)}
const completion = await client.chat.completions.create({
  model: '%chat%',
  messages: [{ role: 'user', content: '${question}' }],
  tools,
})
console.log(completion.choices[0]?.finish_reason)
console.log(completion.choices[0]?.message.tool_calls)`,
  })

const loop = ({ question, city, toolText, result }: Texts): CodeSample[] =>
  callSamples({
    path: '/chat/completions',
    body: `
{
  "model": "%chat%",
  "messages": [
    {"role": "user", "content": "${question}"},
    {"role": "assistant", "content": null, "tool_calls": [{
      "id": "«call_1»", "type": "function",
      "function": {"name": "get_weather", "arguments": "{\\"city\\": \\"${city}\\"}"}
    }]},
    {"role": "tool", "tool_call_id": "«call_1»", "content": "${result}"}
  ],
  "tools": [${jsonTool(toolText)}]
}`,
    pythonImports: 'import json\n',
    python: `
${pythonTools(toolText)}
def get_weather(city):
    return "${result}"

messages = [{"role": "user", "content": "${question}"}]
for _ in range(5):
    completion = client.chat.completions.create(model="%chat%", messages=messages, tools=tools)
    message = completion.choices[0].message
    messages.append(message)
    if not message.tool_calls:
        print(message.content)
        break
    for call in message.tool_calls:
        result = get_weather(**json.loads(call.function.arguments))
        messages.append({"role": "tool", "tool_call_id": call.id, "content": result})`,
    typescript: `
${typescriptTools(toolText)}
const getWeather = ({ city }: { city: string }) => \`\${city}: ${result}\`

const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: '${question}' }]
for (let step = 0; step < 5; step++) {
  const completion = await client.chat.completions.create({ model: '%chat%', messages, tools })
  const message = completion.choices[0]?.message
  if (!message?.tool_calls) {
    console.log(message?.content)
    break
  }
  messages.push(message)
  for (const call of message.tool_calls) {
    if (call.type !== 'function') continue
    const content = getWeather(JSON.parse(call.function.arguments))
    messages.push({ role: 'tool', tool_call_id: call.id, content })
  }
}`,
  })

const jsonTool = (text: string): string => `{
    "type": "function",
    "function": {
      "name": "get_weather",
      "description": "${text}",
      "strict": true,
      "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": false
      }
    }
  }`

const pythonTools = (text: string): string => `tools = [{
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "${text}",
        "strict": True,
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}]
`

const typescriptTools = (text: string): string => `const tools: OpenAI.ChatCompletionTool[] = [{
  type: 'function',
  function: {
    name: 'get_weather',
    description: '${text}',
    strict: true,
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
}]
`

const answer = ({ city }: Texts) => html`{
  "finish_reason": "<b>tool_calls</b>",
  "message": {
    "role": "assistant",
    "content": null,
    "tool_calls": [
      {
        "id": "call_…",
        "type": "function",
        "function": { "name": "<b>get_weather</b>", "arguments": "<b>{\\"city\\":\\"${city}\\"}</b>" }
      }
    ]
  }
}`
