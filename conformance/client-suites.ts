import type { Suite } from './suites.ts'

/**
 * Clients beside the official OpenAI libraries, in the versions that were tried last. Programs of hundreds of megabytes are
 * fetched like this instead of being dependencies; the binary of the platform is run directly, as install scripts are off.
 */
const npmInstall = (packages: Readonly<Record<string, string>>): Pick<Suite, 'tools' | 'files' | 'fetch'> => ({
  tools: [['npm', '--version']],
  files: { 'package.json': JSON.stringify({ private: true, type: 'module', dependencies: packages }) },
  fetch: [['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']],
})

const pipInstall = (...packages: string[]): Omit<Suite, 'name'> => ({
  tools: [['python3', '--version']],
  files: {},
  sources: ['scenarios.py', '../shared/playing.py'],
  fetch: [
    ['python3', '-m', 'venv', 'venv'],
    ['venv/bin/python', '-m', 'pip', 'install', '--quiet', ...packages],
  ],
  build: [],
  run: ['venv/bin/python', '-u', 'scenarios.py'],
})

const platform = `${process.platform}-${process.arch}`
const runNode = [process.execPath, 'scenarios.mjs'] as const

const sources = ['scenarios.mjs', '../shared/playing.mjs']
const scenarios = { sources, build: [], run: runNode }

const aiSdk = (packages: Readonly<Record<string, string>>): Omit<Suite, 'name'> => ({
  ...npmInstall({ ...packages, zod: '4.6.7' }),
  ...scenarios,
  folder: 'ai-sdk',
})

/** The tokenizer of helix-v1 as transformers expects it, beside its `tokenizer.json`. */
const tokenizerConfig = { tokenizer_class: 'PreTrainedTokenizerFast', eos_token: '<|endoftext|>' }

export const clientSuites: readonly Suite[] = [
  {
    name: 'node-clients',
    ...npmInstall({ '@anthropic-ai/sdk': '1.9.0', '@openai/agents': '0.20.0', openai: '7.53.0', zod: '4.6.7' }),
    ...scenarios,
    sources: [...sources, 'tool-runners.mjs'],
  },
  {
    name: 'ai-sdk-7',
    ...aiSdk({
      '@ai-sdk/anthropic': '4.0.102',
      '@ai-sdk/openai': '4.0.115',
      '@ai-sdk/openai-compatible': '3.0.90',
      ai: '7.0.169',
    }),
  },
  {
    name: 'ai-sdk-6',
    ...aiSdk({
      '@ai-sdk/anthropic': '3.0.138',
      '@ai-sdk/openai': '3.0.139',
      '@ai-sdk/openai-compatible': '2.0.87',
      ai: '6.0.326',
    }),
  },
  {
    name: 'python-clients',
    ...pipInstall('openai-agents==0.24.0', 'instructor==1.17.0', 'anthropic==2.8.0'),
  },
  // In environments of their own, because they need other versions of openai than the clients above.
  { name: 'pydantic-ai', ...pipInstall('pydantic-ai-slim[openai]==2.66.0') },
  { name: 'llama-index', ...pipInstall('llama-index-llms-openai-like==0.8.1', 'llama-index-llms-openai==0.8.3') },
  { name: 'crewai', ...pipInstall('crewai[litellm]==1.15.30') },
  { name: 'swarm', ...pipInstall('openai-swarm==0.1.1') },
  {
    name: 'lm-eval',
    ...pipInstall('lm-eval[api]==0.4.13', 'transformers==5.23.0', 'pydantic==2.14.3'),
    files: { 'tokenizer_config.json': JSON.stringify(tokenizerConfig) },
    sources: [
      ...['scenarios.py', '../shared/playing.py', '../../models/helix-v1/tokenizer.json'],
      ...['arc.yaml', 'arc.jsonl', 'hellaswag.yaml', 'hellaswag.jsonl'],
    ],
    needsModel: 'helix-v1',
  },
  { name: 'cohere', ...pipInstall('cohere==7.3.1'), needsModel: 'tiny-reranker' },
  { name: 'claude-code', ...npmInstall({ [`@anthropic-ai/claude-code-${platform}`]: '2.1.326' }), ...scenarios },
  { name: 'codex', ...npmInstall({ '@openai/codex': `0.166.0-${platform}` }), ...scenarios },
  { name: 'opencode', ...npmInstall({ [`opencode-${platform}`]: '1.18.34' }), ...scenarios },
]
