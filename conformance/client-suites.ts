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
  sources: ['scenarios.py'],
  fetch: [
    ['python3', '-m', 'venv', 'venv'],
    ['venv/bin/python', '-m', 'pip', 'install', '--quiet', ...packages],
  ],
  build: [],
  run: ['venv/bin/python', '-u', 'scenarios.py'],
})

const platform = `${process.platform}-${process.arch}`
const runNode = [process.execPath, 'scenarios.mjs'] as const

export const clientSuites: readonly Suite[] = [
  {
    name: 'node-clients',
    ...npmInstall({
      '@ai-sdk/openai': '4.0.114',
      '@anthropic-ai/sdk': '1.8.0',
      '@openai/agents': '0.20.0',
      ai: '7.0.169',
      openai: '7.53.0',
      zod: '4.6.7',
    }),
    sources: ['scenarios.mjs'],
    build: [],
    run: runNode,
  },
  {
    name: 'python-clients',
    ...pipInstall('openai-agents==0.24.0', 'instructor==1.17.0', 'anthropic==2.8.0'),
  },
  // In environments of their own, because they need other versions of openai than the clients above.
  { name: 'pydantic-ai', ...pipInstall('pydantic-ai-slim[openai]==2.66.0') },
  { name: 'llama-index', ...pipInstall('llama-index-llms-openai-like==0.8.1', 'llama-index-llms-openai==0.8.3') },
  {
    name: 'claude-code',
    ...npmInstall({ [`@anthropic-ai/claude-code-${platform}`]: '2.1.325' }),
    sources: ['scenarios.mjs'],
    build: [],
    run: runNode,
  },
  {
    name: 'codex',
    ...npmInstall({ '@openai/codex': `0.166.0-${platform}` }),
    sources: ['scenarios.mjs'],
    build: [],
    run: runNode,
  },
]
