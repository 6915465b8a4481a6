import { join } from 'node:path'
import { pom, type Step } from '../suites.ts'

type SampleLanguage = {
  /** Of its tab on the pages. */
  tab: string
  tools: readonly Step[]
  /** Written into the scratch folder before anything runs. */
  files: Readonly<Record<string, string>>
  fetch: readonly Step[]
  /** The file of a sample, by its number, below the scratch folder. */
  file(number: number): string
  code(sample: string, number: number): string
  build: readonly Step[]
  run(number: number): Step
}

/** The languages whose samples can be run. TypeScript and curl are run by `npm test`. */
export const sampleLanguages: readonly SampleLanguage[] = [
  {
    tab: 'python',
    tools: [['python3', '--version']],
    files: {},
    fetch: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/python', '-m', 'pip', 'install', '--quiet', 'openai', 'anthropic', 'openai-agents'],
    ],
    file: (number) => `sample-${number}.py`,
    code: (sample) => sample,
    build: [],
    run: (number) => ['venv/bin/python', `sample-${number}.py`],
  },
  {
    tab: 'go',
    tools: [['go', 'version']],
    files: {},
    fetch: [
      ['go', 'mod', 'init', 'helix/samples'],
      ['go', 'get', 'github.com/openai/openai-go/v3@latest'],
    ],
    file: (number) => join(`sample${number}`, 'main.go'),
    code: (sample) => sample,
    build: [['go', 'build', '-o', 'programs/', './...']],
    run: (number) => [`programs/sample${number}`],
  },
  {
    tab: 'java',
    tools: [
      ['javac', '-version'],
      ['mvn', '--version'],
    ],
    files: { 'pom.xml': pom },
    fetch: [['mvn', '--batch-mode', '--quiet', 'dependency:copy-dependencies', '-DoutputDirectory=lib']],
    file: (number) => join('sources', `Example${number}.java`),
    // All are compiled at once, so each needs a class of its own.
    code: (sample, number) => sample.replace('public class Example ', `public class Example${number} `),
    build: [['sh', '-c', 'javac -encoding UTF-8 -cp "lib/*" -d classes sources/*.java']],
    run: (number) => [
      ...(['java', '-Dstdout.encoding=UTF-8', '-Dslf4j.internal.verbosity=ERROR', '-cp', 'classes:lib/*'] as const),
      `Example${number}`,
    ],
  },
]
