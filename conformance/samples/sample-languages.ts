import { join } from 'node:path'
import { pom, type Step } from '../suites.ts'
import { csharp } from './csharp.ts'
import type { SampleLanguage } from './sample-language.ts'

const curl: SampleLanguage = {
  tab: 'curl',
  tools: [['curl', '--version']],
  fetch: [],
  files: (code, number) => ({ [`sample-${number}.sh`]: code }),
  build: [],
  run: (_, number) => ['sh', `sample-${number}.sh`],
}

const python: SampleLanguage = {
  tab: 'python',
  tools: [['python3', '--version']],
  fetch: [
    ['python3', '-m', 'venv', 'venv'],
    ['venv/bin/python', '-m', 'pip', 'install', '--quiet', 'openai', 'anthropic', 'openai-agents'],
  ],
  files: (code, number) => ({ [`sample-${number}.py`]: code }),
  build: [],
  run: (_, number) => ['venv/bin/python', `sample-${number}.py`],
}

const typescript: SampleLanguage = {
  tab: 'typescript',
  tools: [['npm', '--version']],
  shared: { 'package.json': JSON.stringify({ private: true, type: 'module' }) },
  fetch: [['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', 'openai', '@anthropic-ai/sdk']],
  files: (code, number) => ({ [`sample-${number}.ts`]: code }),
  build: [],
  run: (_, number) => [process.execPath, '--disable-warning=ExperimentalWarning', `sample-${number}.ts`],
}

const goMain = `package main

import "os"

var samples = map[string]func(){}

func main() { samples[os.Args[1]]() }
`

const go: SampleLanguage = {
  tab: 'go',
  tools: [['go', 'version']],
  shared: { 'main.go': goMain },
  fetch: [
    ['go', 'mod', 'init', 'helix/samples'],
    ['go', 'get', 'github.com/openai/openai-go/v3@latest'],
  ],
  // A program or a package for each takes minutes to compile, so each is a function.
  files: (code, number) => ({
    [`sample${number}.go`]: code.replace(
      'func main()',
      `func init() { samples["${number}"] = sample${number} }\n\nfunc sample${number}()`,
    ),
  }),
  build: [['go', 'build', '-o', 'samples', '.']],
  run: (_, number) => ['./samples', String(number)],
}

/** It warns if no logger is configured. */
const quiet: readonly string[] = ['-Dstdout.encoding=UTF-8', '-Dslf4j.internal.verbosity=ERROR']

const java: SampleLanguage = {
  tab: 'java',
  tools: [
    ['javac', '-version'],
    ['mvn', '--version'],
  ],
  shared: { 'pom.xml': pom },
  fetch: [['mvn', '--batch-mode', '--quiet', 'dependency:copy-dependencies', '-DoutputDirectory=lib']],
  // All are compiled at once, so each needs a class of its own.
  files: (code, number) => ({
    [join('sources', `Example${number}.java`)]: code.replace('public class Example ', `public class Example${number} `),
  }),
  build: [['sh', '-c', 'javac -encoding UTF-8 -cp "lib/*" -d classes sources/*.java']],
  run: (_, number): Step => ['java', ...quiet, '-cp', 'classes:lib/*', `Example${number}`],
}

/** The languages of the tabs on the pages. */
export const sampleLanguages: readonly SampleLanguage[] = [curl, python, typescript, go, java, csharp]
