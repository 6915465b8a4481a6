import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * `npm run llama-declarations`: copies what tests compare with from the sources of llama.cpp into `test/llama.cpp`, after the
 * version of the platform packages has changed in package.json. The sources are in node-llama-cpp, which is packed for that
 * alone: as a dependency it would bring a hundred packages and every GPU library.
 */
const target = new URL('../test/llama.cpp/', import.meta.url)
const headers = ['include/llama.h', 'ggml/include/ggml.h', 'ggml/include/ggml-backend.h', 'ggml/include/ggml-cpu.h']

const copyDeclarations = (folder: string, version: string): void => {
  const run = (command: string, ...args: string[]): string =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 })
  run('npm', 'pack', '--silent', `node-llama-cpp@${version}`)
  run('tar', 'xzf', `node-llama-cpp-${version}.tgz`, 'package/llama/gitRelease.bundle')
  run('git', 'clone', '--quiet', '--bare', 'package/llama/gitRelease.bundle', 'sources')
  const read = (path: string): string => run('git', '-C', 'sources', 'show', `HEAD:${path}`)
  const write = (name: string, text: string): void => writeFileSync(new URL(name, target), text)

  write('VERSION', `${version}\n`)
  write('LICENSE', read('LICENSE'))
  write('declarations.h', withoutComments(headers.map(read).join('\n')))
  write('architectures.txt', between(read('src/llama-arch.cpp'), 'LLM_ARCH_NAMES = {', '};'))
  const constants = read('gguf-py/gguf/constants.py')
  write(
    'quantization.txt',
    `${between(constants, 'class GGMLQuantizationType', '\nclass ')}\n${between(constants, 'GGML_QUANT_SIZES', '\n}')}\n}\n`,
  )
}

const withoutComments = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')

const between = (text: string, start: string, end: string): string => {
  const from = text.indexOf(start)
  if (from < 0) throw new Error(`The sources no longer contain "${start}".`)
  return text.slice(from, text.indexOf(end, from))
}

const pinnedVersion = (): string => {
  const { optionalDependencies }: { optionalDependencies: Record<string, string> } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  return optionalDependencies['@node-llama-cpp/linux-x64'] ?? ''
}

const folder = mkdtempSync(join(tmpdir(), 'helix-llama-sources-'))
try {
  copyDeclarations(folder, pinnedVersion())
} finally {
  rmSync(folder, { recursive: true })
}
