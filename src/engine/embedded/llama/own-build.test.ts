import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchPath } from '../../../../test/harness/scratch-path.ts'
import { parsePrototype } from './bind-function.ts'
import { examineGpu } from './examine-gpu.ts'
import { ggmlFunctions, llamaFunctions } from './llama-declarations.ts'

const compiler = 'cc'
const hasCompiler = spawnSync(compiler, ['--version']).status === 0
const isLinux = process.platform === 'linux'

/** A folder with libraries that have these functions. */
const build = (sources: { llama: string; ggml?: string }): string => {
  const folder = scratchPath()
  for (const [name, source] of Object.entries({ ggml: '', ...sources }))
    execFileSync(compiler, ['-shared', '-fPIC', '-w', '-x', 'c', '-', '-o', join(folder, `lib${name}.so`)], {
      input: source,
    })
  return folder
}
const examine = (ownBuild: string) => () => examineGpu({ gpu: true, ownBuild })

const version = (text: string) => `const char * llama_version(void) { return "${text}"; }\n`
/** Functions that do nothing; those that return a struct return a smaller one of zeros. */
const stubs = (prototypes: readonly string[]): string =>
  prototypes
    .map(parsePrototype)
    .filter(({ name }) => name !== 'llama_version')
    .map(({ name, result }) =>
      result.startsWith('struct ') && !result.endsWith('*')
        ? `struct zeros ${name}(void) { struct zeros none = { { 0 } }; return none; }`
        : `void * ${name}(void) { return 0; }`,
    )
    .join('\n')
const zeros = 'struct zeros { char bytes[56]; };\n'

test('a folder that is not there, or is not a build of llama.cpp, is named', () => {
  const folder = scratchPath()
  expect(examine(join(folder, 'no'))).toThrow(`engineLibraries: the folder ${join(folder, 'no')} does not exist`)
  expect(examine(folder)).toThrow(
    `${folder} does not contain libggml: engineLibraries must be the folder with the libraries of a build of llama.cpp`,
  )
})

test.runIf(isLinux)('a file that is not a library is named, with the reason of the system', () => {
  const folder = scratchPath()
  for (const name of ['libggml.so', 'libllama.so.0']) writeFileSync(join(folder, name), 'not a library')
  expect(examine(folder)).toThrow(`libggml.so of ${folder} cannot be loaded: file too short`)
})

test.runIf(isLinux)('a library for another architecture is named, with both', () => {
  const folder = scratchPath()
  const [other, machine] = process.arch === 'x64' ? ['arm64', 183] : ['x64', 62]
  const header = Buffer.alloc(4096)
  header.write('\x7fELF\x02\x01\x01', 'latin1')
  header.writeUInt16LE(3, 16)
  header.writeUInt16LE(Number(machine), 18)
  for (const name of ['libggml.so', 'libllama.so']) writeFileSync(join(folder, name), header)
  expect(examine(folder)).toThrow(
    `libggml.so of ${folder} cannot be loaded: it is a library for ${other}, and this machine is ${process.arch}`,
  )
})

test.runIf(isLinux && hasCompiler)('a build of another version is refused with both versions and what to do', () => {
  const folder = build({ llama: version('9.9.9') })
  expect(examine(folder)).toThrow(
    `The llama.cpp library in ${folder} is version 9.9.9; this program needs exactly 0.4.0-dev. Build llama.cpp v0.4.0 as docs/operating.md says, or unset engineLibraries.`,
  )
})

test.runIf(isLinux && hasCompiler)(
  'a build without a function is refused, also if it does not tell its version',
  () => {
    expect(examine(build({ llama: '' }))).toThrow('has no function llama_version; this program needs')
    expect(examine(build({ llama: version('0.4.0-dev') }))).toThrow('has no function llama_log_set; this program needs')
    const llama = version('0.4.0-dev') + zeros + stubs(llamaFunctions)
    expect(examine(build({ llama }))).toThrow('has no function ggml_backend_load_all_from_path; this program needs')
  },
)

test.runIf(isLinux && hasCompiler)('a build of the same version with other structs is refused', () => {
  const llama = version('0.4.0-dev') + zeros + stubs(llamaFunctions)
  expect(examine(build({ llama, ggml: zeros + stubs(ggmlFunctions) }))).toThrow(
    'has other structs than the release, although it is version 0.4.0-dev; this program needs',
  )
})
