/** The official libraries' helpers that call tools until the model answers. */
import assert from 'node:assert/strict'
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod'
import { Agent, run, tool } from '@openai/agents'
import { zodFunction } from 'openai/helpers/zod'
import { z } from 'zod'

const said = 'The tool said: sunny in Paris.'
const city = z.object({ city: z.string() })
const description = 'The weather of a city'
const weather = ({ city }) => `sunny in ${city}`

/** As many and as long as those of agents with several connected services. */
const manyTools = Array.from({ length: 25 }, (_, number) => ({
  name: `look_up_${number}`,
  description: 'Looks something up. '.repeat(200),
  schema: z.object({ query: z.string() }),
  lookUp: ({ query }) => `${number} found ${query}`,
}))
const question = 'call the tool look_up_17 {"query": "it"}'
const found = 'The tool said: 17 found it.'

const asking = (content) => [{ role: 'user', content }]

export const toolRunners = ({ client, anthropic, model }) => {
  const runTools = (content, tools, stream) =>
    client.chat.completions.runTools({ model, messages: asking(content), tools, stream }).finalContent()
  const runAnthropicTools = (content, tools, stream) =>
    anthropic.beta.messages.toolRunner({ model, max_tokens: 100, messages: asking(content), tools, stream })
  const openaiTool = zodFunction({ name: 'get_weather', parameters: city, function: weather, description })
  const anthropicTool = betaZodTool({ name: 'get_weather', inputSchema: city, run: weather, description })
  const textOf = async (runner) => (await runner.runUntilDone()).content[0].text

  return {
    'openai runTools': async () => assert.equal(await runTools('weather Paris', [openaiTool], false), said),
    'openai runTools, streamed': async () => assert.equal(await runTools('weather Paris', [openaiTool], true), said),
    'openai runTools, a function without parameters': async () => {
      const parameters = { type: 'object', properties: {} }
      const hour = { name: 'get_hour', description: 'The hour', parameters, parse: JSON.parse, function: Object.keys }
      const answer = await runTools('call the tool get_hour', [{ type: 'function', function: hour }], false)
      assert.equal(answer, 'The tool said: [].')
    },
    'openai runTools with 25 tools of 4,000 characters': async () => {
      const tools = manyTools.map(({ schema, lookUp, ...rest }) =>
        zodFunction({ ...rest, parameters: schema, function: lookUp }),
      )
      assert.equal(await runTools(question, tools, false), found)
      assert.equal(await runTools(question, tools, true), found)
    },
    'agents with 25 tools of 4,000 characters': async () => {
      const tools = manyTools.map(({ schema, lookUp, ...rest }) =>
        tool({ ...rest, parameters: schema, execute: lookUp }),
      )
      assert.equal((await run(new Agent({ name: 'helper', model, tools }), question)).finalOutput, found)
    },
    'anthropic tool runner': async () =>
      assert.equal(await textOf(runAnthropicTools('weather Paris', [anthropicTool], false)), said),
    'anthropic tool runner, streamed': async () =>
      assert.equal(await textOf(runAnthropicTools('weather Paris', [anthropicTool], true)), said),
    'anthropic tool runner with 25 tools of 4,000 characters': async () => {
      const tools = manyTools.map(({ schema, lookUp, ...rest }) =>
        betaZodTool({ ...rest, inputSchema: schema, run: lookUp }),
      )
      assert.equal(await textOf(runAnthropicTools(question, tools, false)), found)
    },
  }
}
