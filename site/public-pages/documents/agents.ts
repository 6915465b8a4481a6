import { originMark } from '../../../src/site-server/pages.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import type { CodeSample } from '../parts/code-block.ts'
import { guidePage } from '../parts/guide-page.ts'
import { sampleCode } from '../parts/sample-code.ts'

export const renderAgents = (context: PageContext): Page => {
  const words = context.words.guides.agents
  return guidePage(context, {
    words,
    samples: [
      ['context', []],
      ['claude', [{ id: 'claude', name: 'sh', code: sampleCode(claude) }]],
      ['codex', [{ id: 'codex', name: 'config.toml', code: sampleCode(codex) }]],
      ['opencode', [{ id: 'opencode', name: 'opencode.json', code: sampleCode(opencode) }]],
      ['library', library(words)],
      ['limits', []],
    ],
    related: ['/docs/tools', '/docs/limits', '/docs/compatibility'],
  })
}

const claude = `export ANTHROPIC_BASE_URL=«${originMark}»
export ANTHROPIC_API_KEY=«$HELIX_API_KEY»
export ANTHROPIC_MODEL=%chat%
claude`

const codex = `model = "%chat%"
model_provider = "helix"

[model_providers.helix]
name = "Helix"
base_url = "«${originMark}/v1»"
env_key = "HELIX_API_KEY"
wire_api = "responses"`

const opencode = `{
  "model": "helix/%chat%",
  "provider": {
    "helix": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "Helix",
      "options": { "baseURL": "«${originMark}/v1»", "apiKey": "{env:HELIX_API_KEY}" },
      "models": { "%chat%": { "limit": { "context": «32768», "output": «4096» } } }
    }
  }
}`

type Texts = Record<'question' | 'toolText' | 'result', string>

const library = (words: Texts): CodeSample[] => [
  { id: 'python', name: 'Python', code: sampleCode(python(words)) },
  { id: 'typescript', name: 'TypeScript', code: sampleCode(typescript(words)) },
]

const python = ({ question, toolText, result }: Texts): string => `import os
from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI

set_tracing_disabled(True)
client = AsyncOpenAI(
    base_url=«"${originMark}/v1"»,
    api_key=«os.environ["HELIX_API_KEY"]»,
)

@function_tool
def get_weather(city: str) -> str:
    """${toolText}"""
    return f"${result} {city}"

agent = Agent(
    name="Weather",
    model=OpenAIChatCompletionsModel(model="%chat%", openai_client=client),
    tools=[get_weather],
)
print(Runner.run_sync(agent, "${question}").final_output)`

const typescript = ({ question, toolText, result }: Texts): string => `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: «'${originMark}/v1'»,
  apiKey: «process.env.HELIX_API_KEY»,
})
const runner = client.chat.completions.runTools({
  model: '%chat%',
  messages: [{ role: 'user', content: '${question}' }],
  tools: [{
    type: 'function',
    function: {
      name: 'get_weather',
      description: '${toolText}',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
      },
      parse: JSON.parse,
      function: ({ city }: { city: string }) => \`${result} \${city}\`,
    },
  }],
})
console.log(await runner.finalContent())`
