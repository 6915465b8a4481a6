import { expect, test } from 'vitest'
import { readLitellmConfig } from './litellm-config.ts'

const config = `
model_list:
  - model_name: gpt-4o
    litellm_params: &openai
      model: openai/gpt-4o
      api_key: os.environ/OPENAI_API_KEY
      rpm: 60
      max_parallel_requests: 20
      input_cost_per_token: 0.0000025
      output_cost_per_token: 0.00001
  - model_name: embed
    litellm_params: { model: text-embedding-3-small, api_key: os.environ/OPENAI_API_KEY }
    model_info: { mode: embedding }
  - model_name: gpt-4o
    litellm_params: { model: azure/my-deployment, api_base: https://x.openai.azure.com, api_version: "2024-10-21", api_key: abc }
  - model_name: llama
    litellm_params: { model: hosted_vllm/meta/llama-3, api_base: "http://gpu:8000" }
  - model_name: llama
    litellm_params: { model: openai/llama-3, api_base: "http://other:9000/v1", api_key: none }
  - model_name: claude
    litellm_params: { model: bedrock/claude }
  - model_name: "*"
    litellm_params: { model: "anthropic/*" }
  - model_name: sound
    litellm_params: { model: openai/whisper-1 }
    model_info: { mode: audio_transcription }
  - model_name: nowhere
    litellm_params: { model: azure/x }
  - just text
router_settings: { routing_strategy: latency-based-routing }
`

test('models with the same provider, address and key become one upstream', () => {
  const { upstreams } = readLitellmConfig(config)
  expect(upstreams).toEqual([
    {
      ...{ name: 'openai', preset: 'openai', url: null, key: { from: 'OPENAI_API_KEY' }, apiVersion: null },
      maxInFlight: 20,
      models: [
        { name: 'gpt-4o', upstreamName: 'gpt-4o', price: { prompt: 2.5, cached: 2.5, completion: 10 } },
        { name: 'embed', upstreamName: 'text-embedding-3-small', kind: 'embedding' },
      ],
    },
    {
      ...{
        name: 'azure',
        preset: 'azure',
        url: 'https://x.openai.azure.com/openai',
        key: { value: 'abc' },
        maxInFlight: null,
      },
      apiVersion: '2024-10-21',
      models: [{ name: 'gpt-4o', upstreamName: 'my-deployment' }],
    },
    {
      ...{ name: 'vllm', preset: 'vllm', url: 'http://gpu:8000/v1', key: null, apiVersion: null, maxInFlight: null },
      models: [{ name: 'llama', upstreamName: 'meta/llama-3' }],
    },
    {
      ...{ name: 'compatible', preset: null, url: 'http://other:9000/v1', key: { value: 'none' }, apiVersion: null },
      maxInFlight: null,
      models: [{ name: 'llama', upstreamName: 'llama-3' }],
    },
  ])
})

test('several deployments of a model at the same address become upstreams of a pool, and the same one twice does not', () => {
  const { upstreams, omitted } = readLitellmConfig(`
model_list:
  - { model_name: chat, litellm_params: { model: azure/chat-eu, api_base: "https://x.openai.azure.com", api_key: abc } }
  - { model_name: other, litellm_params: { model: azure/other, api_base: "https://x.openai.azure.com", api_key: abc } }
  - { model_name: chat, litellm_params: { model: azure/chat-ca, api_base: "https://x.openai.azure.com", api_key: abc } }
  - { model_name: chat, litellm_params: { model: azure/chat-eu, api_base: "https://x.openai.azure.com", api_key: abc } }
router_settings: { model_group_alias: { talk: chat } }`)
  const aliases = ['talk']
  expect(upstreams.map(({ name, models }) => ({ name, models }))).toEqual([
    {
      name: 'azure',
      models: [
        { name: 'chat', upstreamName: 'chat-eu', aliases },
        { name: 'other', upstreamName: 'other' },
      ],
    },
    { name: 'azure-2', models: [{ name: 'chat', upstreamName: 'chat-ca', aliases }] },
  ])
  expect(omitted).toMatchObject([{ path: 'model_list[3]', code: 'model_twice' }])
})

test('of equal keys the last one counts, as in LiteLLM', () => {
  const { upstreams } = readLitellmConfig(
    'model_list:\n  - model_name: a\n    litellm_params: { model: openai/a, api_key: one, api_key: two }\na: 1\na: 2',
  )
  expect(upstreams).toMatchObject([{ key: { value: 'two' } }])
})

test('what cannot be taken over is reported with its place', () => {
  const { omitted } = readLitellmConfig(config)
  expect(omitted.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
    "router_settings.routing_strategy: placement is Helix's own, see docs/upstreams.md#placement",
    'model_list[0].litellm_params.rpm: limits and budgets are set for keys and organisations, see docs/limits.md',
    'model_list[5]: the provider bedrock is not known here',
    'model_list[6]: names with * are not supported; name each model',
    'model_list[7]: models of the mode audio_transcription are not served',
    'model_list[8].litellm_params.api_base: this provider needs an address',
    'model_list[9]: it has no model_name or litellm_params.model',
  ])
})

test.each([
  ['a: [', 'not valid YAML'],
  ['- 1', 'not a mapping'],
  ['a: 1', 'no model_list'],
  ['model_list: []\n---\nmodel_list: []', 'several YAML documents'],
  [`model_list: [${'1,'.repeat(501)}]`, '501 entries'],
  [
    `a: &a [1,1]\n${[...'bcdefghijklmnopqr'].map((name, at) => `${name}: &${name} [*${'abcdefghijklmnopq'[at]}, *${'abcdefghijklmnopq'[at]}]`).join('\n')}`,
    'its aliases repeat too much',
  ],
  ['a: &a { b: *a }', 'nested too deeply'],
  ['a: *b', 'no anchor'],
  ['a: 1\n'.repeat(20_000), 'too long'],
  ...['[', '- ', '? ', '{a: '].map((opening) => [opening.repeat(10_000), 'nested too deeply']),
  [Array.from({ length: 200 }, (_, indent) => `${' '.repeat(indent)}a:`).join('\n'), 'nested too deeply'],
])('a file that begins with %.60s is refused in one line', (text, message) => {
  expect(() => readLitellmConfig(text)).toThrow(message)
})

test('whoever sends a file from elsewhere gets nothing of the environment, and is told', () => {
  const text = `
model_list:
  - { model_name: a, litellm_params: { model: openai/a, api_base: os.environ/BASE, api_key: sk } }
  - { model_name: b, litellm_params: { model: openai/b, api_key: os.environ/KEY } }
  - { model_name: c, litellm_params: { model: openai/c, api_key: os.environ/OWN } }
environment_variables: { OWN: sk-own }`
  const { upstreams, omitted } = readLitellmConfig(text, { environment: null })
  expect(upstreams.map(({ key }) => key)).toEqual([{ from: 'KEY' }, { value: 'sk-own' }])
  const reason = 'write the value into the file: the variable BASE is not read here'
  expect(omitted).toMatchObject([{ path: 'model_list[0].litellm_params.api_base', reason }])
})

const nasty = `
shared: &shared { api_key: os.environ/OPENAI_API_KEY, api_base: os.environ/BASE, timeout: 30 }
model_list:
  - model_name: merged
    litellm_params: { <<: *shared, model: openai/merged, timeout: 60 }
    model_info: { id: 7, input_cost_per_token: 2e-8, max_input_tokens: 8192 }
  - model_name: nowhere
    litellm_params: { model: azure/x, api_base: os.environ/MISSING }
  - model_name: a/../b
    litellm_params: { <<: *shared, model: openai/x }
  - model_name: own
    litellm_params: { model: anthropic/claude, api_base: "https://proxy.example.com/", api_key: "abc\\n" }
  - model_name: newer
    litellm_params: { model: azure/x, api_base: "https://openai-1.openai.azure.com", api_key: abc }
`

test('merged parameters, parameters in the environment and prices beside the model are read', () => {
  const { upstreams, omitted } = readLitellmConfig(nasty, { environment: { BASE: 'http://gpu:9000/v1' } })
  const [merged, own, newer] = upstreams
  expect(merged).toMatchObject({ url: 'http://gpu:9000/v1', key: { from: 'OPENAI_API_KEY' } })
  const price = { prompt: 0.02, cached: 0.02, completion: 0 }
  expect(merged?.models).toEqual([{ name: 'merged', upstreamName: 'merged', price }])
  expect(own).toMatchObject({ url: 'https://proxy.example.com/v1', key: { value: 'abc' } })
  expect(newer).toMatchObject({ url: 'https://openai-1.openai.azure.com/openai/v1' })
  expect(omitted.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
    'shared: it has no counterpart',
    'model_list[0].litellm_params.timeout: set firstByteTimeoutMs of the upstream',
    'model_list[0].model_info.max_input_tokens: set contextTokens of the model',
    'model_list[1].litellm_params.api_base: the environment variable MISSING is not set',
    'model_list[2]: a model cannot have this name',
  ])
})

const one = (params: string, more = ''): string =>
  `model_list:\n  - { model_name: m, litellm_params: { ${params} } }\n${more}`
const read = (text: string, options: Parameters<typeof readLitellmConfig>[1] = {}) => {
  const { upstreams, omitted } = readLitellmConfig(text, options)
  return { upstreams, report: omitted.map(({ path, reason }) => `${path}: ${reason}`) }
}

test.each([
  ['model: claude-3-5-sonnet-20241022, api_key: k', 'anthropic'],
  ['model: gpt-4o, api_key: k', 'openai'],
  ['model: o3, api_key: k', 'openai'],
  ['model: claude-x, custom_llm_provider: anthropic, api_key: k', 'anthropic'],
  ['model: mistral/mistral-large, custom_llm_provider: mistral, api_key: k', 'mistral'],
])('%s is a model of %s, whose key no other provider is sent', (params, preset) => {
  expect(read(one(params)).upstreams).toMatchObject([{ preset, url: null }])
})

test.each([
  ['model: mistral-large, api_key: k', 'name it PROVIDER/mistral-large'],
  ['model: openai/x, api_base: 8000', 'not a valid address'],
  ['model: cohere/command-r, api_key: k', 'does not serve models of mode chat'],
  ['model: "openai/has space", api_base: "http://gpu/v1"', 'a model cannot have this name'],
  ['model: openai/x, mock_response: hi', 'LiteLLM answers it itself'],
  ['model: azure/x, api_base: "https://x.openai.azure.com", client_secret: s', 'only keys are supported'],
  ['model: openai/x, litellm_credential_name: nobody', 'no such credential'],
])('%s is not added: it would go to another server, without its key or in vain', (params, reason) => {
  const { upstreams, report } = read(one(params))
  expect(upstreams).toEqual([])
  expect(report.join()).toContain(reason)
})

test.each([
  ['model: openai/x, base_url: "http://gpu:8000/v1/", api_key: 12345', 'http://gpu:8000/v1', '12345'],
  ['model: x, custom_llm_provider: hosted_vllm, api_base: "http://gpu:8000", api_key: k', 'http://gpu:8000/v1', 'k'],
  ['model: openai/x, litellm_credential_name: gpu', 'http://gpu:9000/v1', 'shared'],
])('%s goes to its own server', (params, url, key) => {
  const values = '{ api_base: "http://gpu:9000/v1", api_key: shared }'
  const credentials = `credential_list: [{ credential_name: gpu, credential_values: ${values} }]`
  expect(read(one(params, credentials)).upstreams).toMatchObject([{ url, key: { value: key } }])
})

test('a provider has the key of the variable that LiteLLM reads for it, another server has none', () => {
  expect(read(one('model: groq/x')).upstreams).toMatchObject([{ key: { from: 'GROQ_API_KEY' } }])
  expect(read(one('model: openai/x, api_base: "http://gpu/v1"')).upstreams).toMatchObject([{ key: null }])
  const own = one('model: openai/x, api_key: os.environ/MINE', 'environment_variables: { MINE: sk-1 }')
  expect(read(own).upstreams).toMatchObject([{ key: { value: 'sk-1' } }])
})

test.each([
  ['https://r.openai.azure.com/openai/deployments/x/chat/completions?api-version=2024-10-21', '2024-10-21', '/openai'],
  ['https://r.openai.azure.com/openai/v1/', '2024-10-21', '/openai/v1'],
  ['https://r.openai.azure.com', 'latest', '/openai/v1'],
])('Azure at %s, version %s', (base, version, path) => {
  const [upstream] = read(one(`model: azure/o_series/x, api_base: "${base}", api_version: "${version}"`)).upstreams
  expect(upstream).toMatchObject({ url: `https://r.openai.azure.com${path}`, models: [{ upstreamName: 'x' }] })
  expect(upstream?.apiVersion).toBe(path === '/openai' ? version : null)
})

test('weights, capabilities and other names of models are taken over', () => {
  const params = 'model: openai/x, api_base: "http://gpu/v1", weight: 3'
  const { upstreams, report } = read(`model_list:
  - { model_name: m, litellm_params: { ${params} }, model_info: { supports_vision: true } }
router_settings: { model_group_alias: { gpt-4: m, hidden: { model: m, hidden: true }, m: m, other: nobody } }`)
  const [model] = upstreams[0]?.models ?? []
  expect(model).toMatchObject({ weight: 3, capabilities: ['vision'], aliases: ['gpt-4', 'hidden'] })
  expect(report).toEqual([
    'router_settings.model_group_alias.m: this alias is not allowed',
    'router_settings.model_group_alias.other: its model was not taken over',
  ])
})

test.each([
  ['model: openai/responses/gpt-x, api_key: k', ''],
  ['model: gpt-x, api_key: k', 'model_info: { mode: responses }'],
])('a model that LiteLLM asks at the Responses API is asked there: %s %s', (params, info) => {
  const more = info === '' ? '' : `, ${info}`
  const { upstreams } = read(`model_list: [{ model_name: m, litellm_params: { ${params} }${more} }]`)
  const capabilities = ['vision', 'responses', 'responses_for_chat']
  expect(upstreams[0]).toMatchObject({ preset: 'openai', models: [{ upstreamName: 'gpt-x', capabilities }] })
})

test('models of Azure that are asked at the Responses API get the address that has it', () => {
  const azure = 'api_base: "https://r.openai.azure.com", api_version: "2025-03-01-preview", api_key: k'
  const { upstreams } = read(`model_list:
  - { model_name: old, litellm_params: { model: azure/a, ${azure} } }
  - { model_name: new, litellm_params: { model: azure/b, ${azure} }, model_info: { mode: responses } }
  - { model_name: newer, litellm_params: { model: azure/responses/c, ${azure} } }`)
  const at = upstreams.map(({ url, apiVersion, models }) => [url, apiVersion, models.map(({ name }) => name)])
  expect(at).toEqual([
    ['https://r.openai.azure.com/openai', '2025-03-01-preview', ['old']],
    ['https://r.openai.azure.com/openai/v1', null, ['new', 'newer']],
  ])
})

test('prices in quotes are read; half a price, and one in another currency, is none', () => {
  const price = (cost: string, options = {}) => read(one(`model: gpt-x, api_key: k, ${cost}`), options)
  const both = 'input_cost_per_token: "0.000001", output_cost_per_token: 2e-06'
  expect(price(both).upstreams[0]?.models[0]?.price).toEqual({ prompt: 1, cached: 1, completion: 2 })
  const half = price('input_cost_per_token: cheap, output_cost_per_token: 2e-06')
  expect(half.upstreams[0]?.models[0]?.price).toBeUndefined()
  expect(half.report).toEqual(['model_list[0].litellm_params.input_cost_per_token: not a valid price, so none is set'])
  const yen = price(both, { currency: 'JPY' })
  expect(yen.upstreams[0]?.models[0]?.price).toBeUndefined()
  expect(yen.report.join()).toContain('those of this server in JPY')
})

test('five hundred models may share their parameters', () => {
  const entry = (index: number) =>
    `  - { model_name: m${index}, litellm_params: { <<: *shared, model: openai/m${index} }, model_info: *info }\n`
  const entries = Array.from({ length: 500 }, (_, index) => entry(index)).join('')
  const text = `shared: &shared { api_base: "http://gpu/v1" }\ninfo: &info { mode: chat }\nmodel_list:\n${entries}`
  expect(readLitellmConfig(text).upstreams.map(({ models }) => models.length)).toEqual([500])
})

test('a mapping may have thousands of keys, and upstreams of many addresses are counted', () => {
  const keys = Array.from({ length: 9_900 }, (_, index) => `k${index}:\n`).join('')
  expect(readLitellmConfig(`model_list: []\n${keys}`).upstreams).toEqual([])
  const addresses = Array.from(
    { length: 500 },
    (_, index) => `  - { model_name: m, litellm_params: { model: openai/m, api_base: "http://h${index}/v1" } }\n`,
  )
  const { upstreams } = readLitellmConfig(`model_list:\n${addresses.join('')}`)
  expect(upstreams.slice(0, 3).map(({ name }) => name)).toEqual(['compatible', 'compatible-2', 'compatible-3'])
  expect(new Set(upstreams.map(({ name }) => name)).size).toBe(500)
})
