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

test('what cannot be taken over is reported with its place', () => {
  const { omitted } = readLitellmConfig(config)
  expect(omitted.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
    'router_settings: it has no counterpart',
    'model_list[0].litellm_params.rpm: it has no counterpart',
    'model_list[5]: the provider bedrock is not known here',
    'model_list[6]: names with * are not supported; name each model',
    'model_list[7]: models of the mode audio_transcription are not served',
    'model_list[8].litellm_params.api_base: an address is necessary for this provider',
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
    `a: &a [1,1]\n${[...'bcdefghijk'].map((name, at) => `${name}: &${name} [*${'abcdefghij'[at]}, *${'abcdefghij'[at]}]`).join('\n')}`,
    'cannot be read',
  ],
])('%s is refused in one line', (text, message) => {
  expect(() => readLitellmConfig(text)).toThrow(message)
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
  const { upstreams, omitted } = readLitellmConfig(nasty, { BASE: 'http://gpu:9000/v1' })
  const [merged, own, newer] = upstreams
  expect(merged).toMatchObject({ url: 'http://gpu:9000/v1', key: { from: 'OPENAI_API_KEY' } })
  const price = { prompt: 0.02, cached: 0.02, completion: 0 }
  expect(merged?.models).toEqual([{ name: 'merged', upstreamName: 'merged', price }])
  expect(own).toMatchObject({ url: 'https://proxy.example.com/v1', key: { value: 'abc' } })
  expect(newer).toMatchObject({ url: 'https://openai-1.openai.azure.com/openai/v1' })
  expect(omitted.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
    'shared: it has no counterpart',
    'model_list[0].litellm_params.timeout: it has no counterpart',
    'model_list[0].model_info.max_input_tokens: it has no counterpart',
    'model_list[1].litellm_params.api_base: the environment variable MISSING is not set',
    'model_list[2]: a model cannot have this name',
  ])
})

test('five hundred models may share their parameters', () => {
  const entry = (index: number) =>
    `  - { model_name: m${index}, litellm_params: { <<: *shared, model: openai/m${index} }, model_info: *info }\n`
  const entries = Array.from({ length: 500 }, (_, index) => entry(index)).join('')
  const text = `shared: &shared { api_base: "http://gpu/v1" }\ninfo: &info { mode: chat }\nmodel_list:\n${entries}`
  expect(readLitellmConfig(text).upstreams.map(({ models }) => models.length)).toEqual([500])
})
